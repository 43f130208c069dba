import STContracts

/// An outline as SVG: circles, paths, and what is only drawn in part.
struct HTMLOutline {
    let shape: PageShape
    let id: String

    func svg(_ colors: inout HTMLColors) -> String {
        var defs = ""
        var look = ["fill:none"]
        if let paint = shape.fill {
            let (value, more) = HTMLPaint.svg(paint, id: id + "a", &colors)
            look = ["fill:\(value)"]
            defs += more
        }
        if let paint = shape.stroke {
            let (value, more) = HTMLPaint.svg(paint, id: id + "b", &colors)
            look.append(
                "stroke:\(value);stroke-width:\(HTMLNumber.px(shape.lineWidth ?? 1));stroke-linecap:round"
            )
            defs += more
        }
        let style = look.joined(separator: ";")
        let keeps = shape.kind == .circle ? "xMidYMid meet" : "none"
        if shape.kind == .path {
            return "<svg aria-hidden=\"true\">\(wrapped(defs))"
                + "<path d=\"\(HTMLEscape.text(shape.path ?? ""))\" style=\"\(style)\"/></svg>"
        }
        return "<svg aria-hidden=\"true\" viewBox=\"0 0 100 100\" preserveAspectRatio=\"\(keeps)\">"
            + wrapped(defs)
            + "<path vector-effect=\"non-scaling-stroke\" d=\"\(path)\" style=\"\(style)\"/></svg>"
    }

    private func wrapped(_ defs: String) -> String { defs.isEmpty ? "" : "<defs>\(defs)</defs>" }

    /// In a field of a hundred; a part of a circle begins on the right, as SwiftUI has it.
    private var path: String {
        let from = min(max(shape.trimFrom ?? 0, 0), 1)
        let to = min(max(shape.trimTo ?? 1, from), 1)
        if shape.kind == .circle || shape.kind == .ellipse {
            guard to > from else { return "" }
            return HTMLPath.text(
                ChartPen().turn(
                    ChartPoint(50, 50),
                    50,
                    .pi / 2 + from * 2 * .pi,
                    .pi / 2 + to * 2 * .pi
                )
            )
        }
        return HTMLPath.text(
            ChartPen().part(of: ChartRect(x: 0, y: 0, width: 100, height: 100), from: from, to: to)
        )
    }
}
