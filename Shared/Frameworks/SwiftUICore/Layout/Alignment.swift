package import STContracts

/// Where something stands in an area.
public struct Alignment: Equatable, Sendable {
    /// From side to side.
    public var horizontal: HorizontalAlignment
    /// From top to bottom.
    public var vertical: VerticalAlignment

    /// There.
    public init(horizontal: HorizontalAlignment, vertical: VerticalAlignment) {
        self.horizontal = horizontal
        self.vertical = vertical
    }

    /// In the middle.
    public static let center = Alignment(horizontal: .center, vertical: .center)
    /// Where lines begin.
    public static let leading = Alignment(horizontal: .leading, vertical: .center)
    /// Where lines end.
    public static let trailing = Alignment(horizontal: .trailing, vertical: .center)
    /// At the top.
    public static let top = Alignment(horizontal: .center, vertical: .top)
    /// At the bottom.
    public static let bottom = Alignment(horizontal: .center, vertical: .bottom)
    /// At the top, where lines begin.
    public static let topLeading = Alignment(horizontal: .leading, vertical: .top)
    /// At the top, where lines end.
    public static let topTrailing = Alignment(horizontal: .trailing, vertical: .top)
    /// At the bottom, where lines begin.
    public static let bottomLeading = Alignment(horizontal: .leading, vertical: .bottom)
    /// At the bottom, where lines end.
    public static let bottomTrailing = Alignment(horizontal: .trailing, vertical: .bottom)
    /// In the middle, on the first line.
    public static let centerFirstTextBaseline = Alignment(horizontal: .center, vertical: .firstTextBaseline)
    /// Where lines begin, on the first line.
    public static let leadingFirstTextBaseline = Alignment(horizontal: .leading, vertical: .firstTextBaseline)
    /// Where lines end, on the first line.
    public static let trailingFirstTextBaseline = Alignment(
        horizontal: .trailing,
        vertical: .firstTextBaseline
    )

    package var page: PageAlign {
        switch (horizontal, vertical) {
        case (.leading, .top): .topLeading
        case (.trailing, .top): .topTrailing
        case (_, .top): .top
        case (.leading, .bottom): .bottomLeading
        case (.trailing, .bottom): .bottomTrailing
        case (_, .bottom): .bottom
        case (.leading, _): .leading
        case (.trailing, _): .trailing
        default: .center
        }
    }
}
