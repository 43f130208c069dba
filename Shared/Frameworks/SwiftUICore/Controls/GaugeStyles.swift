/// As a bar that is filled.
public struct LinearCapacityGaugeStyle: GaugeStyle {
    /// One.
    nonisolated public init() {}

    /// A bar with words.
    public func makeBody(configuration: Configuration) -> some View {
        DefaultGaugeStyle().makeBody(configuration: configuration)
    }
}

extension GaugeStyle where Self == LinearCapacityGaugeStyle {
    /// As a bar that is filled.
    nonisolated public static var linearCapacity: LinearCapacityGaugeStyle { LinearCapacityGaugeStyle() }
}

/// As a small bar.
public struct AccessoryLinearGaugeStyle: GaugeStyle {
    /// One.
    nonisolated public init() {}

    /// A bar with words.
    public func makeBody(configuration: Configuration) -> some View {
        DefaultGaugeStyle().makeBody(configuration: configuration)
    }
}

extension GaugeStyle where Self == AccessoryLinearGaugeStyle {
    /// As a small bar.
    nonisolated public static var accessoryLinear: AccessoryLinearGaugeStyle { AccessoryLinearGaugeStyle() }
}

/// As a small bar that is filled.
public struct AccessoryLinearCapacityGaugeStyle: GaugeStyle {
    /// One.
    nonisolated public init() {}

    /// A bar with words.
    public func makeBody(configuration: Configuration) -> some View {
        DefaultGaugeStyle().makeBody(configuration: configuration)
    }
}

extension GaugeStyle where Self == AccessoryLinearCapacityGaugeStyle {
    /// As a small bar that is filled.
    nonisolated public static var accessoryLinearCapacity: AccessoryLinearCapacityGaugeStyle {
        AccessoryLinearCapacityGaugeStyle()
    }
}

/// As a small ring; on a page it is a bar, too.
public struct AccessoryCircularGaugeStyle: GaugeStyle {
    /// One.
    nonisolated public init() {}

    /// A bar with words.
    public func makeBody(configuration: Configuration) -> some View {
        DefaultGaugeStyle().makeBody(configuration: configuration)
    }
}

extension GaugeStyle where Self == AccessoryCircularGaugeStyle {
    /// As a small ring; on a page it is a bar, too.
    nonisolated public static var accessoryCircular: AccessoryCircularGaugeStyle {
        AccessoryCircularGaugeStyle()
    }
}

/// As a small ring that is filled; on a page it is a bar, too.
public struct AccessoryCircularCapacityGaugeStyle: GaugeStyle {
    /// One.
    nonisolated public init() {}

    /// A bar with words.
    public func makeBody(configuration: Configuration) -> some View {
        DefaultGaugeStyle().makeBody(configuration: configuration)
    }
}

extension GaugeStyle where Self == AccessoryCircularCapacityGaugeStyle {
    /// As a small ring that is filled; on a page it is a bar, too.
    nonisolated public static var accessoryCircularCapacity: AccessoryCircularCapacityGaugeStyle {
        AccessoryCircularCapacityGaugeStyle()
    }
}

extension GaugeStyle where Self == DefaultGaugeStyle {
    /// As it suits.
    nonisolated public static var automatic: DefaultGaugeStyle { DefaultGaugeStyle() }
}
