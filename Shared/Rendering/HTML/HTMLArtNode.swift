import STContracts

/// Outlines and pictures.
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
            // Half of the line lies outside, as with every pen.
            let width = shape.lineWidth ?? 1
            style.append("outline:\(HTMLNumber.px(width)) solid \(builder.colors.use(color))")
            style.append("outline-offset:\(HTMLNumber.px(-width / 2))")
        }
        let tall = base.context.room == .over || base.context.room == .behind ? ";width:100%" : ""
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
        let color = base.context.ground.readable(image.color ?? Self.label, isLarge: true)
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
