import STContracts

/// The marks of a chart as SVG. Each mark has a name. In interactive charts it can receive the focus, and can be chosen if the
/// page has a variant for it.
struct HTMLMarks {
    let chart: PageChart
    let layout: ChartLayout
    let hasLinks: Bool
    let chosen: Int?
    let id: String
    /// True if patterns also distinguish the series, for readers who need more than colours.
    let isForced: Bool

    func text(_ colors: inout HTMLColors, reachable: Set<Int>) -> String {
        var defs = ""
        var out = ""
        for (place, shape) in layout.shapes.enumerated() {
            let (value, more) = HTMLPaint.svg(shape.paint, id: "\(id)g\(place)", &colors)
            defs += more
            var style = "fill:\(value)"
            if let width = shape.lineWidth {
                style =
                    "fill:none;stroke:\(value);stroke-width:\(HTMLNumber.text(width))"
                    + ";stroke-linejoin:round;stroke-linecap:round"
            }
            if shape.opacity < 1 { style += ";opacity:\(HTMLNumber.text(shape.opacity))" }
            let path = HTMLPath.text(shape.path)
            let isDot = shape.mark.map { [.line, .area].contains(chart.marks[$0].kind) } ?? false
            out += "<path class=\"\(shape.mark == nil ? "ln" : isDot ? "m dot" : "m")\" d=\"\(path)\" "
            out += "style=\"\(style)\"\(attributes(of: shape, reachable))"
            if shape.mark == nil || !hasLinks {
                out += "/>"
            } else {
                // Screen readers announce the title, and the page shows it beside the pointer.
                out += "><title>\(HTMLEscape.text(shape.accessibilityText))</title></path>"
            }
            if isForced, let entry = shape.entry, shape.lineWidth == nil {
                out += "<path class=\"x\" d=\"\(path)\" fill=\"url(#pt\(entry % HTMLPatterns.count))\" "
                out += "pointer-events=\"none\"/>"
            }
        }
        return defs.isEmpty ? out : "<defs>\(defs)</defs>" + out
    }

    private func attributes(of shape: ChartShape, _ reachable: Set<Int>) -> String {
        guard let mark = shape.mark, hasLinks else { return "" }
        guard reachable.contains(mark + 1) else { return " tabindex=\"0\" role=\"img\"" }
        let isChosen = chosen == mark + 1
        return " tabindex=\"0\" role=\"button\" aria-pressed=\"\(isChosen)\" data-i=\"\(mark + 1)\""
    }
}

/// Patterns that distinguish series without colours. They are visible in print, in high contrast and with forced colours.
enum HTMLPatterns {
    static let count = 6

    static var definitions: String {
        let lines = [
            "", "M-1 1L1-1M0 6L6 0M5 7L7 5", "M0 3H6", "M-1 5L1 7M0 0L6 6M5-1L7 1", "M3 0V6", "M0 3H6M3 0V6",
        ]
        let patterns = lines.enumerated().map { place, path in
            "<pattern id=\"pt\(place)\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
                + "<path d=\"\(path)\" stroke=\"var(--bg)\" stroke-width=\"1.2\" fill=\"none\"/></pattern>"
        }
        return "<svg width=\"0\" height=\"0\" aria-hidden=\"true\" style=\"position:absolute\"><defs>"
            + patterns.joined() + "</defs></svg>"
    }
}
