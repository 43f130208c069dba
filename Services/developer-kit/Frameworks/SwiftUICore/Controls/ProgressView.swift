import STContracts

public struct ProgressView<Label: View, CurrentValueLabel: View>: View, PrimitiveView {
    public typealias Body = Never

    private let fraction: Double?
    private let label: Label?
    private let current: CurrentValueLabel?

    private init<V: BinaryFloatingPoint>(
        _ value: V?,
        _ total: V,
        _ label: Label?,
        _ current: CurrentValueLabel?
    ) {
        let part = value.map { total > 0 ? Double($0 / total) : 0 }
        fraction = part.map { $0.isNaN ? 0 : min(1, max(0, $0)) }
        self.label = label
        self.current = current
    }

    package func write(_ page: PageWriter) throws {
        let configuration = ProgressViewStyleConfiguration(
            fractionCompleted: fraction,
            label: label.map { _StylePart("label", $0) },
            currentValueLabel: current.map { _StylePart("current", $0) }
        )
        let style: any ProgressViewStyle = page.environment.look.progressStyle ?? DefaultProgressViewStyle()
        try page.lower(style: style, configuration)
    }
}

extension ProgressView where CurrentValueLabel == EmptyView {
    public init() where Label == EmptyView { self.init(Double?.none, 1, nil, nil) }

    public init(@ViewBuilder label: () -> Label) { self.init(Double?.none, 1, label(), nil) }

    public init(_ titleKey: LocalizedStringKey) where Label == Text {
        self.init(Double?.none, 1, Text(titleKey), nil)
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S) where Label == Text {
        self.init(Double?.none, 1, Text(title), nil)
    }

    public init<V: BinaryFloatingPoint>(value: V?, total: V = 1.0) where Label == EmptyView {
        self.init(value, total, nil, nil)
    }

    public init<V: BinaryFloatingPoint>(value: V?, total: V = 1.0, @ViewBuilder label: () -> Label) {
        self.init(value, total, label(), nil)
    }

    public init<V: BinaryFloatingPoint>(_ titleKey: LocalizedStringKey, value: V?, total: V = 1.0)
    where Label == Text { self.init(value, total, Text(titleKey), nil) }

    @_disfavoredOverload
    public init<S: StringProtocol, V: BinaryFloatingPoint>(_ title: S, value: V?, total: V = 1.0)
    where Label == Text { self.init(value, total, Text(title), nil) }
}

extension ProgressView {
    public init<V: BinaryFloatingPoint>(
        value: V?,
        total: V = 1.0,
        @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> CurrentValueLabel
    ) { self.init(value, total, label(), currentValueLabel()) }
}

@MainActor @preconcurrency
public protocol ProgressViewStyle {
    associatedtype Body: View

    typealias Configuration = ProgressViewStyleConfiguration

    @ViewBuilder func makeBody(configuration: Self.Configuration) -> Self.Body
}

public struct ProgressViewStyleConfiguration {
    public struct What {}
    public struct HowFar {}

    public typealias Label = _StylePart<What>
    public typealias CurrentValueLabel = _StylePart<HowFar>

    /// The completed fraction, from 0 to 1. `nil` if the progress is unknown.
    public let fractionCompleted: Double?
    public var label: Label?
    public var currentValueLabel: CurrentValueLabel?
}

public struct DefaultProgressViewStyle: ProgressViewStyle {
    nonisolated public init() {}

    public func makeBody(configuration: Configuration) -> some View {
        if configuration.label != nil || configuration.currentValueLabel != nil {
            VStack(alignment: .leading, spacing: 4) {
                configuration.label
                ProgressBar(value: configuration.fractionCompleted, label: nil)
                configuration.currentValueLabel.font(.caption).foregroundColor(.secondary)
            }
        } else {
            ProgressBar(value: configuration.fractionCompleted, label: nil)
        }
    }
}

public struct LinearProgressViewStyle: ProgressViewStyle {
    nonisolated public init() {}

    nonisolated public init(tint: Color) {}

    public func makeBody(configuration: Configuration) -> some View {
        DefaultProgressViewStyle().makeBody(configuration: configuration)
    }
}

/// A progress style that is drawn as a bar, not as a circle.
public struct CircularProgressViewStyle: ProgressViewStyle {
    nonisolated public init() {}

    nonisolated public init(tint: Color) {}

    public func makeBody(configuration: Configuration) -> some View {
        DefaultProgressViewStyle().makeBody(configuration: configuration)
    }
}

extension ProgressViewStyle where Self == DefaultProgressViewStyle {
    nonisolated public static var automatic: Self { Self() }
}

extension ProgressViewStyle where Self == LinearProgressViewStyle {
    nonisolated public static var linear: Self { Self() }
}

extension ProgressViewStyle where Self == CircularProgressViewStyle {
    nonisolated public static var circular: Self { Self() }
}

struct ProgressBar: View, PrimitiveView {
    typealias Body = Never

    let value: Double?
    let label: String?

    package func write(_ page: PageWriter) throws {
        let look = page.environment.look
        try page.add(
            PageNode(
                kind: .progress,
                value: value,
                color: look.tint?.paint(in: page.environment).single,
                label: label
            )
        )
    }
}
