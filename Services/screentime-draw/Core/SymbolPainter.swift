import Glibc
import STCCairo
import STRendering

/// Draws a symbol into a box, in one colour.
enum SymbolPainter {
    private static let field = 24.0
    private static let lineWidth = 1.7
    /// The size of a symbol within its circle, as a fraction.
    private static let insideCircle = 0.56

    static func paint(_ name: SymbolName, in box: Box, _ ink: DrawColor, on canvas: Canvas) {
        guard let symbol = SymbolTable.all[name.base] else { return }
        let pen = canvas.pen
        // The symbol is drawn in its own layer, so that its cut-outs do not affect the background.
        canvas.withSavedState {
            canvas.clip(box.expanded(box.width * 0.1))
            cairo_push_group(pen)
            cairo_translate(pen, box.midX, box.midY)
            let factor = min(box.width, box.height) / field
            cairo_scale(pen, factor, factor)
            cairo_translate(pen, -field / 2, -field / 2)
            cairo_set_line_cap(pen, CAIRO_LINE_CAP_ROUND)
            cairo_set_line_join(pen, CAIRO_LINE_JOIN_ROUND)
            cairo_set_line_width(pen, lineWidth)
            canvas.setColor(ink.with(alpha: 1))
            if name.isCircled {
                circled(symbol, name: name, canvas: canvas)
            } else {
                plain(symbol, isFilled: name.isFilled, canvas: canvas)
            }
            if name.isSlashed { slash(canvas) }
            cairo_pop_group_to_source(pen)
            cairo_paint_with_alpha(pen, ink.alpha)
        }
    }

    private static func circled(_ symbol: Symbol, name: SymbolName, canvas: Canvas) {
        let pen = canvas.pen
        cairo_new_path(pen)
        PathPen(canvas: canvas).trace("O 12 12 10")
        if name.isFilled { cairo_fill_preserve(pen) }
        cairo_stroke(pen)
        canvas.withSavedState {
            cairo_translate(pen, field / 2, field / 2)
            cairo_scale(pen, insideCircle, insideCircle)
            cairo_translate(pen, -field / 2, -field / 2)
            cairo_set_line_width(pen, lineWidth * 1.35)
            if name.isFilled { cairo_set_operator(pen, CAIRO_OPERATOR_DEST_OUT) }
            plain(symbol, isFilled: false, canvas: canvas)
        }
    }

    private static func plain(_ symbol: Symbol, isFilled: Bool, canvas: Canvas) {
        let pen = canvas.pen
        let path = PathPen(canvas: canvas)
        for outline in symbol.outline {
            cairo_new_path(pen)
            path.trace(outline)
            if isFilled { cairo_fill_preserve(pen) }
            cairo_stroke(pen)
        }
        canvas.withSavedState {
            // Lines would be invisible in the filled shape, so they are cut out of it.
            if isFilled, !symbol.outline.isEmpty, !symbol.isBeside {
                cairo_set_operator(pen, CAIRO_OPERATOR_DEST_OUT)
            }
            for detail in symbol.detail {
                cairo_new_path(pen)
                path.trace(detail)
                cairo_stroke(pen)
            }
        }
        for solid in symbol.solid {
            cairo_new_path(pen)
            path.trace(solid)
            cairo_fill(pen)
        }
    }

    private static func slash(_ canvas: Canvas) {
        let pen = canvas.pen
        canvas.withSavedState {
            cairo_new_path(pen)
            PathPen(canvas: canvas).trace("M 3.6 3.6 L 20.4 20.4")
            cairo_set_operator(pen, CAIRO_OPERATOR_DEST_OUT)
            cairo_set_line_width(pen, lineWidth * 3)
            cairo_stroke_preserve(pen)
            cairo_set_operator(pen, CAIRO_OPERATOR_OVER)
            cairo_set_line_width(pen, lineWidth)
            cairo_stroke(pen)
        }
    }
}

/// Draws paths with these commands: `M x y`, `L x y`, `C` with three points, `Z`, `O x y r` for a circle, `R x y w h r` for a
/// rounded rectangle.
struct PathPen {
    let canvas: Canvas

    /// Appends the path, up to the first word that is not a valid command.
    func trace(_ path: String) {
        var words = path.split(separator: " ")[...]
        while let word = words.popFirst() {
            let count = Self.counts[word] ?? 0
            let numbers = words.prefix(count).compactMap { Double($0) }
            guard numbers.count == count, Self.counts[word] != nil else { return }
            words = words.dropFirst(count)
            apply(word, numbers)
        }
    }

    private static let counts: [Substring: Int] = ["M": 2, "L": 2, "C": 6, "Z": 0, "O": 3, "R": 5]

    private func apply(_ word: Substring, _ numbers: [Double]) {
        let pen = canvas.pen
        switch word {
        case "M": cairo_move_to(pen, numbers[0], numbers[1])
        case "L": cairo_line_to(pen, numbers[0], numbers[1])
        case "C":
            cairo_curve_to(pen, numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5])
        case "O":
            cairo_new_sub_path(pen)
            cairo_arc(pen, numbers[0], numbers[1], numbers[2], 0, 2 * .pi)
            cairo_close_path(pen)
        case "R":
            let (x, y, width, height, radius) = (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])
            cairo_new_sub_path(pen)
            cairo_arc(pen, x + width - radius, y + radius, radius, -.pi / 2, 0)
            cairo_arc(pen, x + width - radius, y + height - radius, radius, 0, .pi / 2)
            cairo_arc(pen, x + radius, y + height - radius, radius, .pi / 2, .pi)
            cairo_arc(pen, x + radius, y + radius, radius, .pi, 1.5 * .pi)
            cairo_close_path(pen)
        default: cairo_close_path(pen)
        }
    }
}
