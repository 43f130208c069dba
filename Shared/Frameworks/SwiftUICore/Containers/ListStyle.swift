/// How lists look, which is left to who draws.
public protocol ListStyle: Sendable {}

/// As it suits.
public struct DefaultListStyle: ListStyle {
    /// One.
    public init() {}
}

extension ListStyle where Self == DefaultListStyle {
    /// As it suits.
    public static var automatic: DefaultListStyle { DefaultListStyle() }
}

/// Rows and nothing else.
public struct PlainListStyle: ListStyle {
    /// One.
    public init() {}
}

extension ListStyle where Self == PlainListStyle {
    /// Rows and nothing else.
    public static var plain: PlainListStyle { PlainListStyle() }
}

/// In groups.
public struct GroupedListStyle: ListStyle {
    /// One.
    public init() {}
}

extension ListStyle where Self == GroupedListStyle {
    /// In groups.
    public static var grouped: GroupedListStyle { GroupedListStyle() }
}

/// With room at the sides.
public struct InsetListStyle: ListStyle {
    /// One.
    public init() {}
}

extension ListStyle where Self == InsetListStyle {
    /// With room at the sides.
    public static var inset: InsetListStyle { InsetListStyle() }
}

/// In groups with room at the sides.
public struct InsetGroupedListStyle: ListStyle {
    /// One.
    public init() {}
}

extension ListStyle where Self == InsetGroupedListStyle {
    /// In groups with room at the sides.
    public static var insetGrouped: InsetGroupedListStyle { InsetGroupedListStyle() }
}

/// At the side.
public struct SidebarListStyle: ListStyle {
    /// One.
    public init() {}
}

extension ListStyle where Self == SidebarListStyle {
    /// At the side.
    public static var sidebar: SidebarListStyle { SidebarListStyle() }
}
