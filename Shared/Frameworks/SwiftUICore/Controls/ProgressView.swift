import STContracts

/// How far something is.
public struct ProgressView<Label: View, CurrentValueLabel: View>: View, PrimitiveView {
    /// It is a bar with words.
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
    /// Nobody knows how far.
    public init() where Label == EmptyView { self.init(Double?.none, 1, nil, nil) }

    /// Nobody knows how far.
    public init(@ViewBuilder label: () -> Label) { self.init(Double?.none, 1, label(), nil) }

    /// Nobody knows how far.
    public init(_ titleKey: LocalizedStringKey) where Label == Text {
        self.init(Double?.none, 1, Text(titleKey), nil)
    }

    /// Nobody knows how far.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S) where Label == Text {
        self.init(Double?.none, 1, Text(title), nil)
    }

    /// That far; nil is that nobody knows.
    public init<V: BinaryFloatingPoint>(value: V?, total: V = 1.0) where Label == EmptyView {
        self.init(value, total, nil, nil)
    }

    /// That far; nil is that nobody knows.
    public init<V: BinaryFloatingPoint>(value: V?, total: V = 1.0, @ViewBuilder label: () -> Label) {
        self.init(value, total, label(), nil)
    }

    /// That far; nil is that nobody knows.
    public init<V: BinaryFloatingPoint>(_ titleKey: LocalizedStringKey, value: V?, total: V = 1.0)
    where Label == Text { self.init(value, total, Text(titleKey), nil) }

    /// That far; nil is that nobody knows.
    @_disfavoredOverload
    public init<S: StringProtocol, V: BinaryFloatingPoint>(_ title: S, value: V?, total: V = 1.0)
    where Label == Text { self.init(value, total, Text(title), nil) }
}

extension ProgressView {
    /// That far, with words for it.
    public init<V: BinaryFloatingPoint>(
        value: V?,
        total: V = 1.0,
        @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> CurrentValueLabel
    ) { self.init(value, total, label(), currentValueLabel()) }
}

/// How it looks how far something is.
@MainActor @preconcurrency
public protocol ProgressViewStyle {
    /// What it is.
    associatedtype Body: View

    /// How far something is.
    typealias Configuration = ProgressViewStyleConfiguration

    /// What it is.
    @ViewBuilder func makeBody(configuration: Self.Configuration) -> Self.Body
}

/// How far something is.
public struct ProgressViewStyleConfiguration {
    /// What it is.
    public struct What {}
    /// How far, in words.
    public struct HowFar {}

    /// What it is.
    public typealias Label = _StylePart<What>
    /// How far, in words.
    public typealias CurrentValueLabel = _StylePart<HowFar>

    /// From 0 to 1; nil is that nobody knows.
    public let fractionCompleted: Double?
    /// What it is.
    public var label: Label?
    /// How far, in words.
    public var currentValueLabel: CurrentValueLabel?
}

/// A bar with words.
public struct DefaultProgressViewStyle: ProgressViewStyle {
    /// One.
    nonisolated public init() {}

    /// A bar with words.
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

/// A bar with words.
public struct LinearProgressViewStyle: ProgressViewStyle {
    /// One.
    nonisolated public init() {}

    /// One in that colour.
    nonisolated public init(tint: Color) {}

    /// A bar with words.
    public func makeBody(configuration: Configuration) -> some View {
        DefaultProgressViewStyle().makeBody(configuration: configuration)
    }
}

/// As a circle; on a page it is a bar, too.
public struct CircularProgressViewStyle: ProgressViewStyle {
    /// One.
    nonisolated public init() {}

    /// One in that colour.
    nonisolated public init(tint: Color) {}

    /// A bar with words.
    public func makeBody(configuration: Configuration) -> some View {
        DefaultProgressViewStyle().makeBody(configuration: configuration)
    }
}

extension ProgressViewStyle where Self == DefaultProgressViewStyle {
    /// As it suits.
    nonisolated public static var automatic: DefaultProgressViewStyle { DefaultProgressViewStyle() }
}

extension ProgressViewStyle where Self == LinearProgressViewStyle {
    /// As a bar.
    nonisolated public static var linear: LinearProgressViewStyle { LinearProgressViewStyle() }
}

extension ProgressViewStyle where Self == CircularProgressViewStyle {
    /// As a circle.
    nonisolated public static var circular: CircularProgressViewStyle { CircularProgressViewStyle() }
}
