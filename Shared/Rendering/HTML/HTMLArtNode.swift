package import STContracts

/// Writes shapes, pictures and symbols as HTML.
struct HTMLArtNode {
    private static let label = PageColor(light: "#1D1D1FFF", dark: "#F5F5F7FF")

    private let base: HTMLNode
    private let node: PageNode

    init(_ base: HTMLNode) {
        self.base = base
        node = base.node
    }

    func write(_ builder: inout HTMLBuilder) -> HTMLNode.Written {
        if let shape = node.shape { return outline(shape, &builder) }
        guard let image = node.image else { return base.leaf("") }
        switch image.kind {
        case .data: return picture(image, builder)
        case .system, .unknown: return symbol(image, &builder)
        }
    }

    private func outline(_ shape: PageShape, _ builder: inout HTMLBuilder) -> HTMLNode.Written {
        let isTrimmed = (shape.trimFrom ?? 0) > 0 || (shape.trimTo ?? 1) < 1
        let fill = base.fill(builder)
        if isTrimmed || shape.kind == .circle || shape.kind == .path {
            let drawing = HTMLOutline(shape: shape, id: "f\(builder.variant)-\(base.index)").svg(
                &builder.colors
            )
            return base.leaf("<div class=\"s\(fill)\">\(drawing)</div>")
        }
        var style: [String] = []
        switch shape.kind {
        case .rounded: style.append("border-radius:\(HTMLNumber.px(shape.radius ?? 0))")
        case .capsule: style.append("border-radius:9999px")
        case .ellipse: style.append("border-radius:50%")
        case .rectangle, .circle, .path, .unknown: break
        }
        if let paint = shape.fill, let value = HTMLPaint.css(paint, &builder.colors) {
            style.append("background:\(value)")
        }
        if let paint = shape.stroke, let color = HTMLPaint.flat(paint) {
            // Half of the line is outside the shape, as in all drawing systems.
            let width = shape.lineWidth ?? 1
            style.append("outline:\(HTMLNumber.px(width)) solid \(builder.colors.use(color))")
            style.append("outline-offset:\(HTMLNumber.px(-width / 2))")
        }
        let tall = base.context.placement == .over || base.context.placement == .behind ? ";width:100%" : ""
        return base.leaf("<div class=\"s\(fill)\" style=\"\(style.joined(separator: ";"))\(tall)\"></div>")
    }

    private func picture(_ image: PageImage, _ builder: HTMLBuilder) -> HTMLNode.Written {
        guard let data = image.data, let kind = PagePicture.kind(of: data) else { return base.leaf("") }
        var style = ""
        if let scaling = image.scaling {
            let fit = ["fill": "cover", "stretch": "fill"][scaling] ?? "contain"
            style = " style=\"object-fit:\(fit);width:100%;min-height:0;flex:1 1 auto\""
        }
        var size = ""
        if image.scaling == nil, let width = image.width, let height = image.height {
            size = " width=\"\(width)\" height=\"\(height)\""
        }
        let name = node.isDecoration == true ? "" : HTMLEscape.text(node.label ?? "")
        return base.leaf(
            "<img class=\"i\" alt=\"\(name)\"\(size)\(style) src=\"data:\(kind.rawValue);base64,"
                + "\(HTMLEscape.text(data))\">"
        )
    }

    private func symbol(_ image: PageImage, _ builder: inout HTMLBuilder) -> HTMLNode.Written {
        let isLabelled = node.isDecoration != true && node.label?.orNil != nil
        let said =
            isLabelled
            ? "role=\"img\" aria-label=\"\(HTMLEscape.text(node.label ?? ""))\"" : "aria-hidden=\"true\""
        let color = base.context.background.readable(image.color ?? Self.label, isLarge: true)
        let size = (image.font?.size ?? HTMLTextNode.size) * 1.15
        let isWide = image.scaling != nil
        let side = isWide ? "100%" : HTMLNumber.rem(size)
        let extra = isWide ? ";flex:1 1 auto;min-height:0;max-height:100%" : ""
        let drawing = HTMLSymbol.elements(of: image.name ?? "", id: "y\(builder.variant)-\(base.index)")
        return base.leaf(
            "<svg class=\"i\" viewBox=\"0 0 24 24\" \(said) style=\"width:\(side);height:\(side)\(extra);"
                + "color:\(builder.colors.use(color))\">\(drawing)</svg>"
        )
    }
}

/// A shape as SVG: circles, paths and trimmed shapes.
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

    /// The path in a field of 100 by 100. A part of a circle begins on the right, as in SwiftUI.
    private var path: String {
        let from = min(max(shape.trimFrom ?? 0, 0), 1)
        let to = min(max(shape.trimTo ?? 1, from), 1)
        if shape.kind == .circle || shape.kind == .ellipse {
            guard to > from else { return "" }
            return HTMLPath.text(
                ChartPen().turn(
                    ChartPoint(50, 50),
                    radius: 50,
                    from: .pi / 2 + from * 2 * .pi,
                    to: .pi / 2 + to * 2 * .pi
                )
            )
        }
        return HTMLPath.text(
            ChartPen().part(of: ChartRect(x: 0, y: 0, width: 100, height: 100), from: from, to: to)
        )
    }
}

