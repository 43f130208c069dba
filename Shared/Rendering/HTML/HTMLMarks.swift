import STContracts

/// The marks of a chart as SVG: each has a name, and can be gone to and chosen where that means something.
struct HTMLMarks {
    let chart: PageChart
    let layout: ChartLayout
    let canGo: Bool
    let chosen: Int?
    let id: String
    /// Whether patterns tell the series apart too, where somebody needs more than colours.
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
            if shape.mark == nil || !canGo {
                out += "/>"
            } else {
                // Heard, and seen beside the pointer.
                out += "><title>\(HTMLEscape.text(shape.says))</title></path>"
            }
            if isForced, let entry = shape.entry, shape.lineWidth == nil {
                out += "<path class=\"x\" d=\"\(path)\" fill=\"url(#pt\(entry % HTMLPatterns.count))\" "
                out += "pointer-events=\"none\"/>"
            }
        }
        return defs.isEmpty ? out : "<defs>\(defs)</defs>" + out
    }

    private func attributes(of shape: ChartShape, _ reachable: Set<Int>) -> String {
        guard let mark = shape.mark, canGo else { return "" }
        guard reachable.contains(mark + 1) else { return " tabindex=\"0\" role=\"img\"" }
        let isChosen = chosen == mark + 1
        return " tabindex=\"0\" role=\"button\" aria-pressed=\"\(isChosen)\" data-i=\"\(mark + 1)\""
    }
}
