public import Foundation

/// Names a way to stand of an app's own.
public protocol AlignmentID {
    /// Where it is in a view of that size.
    static func defaultValue(in context: ViewDimensions) -> CGFloat
}

/// How large a view is.
public struct ViewDimensions: Equatable, Sendable {
    /// From side to side.
    public let width: CGFloat
    /// From top to bottom.
    public let height: CGFloat

    /// Where something stands in it.
    public subscript(guide: HorizontalAlignment) -> CGFloat {
        guide == .leading ? 0 : guide == .trailing ? width : width / 2
    }

    /// Where something stands in it.
    public subscript(guide: VerticalAlignment) -> CGFloat {
        guide == .top ? 0 : guide == .center ? height / 2 : height
    }
}
