/// How choices look; on a page all look the same.
public protocol PickerStyle: Sendable {}

/// As it suits.
public struct DefaultPickerStyle: PickerStyle {
    /// One.
    public init() {}
}

extension PickerStyle where Self == DefaultPickerStyle {
    /// As it suits.
    public static var automatic: DefaultPickerStyle { DefaultPickerStyle() }
}

/// Beside each other.
public struct SegmentedPickerStyle: PickerStyle {
    /// One.
    public init() {}
}

extension PickerStyle where Self == SegmentedPickerStyle {
    /// Beside each other.
    public static var segmented: SegmentedPickerStyle { SegmentedPickerStyle() }
}

/// In a menu.
public struct MenuPickerStyle: PickerStyle {
    /// One.
    public init() {}
}

extension PickerStyle where Self == MenuPickerStyle {
    /// In a menu.
    public static var menu: MenuPickerStyle { MenuPickerStyle() }
}

/// Below each other.
public struct InlinePickerStyle: PickerStyle {
    /// One.
    public init() {}
}

extension PickerStyle where Self == InlinePickerStyle {
    /// Below each other.
    public static var inline: InlinePickerStyle { InlinePickerStyle() }
}

/// On a wheel.
public struct WheelPickerStyle: PickerStyle {
    /// One.
    public init() {}
}

extension PickerStyle where Self == WheelPickerStyle {
    /// On a wheel.
    public static var wheel: WheelPickerStyle { WheelPickerStyle() }
}

/// On a page of their own.
public struct NavigationLinkPickerStyle: PickerStyle {
    /// One.
    public init() {}
}

extension PickerStyle where Self == NavigationLinkPickerStyle {
    /// On a page of their own.
    public static var navigationLink: NavigationLinkPickerStyle { NavigationLinkPickerStyle() }
}
