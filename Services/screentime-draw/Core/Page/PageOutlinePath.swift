import Glibc
import STCCairo
import STContracts

/// The outline of a shape in a box.
struct PageOutlinePath {
    var kind: PageShapeKind
    var radius: Double

    /// Returns the same outline with a smaller radius, for borders.
    func shrunk(_ by: Double) -> PageOutlinePath { PageOutlinePath(kind: kind, radius: max(0, radius - by)) }

    /// Replaces the path of the cairo context by the outline.
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
            ellipse(Box(x: box.midX - side / 2, y: box.midY - side / 2, width: side, height: side), pen)
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

    /// Adds an ellipse. Its path begins at the right, as in SwiftUI.
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

/// Shortens the path of a cairo context to a part of it.
enum PathTrim {
    private struct Piece {
        var from: (x: Double, y: Double)
        var to: (x: Double, y: Double)
        var begins: Bool

        var length: Double { hypot(to.x - from.x, to.y - from.y) }
    }

    /// Keeps the path between two fractions of its length, each from 0 to 1. The path becomes empty unless `from` is
    /// less than `to`.
    static func trim(_ pen: OpaquePointer, from: Double, to: Double) {
        let pieces = flat(pen)
        cairo_new_path(pen)
        let whole = pieces.reduce(0) { $0 + $1.length }
        guard from < to, whole > 0, whole.isFinite else { return }
        var passed = 0.0
        var isOpen = false
        for piece in pieces {
            let (start, end) = (passed, passed + piece.length)
            passed = end
            let (first, last) = (max(start, from * whole), min(end, to * whole))
            guard first < last, piece.length > 0 else { continue }
            let at = { (place: Double) in
                let part = (place - start) / piece.length
                return (
                    x: piece.from.x + (piece.to.x - piece.from.x) * part,
                    y: piece.from.y + (piece.to.y - piece.from.y) * part
                )
            }
            if !isOpen || piece.begins { cairo_move_to(pen, at(first).x, at(first).y) }
            cairo_line_to(pen, at(last).x, at(last).y)
            isOpen = true
        }
    }

    private static func flat(_ pen: OpaquePointer) -> [Piece] {
        guard let path = cairo_copy_path_flat(pen) else { return [] }
        defer { cairo_path_destroy(path) }
        guard path.pointee.status == CAIRO_STATUS_SUCCESS, let data = path.pointee.data else { return [] }
        var pieces: [Piece] = []
        var place = (x: 0.0, y: 0.0)
        var start = place
        var begins = true
        var index = 0
        let count = Int(path.pointee.num_data)
        while index < count {
            let length = Int(data[index].header.length)
            guard length > 0 else { break }
            let kind = data[index].header.type
            let point = length > 1 ? (x: data[index + 1].point.x, y: data[index + 1].point.y) : start
            if kind == CAIRO_PATH_MOVE_TO {
                start = point
                begins = true
            } else {
                pieces.append(Piece(from: place, to: point, begins: begins))
                begins = false
            }
            place = point
            index += length
        }
        return pieces
    }
}
