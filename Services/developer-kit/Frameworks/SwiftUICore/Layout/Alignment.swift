public import Foundation
package import STContracts

public struct Alignment: Equatable, Sendable {
    public var horizontal: HorizontalAlignment
    public var vertical: VerticalAlignment

    public init(horizontal: HorizontalAlignment, vertical: VerticalAlignment) {
        self.horizontal = horizontal
        self.vertical = vertical
    }

    public static let center = Alignment(horizontal: .center, vertical: .center)
    public static let leading = Alignment(horizontal: .leading, vertical: .center)
    public static let trailing = Alignment(horizontal: .trailing, vertical: .center)
    public static let top = Alignment(horizontal: .center, vertical: .top)
    public static let bottom = Alignment(horizontal: .center, vertical: .bottom)
    public static let topLeading = Alignment(horizontal: .leading, vertical: .top)
    public static let topTrailing = Alignment(horizontal: .trailing, vertical: .top)
    public static let bottomLeading = Alignment(horizontal: .leading, vertical: .bottom)
    public static let bottomTrailing = Alignment(horizontal: .trailing, vertical: .bottom)
    public static let centerFirstTextBaseline = Alignment(horizontal: .center, vertical: .firstTextBaseline)
    public static let leadingFirstTextBaseline = Alignment(horizontal: .leading, vertical: .firstTextBaseline)
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

public struct HorizontalAlignment: Hashable, Sendable {
    private let name: String

    private init(_ name: String) { self.name = name }

    public init(_ id: any AlignmentID.Type) { self.init("center") }

    public static let leading = HorizontalAlignment("leading")
    public static let center = HorizontalAlignment("center")
    public static let trailing = HorizontalAlignment("trailing")

    package var page: PageAlign {
        switch self {
        case .leading: .leading
        case .trailing: .trailing
        default: .center
        }
    }
}

public struct VerticalAlignment: Hashable, Sendable {
    private let name: String

    private init(_ name: String) { self.name = name }

    public init(_ id: any AlignmentID.Type) { self.init("center") }

    public static let top = VerticalAlignment("top")
    public static let center = VerticalAlignment("center")
    public static let bottom = VerticalAlignment("bottom")
    public static let firstTextBaseline = VerticalAlignment("first")
    public static let lastTextBaseline = VerticalAlignment("last")

    package var page: PageAlign {
        switch self {
        case .top: .top
        case .bottom: .bottom
        case .firstTextBaseline, .lastTextBaseline: .baseline
        default: .center
        }
    }
}

public protocol AlignmentID {
    static func defaultValue(in context: ViewDimensions) -> CGFloat
}

public struct ViewDimensions: Equatable, Sendable {
    public let width: CGFloat
    public let height: CGFloat

    public subscript(guide: HorizontalAlignment) -> CGFloat {
        guide == .leading ? 0 : guide == .trailing ? width : width / 2
    }

    public subscript(guide: VerticalAlignment) -> CGFloat {
        guide == .top ? 0 : guide == .center ? height / 2 : height
    }
}
