import Glibc
import STCCairo

/// Takes a part of the path that a pen has.
enum PathTrim {
    private struct Piece {
        var from: (x: Double, y: Double)
        var to: (x: Double, y: Double)
        var begins: Bool

        var length: Double { hypot(to.x - from.x, to.y - from.y) }
    }

    /// What lies between two parts of its length stays; nothing does when there is nothing between them.
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
