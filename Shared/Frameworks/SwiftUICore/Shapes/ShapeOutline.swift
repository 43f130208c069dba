package import Foundation
package import STContracts

/// An outline as a page has it, and what is done to it as a whole.
package struct ShapeOutline {
    package var shape: PageShape
    package var rotation = 0.0
    package var x = 0.0
    package var y = 0.0
    package var scale = 1.0
    package var size: CGSize?

    package init(_ shape: PageShape) { self.shape = shape }

    package static func of<S: Shape>(_ shape: S, in room: CGSize) -> ShapeOutline {
        if let known = shape as? any KnownShape { return known.outline(in: room) }
        let path = shape.path(in: CGRect(origin: .zero, size: room))
        var outline = ShapeOutline(PageShape(kind: .path, path: path.svg))
        outline.size = room
        return outline
    }
}

/// A shape that a page knows by its name.
package protocol KnownShape {
    func outline(in room: CGSize) -> ShapeOutline
}

/// A shape with something done to it.
struct ChangedShape<Base: Shape>: Shape, KnownShape {
    let shape: Base
    let change: @Sendable (inout ShapeOutline) -> Void

    func path(in rect: CGRect) -> Path { shape.path(in: rect) }

    func outline(in room: CGSize) -> ShapeOutline {
        var outline = ShapeOutline.of(shape, in: room)
        change(&outline)
        return outline
    }
}
