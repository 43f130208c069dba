import STContracts

/// Writes one node: the text before and after its children.
struct HTMLNode {
    struct Written {
        var open: String
        var close: String
        var context: HTMLContext
        var table = ""
    }

    let index: Int
    let node: PageNode
    let context: HTMLContext

    /// The default spacing of SwiftUI.
    static let spacing = 8.0
    static let cellEnd = "</div>"

    func write(_ builder: inout HTMLBuilder) -> Written {
        var written = plain(&builder)
        wrapHiddenText(&written, builder)
        wrapCell(&written, builder)
        return written
    }

    private func plain(_ builder: inout HTMLBuilder) -> Written {
        switch node.kind {
        case .text: return HTMLTextNode(self).write(&builder)
        case .vertical, .unknown: return stack("v", room: .column, builder: builder)
        case .horizontal: return stack("h", room: .row, builder: builder)
        case .layered: return layered(builder)
        case .over, .behind: return laid(builder)
        case .box: return HTMLBoxNode(self).write(&builder)
        case .spacer:
            let length = HTMLNumber.px(max(node.length ?? 0, 0))
            let side = context.placement == .row ? "min-width" : "min-height"
            return leaf("<div class=\"sp\" style=\"\(side):\(length)\"></div>")
        case .divider: return leaf("<hr class=\"d\" aria-hidden=\"true\">")
        case .shape, .image: return HTMLArtNode(self).write(&builder)
        case .list, .section: return HTMLListNode(self).write(&builder)
        case .scroll: return scroll(builder)
        case .grid: return grid(builder)
        case .progress: return progress(&builder)
        case .chart: return HTMLChartNode(self).write(&builder)
        case .control: return control(builder)
        case .report:
            let text = builder.strings.missing(report: node.report?.context ?? "")
            return leaf("<p class=\"t fw\">\(HTMLEscape.text(text))</p>")
        }
    }

    func leaf(_ text: String) -> Written { Written(open: text, close: "", context: context) }

    /// Returns the style classes of a node that fills the available space.
    func fill(_ builder: HTMLBuilder) -> String {
        (builder.flex.fillsWidth[index] ? " fw" : "") + (builder.flex.fillsHeight[index] ? " fh" : "")
    }

    func inner(_ room: HTMLContext.Placement) -> HTMLContext {
        HTMLContext(
            placement: room,
            background: context.background,
            height: context.height,
            isHiddenFromReaders: context.isHiddenFromReaders
        )
    }

    // MARK: - Stacks

    private func stack(_ name: String, room: HTMLContext.Placement, builder: HTMLBuilder) -> Written {
        let align: String
        switch node.align {
        case .leading where room == .column, .topLeading,
            .top where room == .row:
            align = "flex-start"
        case .trailing where room == .column, .bottomTrailing,
            .bottom where room == .row:
            align = "flex-end"
        case .baseline where room == .row: align = "baseline"
        default: align = "center"
        }
        let gap = HTMLNumber.px(max(0, node.spacing ?? Self.spacing))
        let open =
            "<div class=\"\(name)\(fill(builder))\" style=\"align-items:\(align);gap:\(gap)\">"
        var inside = inner(room)
        if builder.tree.children(of: index).count > 1 { inside.height = nil }
        return Written(open: open, close: "</div>", context: inside)
    }

    private func layered(_ builder: HTMLBuilder) -> Written {
        let (across, down) = HTMLAlign.places(node.align)
        var inside = inner(.layer)
        inside.align = "align-items:\(across);justify-content:\(down)"
        inside.background = ground(of: builder.tree.children(of: index).dropLast(), builder)
        return Written(open: "<div class=\"z\(fill(builder))\">", close: "</div>", context: inside)
    }

    private func laid(_ builder: HTMLBuilder) -> Written {
        let (across, down) = HTMLAlign.places(node.align)
        let children = builder.tree.children(of: index)
        var inside = inner(node.kind == .over ? .over : .behind)
        inside.align = "align-items:\(across);justify-content:\(down)"
        // Texts are on the lower of the two layers, so its colour is their background.
        let lower = node.kind == .over ? children.prefix(1) : children.suffix(1)
        inside.background = ground(of: lower, builder)
        let pie = pie(builder).map { HTMLChartNode.wrapper($0, builder) } ?? ""
        return Written(open: "<div class=\"o\(pie)\(fill(builder))\">", close: "</div>", context: inside)
    }

    /// Returns the pie at the bottom of the layers, or nil if there is none.
    private func pie(_ builder: HTMLBuilder) -> PageChart? {
        var below = index
        while [.over, .behind].contains(builder.tree.nodes[below].kind) {
            guard let base = builder.tree.children(of: below).first else { return nil }
            below = base
        }
        guard let chart = builder.tree.nodes[below].chart else { return nil }
        return chart.marks.contains { $0.kind == .sector } ? chart : nil
    }

