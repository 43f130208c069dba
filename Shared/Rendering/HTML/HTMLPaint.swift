import STContracts

/// Paints as style sheets and SVG have them.
enum HTMLPaint {
    /// For `background`.
    static func css(_ paint: PagePaint, _ colors: inout HTMLColors) -> String? {
        if paint.kind == .color || paint.kind == .unknown { return paint.color.map { colors.use($0) } }
        let stops = stops(paint)
        guard stops.count > 1 else { return stops.first.map { colors.use($0.color) } }
        let from = paint.from ?? [0.5, 0]
        let to = paint.to ?? [0.5, 1]
        let list = stops.map { colors.use($0.color) + " " + HTMLNumber.text($0.at * 100) + "%" }
        let text = list.joined(separator: ",")
        switch paint.kind {
        case .radial:
            let at = paint.from ?? [0.5, 0.5]
            return "radial-gradient(circle at \(place(at)),\(text))"
        case .angular:
            return "conic-gradient(from 90deg at \(place(paint.from ?? [0.5, 0.5])),\(text))"
        case .linear, .color, .unknown:
            return "linear-gradient(\(direction(from, to)),\(text))"
        }
    }

    /// For `fill` and `stroke`; a gradient becomes a definition.
    static func svg(_ paint: PagePaint, id: String, _ colors: inout HTMLColors) -> (
        value: String, defs: String
    ) {
        if let color = paint.color, paint.kind == .color || (paint.stops ?? []).isEmpty {
            return (colors.use(color), "")
        }
        let stops = stops(paint)
        guard stops.count > 1 else { return (stops.first.map { colors.use($0.color) } ?? "none", "") }
        let list = stops.map {
            "<stop offset=\"\(HTMLNumber.text($0.at))\" style=\"stop-color:\(colors.use($0.color))\"/>"
        }.joined()
        let from = paint.from ?? [0.5, 0]
        let to = paint.to ?? [0.5, 1]
        func at(_ name: String, _ value: Double) -> String { " \(name)=\"\(HTMLNumber.text(value))\"" }
        if paint.kind == .radial {
            return ("url(#\(id))", "<radialGradient id=\"\(id)\">\(list)</radialGradient>")
        }
        let ends = at("x1", from[0]) + at("y1", from[1]) + at("x2", to[0]) + at("y2", to[1])
        return ("url(#\(id))", "<linearGradient id=\"\(id)\"\(ends)>\(list)</linearGradient>")
    }

    /// One colour for what takes no gradient.
    static func flat(_ paint: PagePaint) -> PageColor? { paint.color ?? paint.stops?.first?.color }

    private static func stops(_ paint: PagePaint) -> [PageStop] {
        (paint.stops ?? []).sorted { $0.at < $1.at }
    }

    private static func place(_ point: [Double]) -> String {
        point.map { HTMLNumber.text($0 * 100) + "%" }.joined(separator: " ")
    }

    /// Into corners by name, because those meet them whatever the proportions are.
    private static func direction(_ from: [Double], _ to: [Double]) -> String {
        let (x, y) = (to[0] - from[0], to[1] - from[1])
        let side = abs(x) < 0.01 ? "" : x > 0 ? " right" : " left"
        let end = abs(y) < 0.01 ? "" : y > 0 ? " bottom" : " top"
        return side + end == "" ? "to bottom" : "to" + end + side
    }
}
