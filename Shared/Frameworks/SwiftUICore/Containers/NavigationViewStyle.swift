/// How pages stand beside each other; here there is one.
public protocol NavigationViewStyle: Sendable {}

/// As it suits.
public struct DefaultNavigationViewStyle: NavigationViewStyle {
    /// One.
    public init() {}
}

extension NavigationViewStyle where Self == DefaultNavigationViewStyle {
    /// As it suits.
    public static var automatic: DefaultNavigationViewStyle { DefaultNavigationViewStyle() }
}

/// One at a time.
public struct StackNavigationViewStyle: NavigationViewStyle {
    /// One.
    public init() {}
}

extension NavigationViewStyle where Self == StackNavigationViewStyle {
    /// One at a time.
    public static var stack: StackNavigationViewStyle { StackNavigationViewStyle() }
}