    /// Returns the background with the shapes and boxes of these nodes on it.
    private func ground(of nodes: ArraySlice<Int>, _ builder: HTMLBuilder) -> HTMLBackground {
        var ground = context.background
        for index in nodes {
            let node = builder.tree.nodes[index]
            if let shape = node.shape { ground = ground.covered(shape.fill) }
            if let box = node.box { ground = ground.covered(box.background) }
            guard node.kind == .box, index + 1 < builder.tree.ends[index] else { continue }
            if let shape = builder.tree.nodes[index + 1].shape { ground = ground.covered(shape.fill) }
        }
        return ground
    }

    private func grid(_ builder: HTMLBuilder) -> Written {
        let gap = HTMLNumber.px(max(0, node.spacing ?? Self.spacing))
        let columns =
            node.columns.map { "repeat(\(max(1, $0)),minmax(0,1fr))" }
            ?? "repeat(auto-fill,minmax(min(9rem,100%),1fr))"
        let open = "<div class=\"g fw\" style=\"gap:\(gap);grid-template-columns:\(columns)\">"
        return Written(open: open, close: "</div>", context: inner(.column))
    }

    private func scroll(_ builder: HTMLBuilder) -> Written {
        guard node.isHorizontal == true else {
            var inside = inner(.column)
            inside.height = nil
            return Written(
                open: "<div class=\"v fw\" style=\"align-items:center;gap:8px\">",
                close: "</div>",
                context: inside
            )
        }
        let name = HTMLEscape.text(node.label?.orNil ?? builder.strings.scrolls)
        // The element is in the tab order, so that arrow keys scroll it.
        let open = "<div class=\"sx fw\" role=\"group\" tabindex=\"0\" aria-label=\"\(name)\">"
        return Written(open: open, close: "</div>", context: inner(.column))
    }

    private func progress(_ builder: inout HTMLBuilder) -> Written {
        let name = HTMLEscape.text(node.label?.orNil ?? builder.strings.progress)
        guard let value = node.value else {
            return leaf("<p class=\"t\">\(HTMLEscape.text(builder.strings.loading))…</p>")
        }
        let color = builder.colors.use(node.color ?? ChartPalette.accent)
        let percent = HTMLNumber.text(min(max(value, 0), 1) * 100)
        return leaf(
            "<div class=\"p fw\" role=\"progressbar\" aria-label=\"\(name)\" aria-valuemin=\"0\" "
                + "aria-valuemax=\"100\" aria-valuenow=\"\(percent)\">"
                + "<i style=\"width:\(percent)%;background:\(color)\"></i></div>"
        )
    }

    /// Writes the visible labels of a control. The radio buttons for the keyboard and screen readers are at the top of
    /// the document.
    private func control(_ builder: HTMLBuilder) -> Written {
        guard let place = node.control, builder.page.controls.indices.contains(place) else { return leaf("") }
        let control = builder.page.controls[place]
        guard control.kind == .choice else { return leaf("") }
        let chosen = builder.page.variants[builder.variant].chosen[place]
        let there = HTMLControls.reachable(builder.page)[place]
        let labels = control.options.enumerated().map { option, name in
            let look = option == chosen ? "on" : there.contains(option) ? "" : "no"
            return "<label for=\"o\(place)-\(option)\" class=\"\(look)\">\(HTMLEscape.text(name))</label>"
        }
        return leaf("<div class=\"seg fw\" aria-hidden=\"true\">\(labels.joined())</div>")
    }

    // MARK: - Wrappers

    /// Adds the label of a node for screen readers, or hides a decoration from them.
    private func wrapHiddenText(_ written: inout Written, _ builder: HTMLBuilder) {
        let speaksItself = [.text, .chart, .progress, .scroll, .image, .section].contains(node.kind)
        let isActive = builder.flex.isActive[index]
        let attribute: String
        if node.isDecoration == true, !isActive {
            attribute = " aria-hidden=\"true\""
        } else if let label = node.label?.orNil, !speaksItself {
            let role = isActive ? "group" : "img"
            attribute = " role=\"\(role)\" aria-label=\"\(HTMLEscape.text(label))\""
        } else {
            return
        }
        guard written.open.hasPrefix("<"),
            let end = written.open.firstIndex(where: { $0 == " " || $0 == ">" })
        else { return }
        // An element with its own role keeps it.
        if attribute.hasPrefix(" role"), written.open.prefix(while: { $0 != ">" }).contains("role=") {
            return
        }
        if written.open.hasPrefix("<hr") || written.open.prefix(while: { $0 != ">" }).contains("aria-hidden")
        {
            return
        }
        written.open.insert(contentsOf: attribute, at: end)
    }

    /// Wraps a node into its own element, if its container is a list or a layer.
    private func wrapCell(_ written: inout Written, _ builder: HTMLBuilder) {
        switch context.placement {
        case .column, .row: return
        case .rows:
            written.open = "<div class=\"r\" role=\"listitem\">" + written.open
        case .layer:
            written.open = "<div class=\"b\" style=\"\(context.align)\">" + written.open
        case .over, .behind:
            if context.count == 0 {
                return
            }
            let side = context.placement == .over ? "" : " be"
            written.open = "<div class=\"ov\(side)\" style=\"\(context.align)\">" + written.open
        }
        written.close += Self.cellEnd
    }
}
