import STContracts

/// Writes a box around one node: padding, frame, background, border and shadow.
struct HTMLBoxNode {
    /// The minimum opacity of a box with text, because fainter text would be illegible.
    private static let opacityMin = 0.6

    private let base: HTMLNode
    private let box: PageBox

    init(_ base: HTMLNode) {
        self.base = base
        box = base.node.box ?? PageBox()
    }

    func write(_ builder: inout HTMLBuilder) -> HTMLNode.Written {
        var style: [String] = []
        if let edges = box.padding {
            // CSS allows no negative padding, so negative edges become margins.
            let sides = [edges.top, edges.trailing, edges.bottom, edges.leading]
            style.append("padding:" + sides.map { HTMLNumber.px(max(0, $0)) }.joined(separator: " "))
            if sides.contains(where: { $0 < 0 }) {
                style.append("margin:" + sides.map { HTMLNumber.px(min(0, $0)) }.joined(separator: " "))
            }
        }
        var inside = base.inner(.column)
        inside.isBox = true
        frame(&style, inside: &inside, builder: builder)
        if let paint = box.background, let value = HTMLPaint.css(paint, &builder.colors) {
            style.append("background:\(value)")
            inside.background = inside.background.covered(paint)
        }
        edge(&style, &builder)
        if let opacity = box.opacity, opacity < 1 {
            let isRead = builder.flex.containsText[base.index] || builder.flex.hasChart[base.index]
            let kept = isRead && opacity > 0 ? max(opacity, Self.opacityMin) : opacity
            // Invisible content is hidden from screen readers, too.
            style.append(kept > 0 ? "opacity:\(HTMLNumber.text(kept))" : "visibility:hidden")
            inside.background.opacity *= max(kept, 0.01)
        }
        move(&style)
        let open = "<div class=\"b\(base.fill(builder))\" style=\"\(style.joined(separator: ";"))\">"
        return HTMLNode.Written(open: open, close: "</div>", context: inside)
    }

    private func frame(_ style: inout [String], inside: inout HTMLContext, builder: HTMLBuilder) {
        let frame = box.frame
        let (across, down) = HTMLAlign.places(frame?.align)
        style.append("align-items:\(across);justify-content:\(down)")
        func set(_ name: String, _ value: Double?) {
            if let value { style.append("\(name):\(HTMLNumber.px(value))") }
        }
        if let width = frame?.width {
            style.append("width:\(HTMLNumber.px(width));flex-shrink:0;max-width:100%")
        }
        // A phone may be narrower than the minimum width.
        if let least = frame?.minWidth { style.append("min-width:min(\(HTMLNumber.px(least)),100%)") }
        set("max-width", frame?.maxWidth)
        set("min-height", frame?.minHeight)
        set("max-height", builder.flex.hasChart[base.index] ? nil : frame?.maxHeight)
        guard let height = frame?.height else { return }
        let sides = box.padding.map { max(0, $0.top) + max(0, $0.bottom) } ?? 0
        inside.height = max(1, height - sides)
        // A box with a chart may be taller, because the chart has a legend and a table.
        style.append(
            "\(builder.flex.hasChart[base.index] ? "min-height" : "height"):\(HTMLNumber.px(height))"
        )
        if !builder.flex.hasChart[base.index] { style.append("flex-shrink:0") }
    }

    private func edge(_ style: inout [String], _ builder: inout HTMLBuilder) {
        switch box.clip {
        case .circle, .ellipse: style.append("border-radius:50%;overflow:hidden")
        case .capsule: style.append("border-radius:9999px;overflow:hidden")
        case .rectangle: style.append("overflow:hidden")
        case .rounded, .path, .unknown:
            style.append("border-radius:\(HTMLNumber.px(box.radius ?? 0));overflow:hidden")
        case nil: if let radius = box.radius { style.append("border-radius:\(HTMLNumber.px(radius))") }
        }
        var shadows: [String] = []
        if let paint = box.border, let color = HTMLPaint.flat(paint) {
            // The border is inside the box, because borders in SwiftUI take no space.
            shadows.append(
                "inset 0 0 0 \(HTMLNumber.px(box.borderWidth ?? 1)) \(builder.colors.use(color))"
            )
        }
        if let shadow = box.shadow, shadow > 0 {
            shadows.append("0 0 \(HTMLNumber.px(min(shadow, 100) * 2)) rgba(0,0,0,.22)")
        }
        if !shadows.isEmpty { style.append("box-shadow:" + shadows.joined(separator: ",")) }
    }

    private func move(_ style: inout [String]) {
        var moves: [String] = []
        if box.offsetX != nil || box.offsetY != nil {
            moves.append(
                "translate(\(HTMLNumber.px(box.offsetX ?? 0)),\(HTMLNumber.px(box.offsetY ?? 0)))"
            )
        }
        if let rotation = box.rotation { moves.append("rotate(\(HTMLNumber.text(rotation))deg)") }
        if let scale = box.scale { moves.append("scale(\(HTMLNumber.text(scale)))") }
        if !moves.isEmpty { style.append("transform:" + moves.joined(separator: " ")) }
    }
}

/// Converts alignments to CSS.
enum HTMLAlign {
    /// Returns the alignment across and down, in a column.
    static func places(_ align: PageAlign?) -> (across: String, down: String) {
        switch align {
        case .leading: ("flex-start", "center")
        case .trailing: ("flex-end", "center")
        case .top: ("center", "flex-start")
        case .bottom: ("center", "flex-end")
        case .topLeading: ("flex-start", "flex-start")
        case .topTrailing: ("flex-end", "flex-start")
        case .bottomLeading: ("flex-start", "flex-end")
        case .bottomTrailing: ("flex-end", "flex-end")
        case .center, .baseline, .unknown, nil: ("center", "center")
        }
    }
}
