/// Where a value lies between two others.
public struct Gauge<Label: View, CurrentValueLabel: View, BoundsLabel: View, MarkedValueLabels: View>: View,
    PrimitiveView
{
    /// It is a bar with words.
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
    /// With words for what it is.
    public init<V: BinaryFloatingPoint>(
        value: V,
        in bounds: ClosedRange<V> = 0...1,
        @ViewBuilder label: () -> Label
    ) where CurrentValueLabel == EmptyView { self.init(value, bounds, label(), nil, nil, nil) }

    /// With words for what it is and for the value.
    public init<V: BinaryFloatingPoint>(
        value: V,
        in bounds: ClosedRange<V> = 0...1,
        @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> CurrentValueLabel
    ) { self.init(value, bounds, label(), currentValueLabel(), nil, nil) }
}

extension Gauge where MarkedValueLabels == EmptyView {
    /// With words for all of it.
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

/// How a gauge looks.
@MainActor @preconcurrency
public protocol GaugeStyle {
    /// What it is.
    associatedtype Body: View

    /// What the gauge has.
    typealias Configuration = GaugeStyleConfiguration

    /// What it is.
    @ViewBuilder func makeBody(configuration: Self.Configuration) -> Self.Body
}

/// What a gauge has.
public struct GaugeStyleConfiguration {
    /// Words of it.
    public typealias Label = _StylePart<GaugeStyleConfiguration>

    /// From 0 to 1.
    public var value: Double
    /// What it is.
    public var label: Label
    /// The value, in words.
    public var currentValueLabel: Label?
    /// The least, in words.
    public var minimumValueLabel: Label?
    /// The most, in words.
    public var maximumValueLabel: Label?
}

/// A bar with words.
public struct DefaultGaugeStyle: GaugeStyle {
    /// One.
    nonisolated public init() {}

    /// A bar with words.
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
