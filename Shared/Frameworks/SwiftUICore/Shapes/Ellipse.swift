public import Foundation
import STContracts

/// An oval.
public struct Ellipse: InsettableShape, KnownShape {
    /// One.
    public init() {}

    /// Its line in an area.
    public func path(in rect: CGRect) -> Path { Path(ellipseIn: rect) }

    /// Smaller on all sides.
    public func inset(by amount: CGFloat) -> some InsettableShape {
        InsetShapeBox(shape: self, amount: amount)
    }

    package func outline(in room: CGSize) -> ShapeOutline { ShapeOutline(PageShape(kind: .ellipse)) }
}

extension Shape where Self == Ellipse {
    /// An oval.
    public static var ellipse: Ellipse { Ellipse() }
}
