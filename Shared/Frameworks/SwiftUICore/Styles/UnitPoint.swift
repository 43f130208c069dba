public import Foundation

/// A place in an area, in parts of its size.
public struct UnitPoint: Hashable, Sendable {
    /// From 0, at the left, to 1.
    public var x: CGFloat
    /// From 0, at the top, to 1.
    public var y: CGFloat

    /// At the top left.
    public init() { self.init(x: 0, y: 0) }

    /// There.
    public init(x: CGFloat, y: CGFloat) {
        self.x = x
        self.y = y
    }

    /// The top left.
    public static let zero = UnitPoint()
    /// The middle.
    public static let center = UnitPoint(x: 0.5, y: 0.5)
    /// Where lines begin.
    public static let leading = UnitPoint(x: 0, y: 0.5)
    /// Where lines end.
    public static let trailing = UnitPoint(x: 1, y: 0.5)
    /// The top.
    public static let top = UnitPoint(x: 0.5, y: 0)
    /// The bottom.
    public static let bottom = UnitPoint(x: 0.5, y: 1)
    /// The top, where lines begin.
    public static let topLeading = UnitPoint(x: 0, y: 0)
    /// The top, where lines end.
    public static let topTrailing = UnitPoint(x: 1, y: 0)
    /// The bottom, where lines begin.
    public static let bottomLeading = UnitPoint(x: 0, y: 1)
    /// The bottom, where lines end.
    public static let bottomTrailing = UnitPoint(x: 1, y: 1)

    package var parts: [Double] { [Double(x), Double(y)] }
}
