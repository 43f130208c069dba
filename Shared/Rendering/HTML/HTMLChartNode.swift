import STContracts

/// Writes a chart for several column widths, of which the style sheet shows one. It also writes the legend and a table
/// of the values.
struct HTMLChartNode {
    /// The widths of the drawings, from one of two columns on a phone to a whole page.
    private static let widths = [(220.0, "u"), (344.0, "k"), (480.0, "n"), (640.0, "w")]
    /// The smallest width at which the style sheet shows each drawing. Icons beside horizontal bars have a fixed size, so these
    /// drawings are never scaled.
    private static let barWidths = [(220.0, "u"), (290.0, "k"), (425.0, "n"), (580.0, "x"), (720.0, "y")]
    private static let height = 240.0
    /// Upper bound on the marks of interactive charts. Above it, one drawing serves all widths, and no mark receives the focus,
    /// because the table has the values.
    private static let marksMax = 400

    private let base: HTMLNode
    private let chart: PageChart

    init(_ base: HTMLNode) {
        self.base = base
        chart = base.node.chart ?? PageChart(marks: [], series: [])
    }

    func write(_ builder: inout HTMLBuilder) -> HTMLNode.Written {
        let place = builder.charts
        builder.charts += 1
        let height = min(max(base.context.height ?? Self.height, 40), 4000)
        let isPie = chart.marks.contains { $0.kind == .sector }
        let isOne = isPie || chart.marks.count > Self.marksMax
        let widths =
            layout(Self.height, height: height, builder: builder).isHorizontal ? Self.barWidths : Self.widths
        let sizes = isPie ? [(height, "")] : isOne ? [(480, "")] : widths
        let layouts = sizes.map { (layout($0.0, height: height, builder: builder), $0.1) }
        var drawings = ""
        for (layout, name) in layouts {
            drawings += drawing(layout, name: name, builder: builder, colors: &builder.colors)
        }
        let narrow = layouts[0].0
        let legend = legend(narrow, &builder)
        let isRow = narrow.legend == .leading || narrow.legend == .trailing
        let isFirst = narrow.legend == .leading || narrow.legend == .top
        let control = chart.control.map { " data-o=\"\($0)\"" } ?? ""
        let hidden = base.node.isDecoration == true ? " aria-hidden=\"true\"" : ""
        let inside = isFirst ? legend + drawings : drawings + legend
        let figure =
            "<figure class=\"c fw\(isRow ? " row" : "")\" data-c=\"\(place)\"\(control)\(hidden)>\(inside)"
            + "<div class=\"ro\" aria-hidden=\"true\"></div></figure>"
        var written = base.leaf(figure)
        if hidden.isEmpty, !chart.marks.isEmpty {
            written.table = HTMLTable(chart: chart, layout: narrow).text(builder)
        }
        return written
    }

    /// Returns the style classes of a layer on a pie. They centre the layer on the pie without its legend.
    static func wrapper(_ chart: PageChart, _ builder: HTMLBuilder) -> String {
        let setting = ChartSetting(
            width: height,
            height: height,
            language: builder.page.language,
            zone: builder.page.zone,
            showsLegend: false
        )
        switch ChartLayout(chart, setting).legend {
        case .hidden: return " pi pin"
        case .leading: return " pi pil"
        case .trailing: return " pi pit"
        case .top: return " pi piu"
        case .bottom, .automatic, .unknown: return " pi"
        }
    }

    private func layout(_ width: Double, height: Double, builder: HTMLBuilder) -> ChartLayout {
        ChartLayout(
            chart,
            ChartSetting(
                width: width,
                height: height,
                language: builder.page.language,
                zone: builder.page.zone,
                showsLegend: false
            )
        )
    }

    private func drawing(
        _ layout: ChartLayout,
        name: String,
        builder: HTMLBuilder,
        colors: inout HTMLColors
    ) -> String {
        let canGo =
            !layout.shapes.isEmpty && chart.marks.count <= Self.marksMax && base.node.isDecoration != true
        let summary =
            chart.summary?.orNil ?? base.node.label?.orNil
            ?? builder.strings.summary(marks: chart.marks.count)
        let size = "\(HTMLNumber.text(layout.width)) \(HTMLNumber.text(layout.height))"
        // An image has no focusable content, but a group may.
        let role = canGo ? "group" : "img"
        let limit = layout.isPie ? ";max-height:\(HTMLNumber.px(layout.height))" : ""
        let ink = base.context.background.readable(
            PageColor(light: "#55555DFF", dark: "#B9B9C2FF"),
            isLarge: false
        )
        let text = colors.use(ink)
        var out = "<svg class=\"\(name)\" viewBox=\"0 0 \(size)\" role=\"\(role)\" "
        out += "aria-label=\"\(HTMLEscape.text(summary))\" "
        let isFixed = layout.isHorizontal && !name.isEmpty
        let width = HTMLNumber.px(layout.width * (isFixed ? 1 : 1.25))
        out += "style=\"max-width:\(width)\(limit);margin:0\(isFixed ? "" : " auto");color:\(text);"
        out += "fill:\(text)\" font-size=\"12\">"
        if chart.marks.isEmpty { out += empty(layout, builder) }
        out += lines(layout)
        let marks = HTMLMarks(
            chart: chart,
            layout: layout,
            hasLinks: canGo,
            chosen: chosen(builder),
            id: "m\(builder.variant)-\(base.index)\(name)",
            isForced: usesPatterns(layout)
        )
        out += marks.text(&colors, reachable: reachable(builder))
        out += labels(layout, &colors)
        return out + "</svg>"
    }

