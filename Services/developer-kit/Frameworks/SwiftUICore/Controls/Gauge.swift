public struct Gauge<Label: View, CurrentValueLabel: View, BoundsLabel: View, MarkedValueLabels: View>: View,
    PrimitiveView
{
    public typealias Body = Never

    private let value: Double
    private let label: Label
    private let current: CurrentValueLabel?
    private let least: BoundsLabel?
    private let most: BoundsLabel?

    private init<V: BinaryFloatingPoint>(
        _ value: V,
        _ bounds: ClosedRange<V>,
        _ label: Label,
        _ current: CurrentValueLabel?,
        _ least: BoundsLabel?,
        _ most: BoundsLabel?
    ) {
        let length = Double(bounds.upperBound - bounds.lowerBound)
        let part = length > 0 ? Double(value - bounds.lowerBound) / length : 0
        self.value = part.isNaN ? 0 : min(1, max(0, part))
        self.label = label
        self.current = current
        self.least = least
        self.most = most
    }

    package func write(_ page: PageWriter) throws {
        let configuration = GaugeStyleConfiguration(
            value: value,
            label: _StylePart("label", label),
            currentValueLabel: current.map { _StylePart("current", $0) },
            minimumValueLabel: least.map { _StylePart("least", $0) },
            maximumValueLabel: most.map { _StylePart("most", $0) }
        )
        let style: any GaugeStyle = page.environment.look.gaugeStyle ?? DefaultGaugeStyle()
        try page.lower(style: style, configuration)
    }
}

extension Gauge where MarkedValueLabels == EmptyView, BoundsLabel == EmptyView {
    public init<V: BinaryFloatingPoint>(
        value: V,
        in bounds: ClosedRange<V> = 0...1,
        @ViewBuilder label: () -> Label
    ) where CurrentValueLabel == EmptyView { self.init(value, bounds, label(), nil, nil, nil) }

    public init<V: BinaryFloatingPoint>(
        value: V,
        in bounds: ClosedRange<V> = 0...1,
        @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> CurrentValueLabel
    ) { self.init(value, bounds, label(), currentValueLabel(), nil, nil) }
}

extension Gauge where MarkedValueLabels == EmptyView {
    public init<V: BinaryFloatingPoint>(
        value: V,
        in bounds: ClosedRange<V> = 0...1,
        @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> CurrentValueLabel,
        @ViewBuilder minimumValueLabel: () -> BoundsLabel,
        @ViewBuilder maximumValueLabel: () -> BoundsLabel
    ) {
        self.init(value, bounds, label(), currentValueLabel(), minimumValueLabel(), maximumValueLabel())
    }
}

@MainActor @preconcurrency
public protocol GaugeStyle {
    associatedtype Body: View

    typealias Configuration = GaugeStyleConfiguration

    @ViewBuilder func makeBody(configuration: Self.Configuration) -> Self.Body
}

public struct GaugeStyleConfiguration {
    public typealias Label = _StylePart<GaugeStyleConfiguration>

    public var value: Double
    public var label: Label
    public var currentValueLabel: Label?
    public var minimumValueLabel: Label?
    public var maximumValueLabel: Label?
}

public struct DefaultGaugeStyle: GaugeStyle {
    nonisolated public init() {}

    public func makeBody(configuration: Configuration) -> some View {
        VStack(spacing: 4) {
            configuration.label
            HStack {
                configuration.minimumValueLabel
                ProgressBar(value: configuration.value, label: nil)
                configuration.maximumValueLabel
            }
            configuration.currentValueLabel
        }
    }
}

public struct LinearCapacityGaugeStyle: GaugeStyle {
    nonisolated public init() {}

    public func makeBody(configuration: Configuration) -> some View {
        DefaultGaugeStyle().makeBody(configuration: configuration)
    }
}

extension GaugeStyle where Self == LinearCapacityGaugeStyle {
    nonisolated public static var linearCapacity: Self { Self() }
}

public struct AccessoryLinearGaugeStyle: GaugeStyle {
    nonisolated public init() {}

    public func makeBody(configuration: Configuration) -> some View {
        DefaultGaugeStyle().makeBody(configuration: configuration)
    }
}

extension GaugeStyle where Self == AccessoryLinearGaugeStyle {
    nonisolated public static var accessoryLinear: Self { Self() }
}

public struct AccessoryLinearCapacityGaugeStyle: GaugeStyle {
    nonisolated public init() {}

    public func makeBody(configuration: Configuration) -> some View {
        DefaultGaugeStyle().makeBody(configuration: configuration)
    }
}

extension GaugeStyle where Self == AccessoryLinearCapacityGaugeStyle {
    nonisolated public static var accessoryLinearCapacity: Self { Self() }
}

/// A gauge style that is drawn as a bar, not as a ring.
public struct AccessoryCircularGaugeStyle: GaugeStyle {
    nonisolated public init() {}

    public func makeBody(configuration: Configuration) -> some View {
        DefaultGaugeStyle().makeBody(configuration: configuration)
    }
}

extension GaugeStyle where Self == AccessoryCircularGaugeStyle {
    /// A gauge style that is drawn as a bar, not as a ring.
    nonisolated public static var accessoryCircular: AccessoryCircularGaugeStyle {
        AccessoryCircularGaugeStyle()
    }
}

/// A gauge style that is drawn as a bar, not as a ring.
public struct AccessoryCircularCapacityGaugeStyle: GaugeStyle {
    nonisolated public init() {}

    public func makeBody(configuration: Configuration) -> some View {
        DefaultGaugeStyle().makeBody(configuration: configuration)
    }
}

extension GaugeStyle where Self == AccessoryCircularCapacityGaugeStyle {
    /// A gauge style that is drawn as a bar, not as a ring.
    nonisolated public static var accessoryCircularCapacity: AccessoryCircularCapacityGaugeStyle {
        AccessoryCircularCapacityGaugeStyle()
    }
}

extension GaugeStyle where Self == DefaultGaugeStyle {
    nonisolated public static var automatic: Self { Self() }
}
