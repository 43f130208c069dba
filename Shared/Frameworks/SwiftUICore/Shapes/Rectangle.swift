public import Foundation
import STContracts

/// A rectangle.
public struct Rectangle: InsettableShape, KnownShape {
    /// One.
    public init() {}

    /// Its line in an area.
    public func path(in rect: CGRect) -> Path { Path(rect) }

    /// Smaller on all sides.
    public func inset(by amount: CGFloat) -> some InsettableShape {
        InsetShapeBox(shape: self, amount: amount)
    }

    package func outline(in room: CGSize) -> ShapeOutline { ShapeOutline(PageShape(kind: .rectangle)) }
}

extension Shape where Self == Rectangle {
    /// A rectangle.
    public static var rect: Rectangle { Rectangle() }
}
