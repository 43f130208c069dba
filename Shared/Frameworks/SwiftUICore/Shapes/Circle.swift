public import Foundation
import STContracts

/// A circle, as large as there is room for.
public struct Circle: InsettableShape, KnownShape {
    /// One.
    public init() {}

    /// Its line in an area.
    public func path(in rect: CGRect) -> Path {
        let side = min(rect.width, rect.height)
        return Path(
            ellipseIn: CGRect(x: rect.midX - side / 2, y: rect.midY - side / 2, width: side, height: side)
        )
    }

    /// Smaller on all sides.
    public func inset(by amount: CGFloat) -> some InsettableShape {
        InsetShapeBox(shape: self, amount: amount)
    }

    package func outline(in room: CGSize) -> ShapeOutline { ShapeOutline(PageShape(kind: .circle)) }
}

extension Shape where Self == Circle {
    /// A circle, as large as there is room for.
    public static var circle: Circle { Circle() }
}
