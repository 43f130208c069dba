import STCCairo
import STContracts

/// The outline of a shape that fills a box.
struct PageOutlinePath {
    var kind: PageShapeKind
    var radius: Double

    /// As it is so much further inside.
    func shrunk(_ by: Double) -> PageOutlinePath { PageOutlinePath(kind: kind, radius: max(0, radius - by)) }

    /// The pen has no other path afterwards.
    func trace(_ box: Box, path: String? = nil, on canvas: Canvas) {
        let pen = canvas.pen
        cairo_new_path(pen)
        switch kind {
        case .rectangle, .unknown: cairo_rectangle(pen, box.x, box.y, box.width, box.height)
        case .rounded:
            if radius <= 0 {
                cairo_rectangle(pen, box.x, box.y, box.width, box.height)
            } else if radius >= min(box.width, box.height) / 2 {
                pill(box, pen)
            } else {
                canvas.outline(box, radius: radius)
            }
        case .capsule: pill(box, pen)
        case .circle:
            let side = min(box.width, box.height)
            ellipse(Box(box.midX - side / 2, box.midY - side / 2, side, side), pen)
        case .ellipse: ellipse(box, pen)
        case .path:
            cairo_save(pen)
            cairo_translate(pen, box.x, box.y)
            PathReader.trace(path ?? "", with: pen)
            cairo_restore(pen)
        }
    }

    private func pill(_ box: Box, _ pen: OpaquePointer) {
        let radius = min(box.width, box.height) / 2
        guard radius > 0 else { return }
        cairo_arc(pen, box.maxX - radius, box.y + radius, radius, -.pi / 2, 0)
        cairo_arc(pen, box.maxX - radius, box.maxY - radius, radius, 0, .pi / 2)
        cairo_arc(pen, box.x + radius, box.maxY - radius, radius, .pi / 2, .pi)
        cairo_arc(pen, box.x + radius, box.y + radius, radius, .pi, 1.5 * .pi)
        cairo_close_path(pen)
    }

    /// Begins at the right, as SwiftUI's circles do.
    private func ellipse(_ box: Box, _ pen: OpaquePointer) {
        guard box.width > 0, box.height > 0 else { return }
        cairo_save(pen)
        cairo_translate(pen, box.midX, box.midY)
        cairo_scale(pen, box.width / 2, box.height / 2)
        cairo_arc(pen, 0, 0, 1, 0, 2 * .pi)
        cairo_close_path(pen)
        cairo_restore(pen)
    }
}
