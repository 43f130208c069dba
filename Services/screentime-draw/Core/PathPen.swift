import Glibc
import STCCairo

/// Reads paths: `M x y`, `L x y`, `C` with three points, `Z`, `O x y r` a circle, `R x y w h r` a rounded rectangle.
struct PathPen {
    let canvas: Canvas

    /// Appends the path; what is no path ends it.
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
