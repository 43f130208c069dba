/// How tabs are switched, which is left to who draws.
public protocol TabViewStyle: Sendable {}

/// As it suits.
public struct DefaultTabViewStyle: TabViewStyle {
    /// One.
    public init() {}
}

extension TabViewStyle where Self == DefaultTabViewStyle {
    /// As it suits.
    public static var automatic: DefaultTabViewStyle { DefaultTabViewStyle() }
}

/// From side to side.
public struct PageTabViewStyle: TabViewStyle {
    /// Whether dots say how many there are.
    public struct IndexDisplayMode: Sendable {
        /// When there are several.
        public static let automatic = IndexDisplayMode()
        /// Always.
        public static let always = IndexDisplayMode()
        /// Never.
        public static let never = IndexDisplayMode()
    }

    /// One.
    public init(indexDisplayMode: IndexDisplayMode = .automatic) {}
}

extension TabViewStyle where Self == PageTabViewStyle {
    /// From side to side.
    public static var page: PageTabViewStyle { PageTabViewStyle() }
}

extension TabViewStyle where Self == PageTabViewStyle {
    /// From side to side.
    public static func page(indexDisplayMode: PageTabViewStyle.IndexDisplayMode) -> PageTabViewStyle {
        PageTabViewStyle(indexDisplayMode: indexDisplayMode)
    }
}
