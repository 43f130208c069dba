/// How menus look; on a page they are closed.
public protocol MenuStyle: Sendable {}

/// As it suits.
public struct DefaultMenuStyle: MenuStyle {
    /// One.
    public init() {}
}

extension MenuStyle where Self == DefaultMenuStyle {
    /// As it suits.
    public static var automatic: DefaultMenuStyle { DefaultMenuStyle() }
}