/// Symbols as SVG in the text colour of their context.
package enum HTMLSymbol {
    private static let pen =
        "fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.7\" "
        + "stroke-linecap=\"round\" stroke-linejoin=\"round\""

    /// Returns a standalone SVG for the icon of a shield. An hourglass without a tint is on our tile.
    package static func picture(of name: String, tint: ShieldColor?) -> String {
        let known = SymbolName(name) ?? SymbolName("hourglass")
        guard known?.base == "hourglass", tint == nil else {
            let tint = tint ?? SystemAppearance.label
            return svg(
                side: 24,
                "<style>svg{color:\(tint.light)}@media(prefers-color-scheme:dark){svg{color:\(tint.dark)}}</style>"
                    + elements(of: name, id: "s")
            )
        }
        return svg(
            side: 100,
            """
            <linearGradient id="g" x2=".35" y2="1"><stop stop-color="#7D86FF"/><stop offset="1" stop-color="#4A3FD1"/>\
            </linearGradient><filter id="f"><feDropShadow dy="3" stdDeviation="3" flood-opacity=".25"/></filter>\
            <rect x="5" y="3" width="90" height="90" rx="20" fill="url(#g)" filter="url(#f)"/>\
            <rect x="5.5" y="3.5" width="89" height="89" rx="19.5" fill="none" stroke="#fff" stroke-opacity=".18"/>\
            <g transform="translate(24.8 22.8) scale(2.1)" color="#fff">\(elements(of: "hourglass", id: "s"))</g>
            """
        )
    }

    private static func svg(side: Int, _ body: String) -> String {
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(side) \(side)\">\(body)</svg>"
    }

    /// Returns the SVG elements of a symbol. Unknown names get the square of an app.
    static func elements(of name: String, id: String) -> String {
        let wanted = SymbolName(name) ?? SymbolName("app")
        guard let wanted, let symbol = SymbolTable.all[wanted.base] else { return "" }
        var body =
            wanted.isCircled
            ? circled(symbol, name: wanted, id: id) : plain(symbol, isFilled: wanted.isFilled, id: id)
        if wanted.isSlashed {
            body = masked(
                body,
                cut: "<path d=\"M3.6 3.6L20.4 20.4\" stroke=\"#000\" stroke-width=\"5\"/>",
                id + "s"
            )
            body += "<path d=\"M3.6 3.6L20.4 20.4\" \(pen)/>"
        }
        return body
    }

    private static func circled(_ symbol: Symbol, name: SymbolName, id: String) -> String {
        let place = "transform=\"translate(12 12) scale(.56) translate(-12 -12)\""
        guard name.isFilled else {
            return
                "<circle cx=\"12\" cy=\"12\" r=\"10\" \(pen)/><g \(place)>\(plain(symbol, isFilled: false, id: id))</g>"
        }
        let hole = plain(symbol, isFilled: false, id: id).replacing("currentColor", with: "#000")
        return masked(
            "<circle cx=\"12\" cy=\"12\" r=\"10.8\" fill=\"currentColor\"/>",
            cut: "<g \(place)>\(hole)</g>",
            id + "c"
        )
    }

    private static func plain(_ symbol: Symbol, isFilled: Bool, id: String) -> String {
        let outlines = symbol.outline.map { shapes($0, isFilled: isFilled) }.joined()
        let details = symbol.detail.map { shapes($0, isFilled: false) }.joined()
        let solid = symbol.solid.map { shapes($0, isFilled: true) }.joined()
        if isFilled, !symbol.outline.isEmpty, !symbol.isBeside, !details.isEmpty {
            return masked(outlines, cut: details.replacing("currentColor", with: "#000"), id + "p") + solid
        }
        return outlines + details + solid
    }

    private static func masked(_ body: String, cut: String, _ id: String) -> String {
        "<mask id=\"\(id)\"><path d=\"M-2-2H26V26H-2Z\" fill=\"#fff\"/>\(cut)</mask>"
            + "<g mask=\"url(#\(id))\">\(body)</g>"
    }

    /// Converts one of our paths. Its circles and rectangles become their own SVG elements.
    private static func shapes(_ path: String, isFilled: Bool) -> String {
        let look = isFilled ? pen.replacing("fill=\"none\"", with: "fill=\"currentColor\"") : pen
        var words = path.split(separator: " ")[...]
        var rest: [Substring] = []
        var result = ""
        while let word = words.popFirst() {
            let count = word == "O" ? 3 : word == "R" ? 5 : 0
            guard count > 0, words.count >= count else {
                rest.append(word)
                continue
            }
            let values = Array(words.prefix(count))
            words = words.dropFirst(count)
            result +=
                word == "O"
                ? "<circle cx=\"\(values[0])\" cy=\"\(values[1])\" r=\"\(values[2])\" \(look)/>"
                : "<rect x=\"\(values[0])\" y=\"\(values[1])\" width=\"\(values[2])\" height=\"\(values[3])\" "
                    + "rx=\"\(values[4])\" \(look)/>"
        }
        if !rest.isEmpty { result += "<path d=\"\(rest.joined(separator: " "))\" \(look)/>" }
        return result
    }
}

/// Converts outlines to SVG path data.
enum HTMLPath {
    static func text(_ path: [ChartStep]) -> String {
        func at(_ point: ChartPoint) -> String {
            HTMLNumber.text(point.x) + " " + HTMLNumber.text(point.y)
        }
        return path.map { step in
            switch step {
            case .move(let point): "M" + at(point)
            case .line(let point): "L" + at(point)
            case .curve(let out, let into, let point): "C" + at(out) + " " + at(into) + " " + at(point)
            case .close: "Z"
            }
        }.joined()
    }
}
