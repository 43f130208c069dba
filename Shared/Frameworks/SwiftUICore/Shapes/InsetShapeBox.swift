import Foundation

/// A shape that is smaller on all sides.
struct InsetShapeBox<Base: InsettableShape>: InsettableShape, KnownShape {
    let shape: Base
    let amount: CGFloat

    func path(in rect: CGRect) -> Path { shape.path(in: rect.insetBy(dx: amount, dy: amount)) }

    func inset(by more: CGFloat) -> InsetShapeBox { InsetShapeBox(shape: shape, amount: amount + more) }

    func outline(in room: CGSize) -> ShapeOutline { ShapeOutline.of(shape, in: room) }
}