    /// The chosen mark, if marks can be chosen.
    private func chosen(_ builder: HTMLBuilder) -> Int? {
        guard let place = chart.control else { return nil }
        return builder.page.variants[builder.variant].chosen[place]
    }

    private func reachable(_ builder: HTMLBuilder) -> Set<Int> {
        guard let place = chart.control else { return [] }
        return HTMLControls.reachable(builder.page)[place]
    }

    private func usesPatterns(_ layout: ChartLayout) -> Bool { layout.entries.count > 1 }

    private func empty(_ layout: ChartLayout, _ builder: HTMLBuilder) -> String {
        let (x, y) = (HTMLNumber.text(layout.width / 2), HTMLNumber.text(layout.height / 2))
        return
            "<text x=\"\(x)\" y=\"\(y)\" text-anchor=\"middle\">\(HTMLEscape.text(builder.strings.noData))</text>"
    }

    private func lines(_ layout: ChartLayout) -> String {
        layout.lines.map { line in
            "<path class=\"\(line.isBase ? "gb" : "gl")\" d=\""
                + HTMLPath.text([.move(line.from), .line(line.to)]) + "\"/>"
        }.joined()
    }

    private func labels(_ layout: ChartLayout, _ colors: inout HTMLColors) -> String {
        let anchors = [0.0: "", 0.5: " text-anchor=\"middle\"", 1.0: " text-anchor=\"end\""]
        return layout.labels.map { label in
            var style = ""
            if label.role == .note {
                let ink = note(label, layout)
                style = " style=\"fill:\(colors.use(ink))\""
            }
            // Screen readers skip the label, because the name of each mark contains it.
            return "<text aria-hidden=\"true\" x=\"\(HTMLNumber.text(label.anchorX))\" "
                + "y=\"\(HTMLNumber.text(label.baseline))\"\(anchors[label.anchor] ?? "")\(style)>"
                + "\(HTMLEscape.text(label.text))</text>"
        }.joined()
    }

    /// Returns the colour of a note. In a pie it depends on the colour of its sector.
    private func note(_ label: ChartLabel, _ layout: ChartLayout) -> PageColor {
        var ground = base.context.background
        if layout.isPie, let shape = layout.shapes.first(where: { $0.sector?.middle == label.rect.middle }) {
            ground = ground.covered(shape.paint)
        }
        return ground.readable(PageColor(light: "#1D1D1FFF", dark: "#F5F5F7FF"), isLarge: false)
    }

    private func legend(_ layout: ChartLayout, _ builder: inout HTMLBuilder) -> String {
        guard layout.legend != .hidden else { return "" }
        let isForced = usesPatterns(layout)
        let ink = base.context.background.readable(
            PageColor(light: "#1D1D1FFF", dark: "#F5F5F7FF"),
            isLarge: false
        )
        let text = builder.colors.use(ink)
        let items = layout.entries.enumerated().map { place, entry in
            let color = builder.colors.use(entry.color)
            let pattern =
                isForced
                ? "<svg class=\"x\" width=\"10\" height=\"10\"><rect width=\"10\" height=\"10\" "
                    + "fill=\"url(#pt\(place % HTMLPatterns.count))\"/></svg>" : ""
            let part = entry.part.map { " <b>\(HTMLEscape.text($0))</b>" } ?? ""
            return "<li><i aria-hidden=\"true\" style=\"background:\(color);display:block\">\(pattern)</i>"
                + "<span dir=\"auto\">\(HTMLEscape.text(entry.name))\(part)</span></li>"
        }
        return "<ul class=\"lg\" style=\"color:\(text)\">\(items.joined())</ul>"
    }
}

/// Writes the values of a chart as a table.
struct HTMLTable {
    let chart: PageChart
    let layout: ChartLayout

    func text(_ builder: HTMLBuilder) -> String {
        let words = builder.strings
        let hasSeries = layout.rows.contains { $0.series != nil }
        let hasParts = layout.rows.contains { $0.part != nil }
        var titles = [cell("th", text: chart.keyName?.orNil ?? words.key, attributes: "scope=\"col\"")]
        if hasSeries { titles.append(cell("th", text: words.series, attributes: "scope=\"col\"")) }
        titles.append(
            cell("th", text: chart.valueName?.orNil ?? words.value, attributes: "scope=\"col\" class=\"q\"")
        )
        if hasParts { titles.append(cell("th", text: words.part, attributes: "scope=\"col\" class=\"q\"")) }
        let rows = layout.rows.map { row in
            var cells = [cell("th", text: row.key, attributes: "scope=\"row\"")]
            if hasSeries { cells.append(cell("td", text: row.series ?? "", attributes: "")) }
            cells.append(cell("td", text: row.value, attributes: "class=\"q\""))
            if hasParts { cells.append(cell("td", text: row.part ?? "", attributes: "class=\"q\"")) }
            return "<tr>\(cells.joined())</tr>"
        }
        let summary = HTMLEscape.text(words.values)
        return "<details class=\"tb\"><summary>\(summary)</summary><div tabindex=\"0\" role=\"group\" "
            + "aria-label=\"\(HTMLEscape.text(chart.summary?.orNil ?? words.chart))\"><table><thead><tr>\(titles.joined())"
            + "</tr></thead><tbody>\(rows.joined())</tbody></table></div></details>"
    }

    private func cell(_ tag: String, text: String, attributes: String) -> String {
        "<\(tag)\(attributes.isEmpty ? "" : " " + attributes) dir=\"auto\">\(HTMLEscape.text(text))</\(tag)>"
    }
}
