import STContracts
import STPlatform

struct PageNodeCheck {
    /// The maximum length of a name, for example of a symbol.
    private static let nameBytesMax = 256

    let field: String
    let controls: [PageControl]

    func check(_ node: PageNode, _ meter: inout PageMeter) throws(Problem) {
        try checkShape(of: node)
        try meter.text(node.label, field + "/label")
        for (index, run) in (node.runs ?? []).enumerated() {
            try meter.text(run.text, "\(field)/runs/\(index)/text")
            try meter.font(run.font, "\(field)/runs/\(index)/font")
            try meter.color(run.color, "\(field)/runs/\(index)/color")
        }
        try meter.number(node.lines.map(Double.init), range: 0...100_000, field: field + "/lines")
        try meter.distance(node.spacing, field + "/spacing")
        try meter.length(node.length, field + "/length")
        try meter.number(node.columns.map(Double.init), range: 1...100, field: field + "/columns")
        try meter.part(node.value, field + "/value")
        try meter.color(node.color, field + "/color")
        try meter.number(node.heading.map(Double.init), range: 1...6, field: field + "/heading")
        if let index = node.control { try checkControl(index, field + "/control") }
        if let shape = node.shape { try check(shape, &meter) }
        if let image = node.image { try check(image, &meter) }
        if let box = node.box { try check(box, meter) }
        if let report = node.report { try checkName(report.context, field + "/report/context") }
        if let chart = node.chart {
            if let index = chart.control { try checkControl(index, field + "/chart/control") }
            try PageChartCheck(field: field + "/chart").check(chart, &meter)
        }
    }

    /// Throws unless the node has the content of its kind and a valid number of children.
    private func checkShape(of node: PageNode) throws(Problem) {
        let count = node.count ?? 0
        let isWhole: Bool
        switch node.kind {
        case .text: isWhole = count == 0 && node.runs != nil
        case .spacer, .divider, .progress: isWhole = count == 0
        case .shape: isWhole = count == 0 && node.shape != nil
        case .image: isWhole = count == 0 && node.image != nil
        case .chart: isWhole = count == 0 && node.chart != nil
        case .report: isWhole = count == 0 && node.report != nil
        case .control: isWhole = count == 0 && node.control != nil
        case .box: isWhole = count == 1
        case .over, .behind: isWhole = count == 2
        case .vertical, .horizontal, .layered, .list, .section, .scroll, .grid, .unknown: isWhole = true
        }
        guard isWhole else {
            throw Problem(
                "page.node",
                """
                A view of kind \(node.kind.rawValue, "kind") has no content, or contains the wrong number of \
                views.
                """,
                field: field
            )
        }
    }

    private func checkControl(_ index: Int, _ field: String) throws(Problem) {
        guard controls.indices.contains(index) else {
            throw Problem(
                "page.control",
                "The page has no such control.",
                key: "page.control.the-page-has",
                field: field
            )
        }
    }

    private func checkName(_ name: String, _ field: String) throws(Problem) {
        guard name.utf8.count <= Self.nameBytesMax else {
            throw Problem(
                "page.name",
                "A name has at most \(Self.nameBytesMax, "bytes") bytes.",
                key: "page.name.a-name-has",
                field: field
            )
        }
    }

    private func check(_ shape: PageShape, _ meter: inout PageMeter) throws(Problem) {
        let field = field + "/shape"
        try meter.length(shape.radius, field + "/radius")
        try meter.length(shape.lineWidth, field + "/line_width")
        try meter.part(shape.trimFrom, field + "/trim_from")
        try meter.part(shape.trimTo, field + "/trim_to")
        try meter.paint(shape.fill, field + "/fill")
        try meter.paint(shape.stroke, field + "/stroke")
        try meter.text(shape.path, field + "/path")
        guard (shape.path ?? "").utf8.allSatisfy(Self.isPathCharacter) else {
            throw Problem(
                "page.path",
                "A path must consist of SVG path commands, such as M, L, C and Z, and numbers.",
                field: field + "/path"
            )
        }
    }

    private static func isPathCharacter(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || "MmLlHhVvCcSsQqTtAaZzEe+-., \n".utf8.contains(byte)
    }

    private func check(_ image: PageImage, _ meter: inout PageMeter) throws(Problem) {
        let field = field + "/image"
        try meter.color(image.color, field + "/color")
        try meter.font(image.font, field + "/font")
        try checkName(image.name ?? "", field + "/name")
        try meter.number(image.width.map(Double.init), range: 1...16_384, field: field + "/width")
        try meter.number(image.height.map(Double.init), range: 1...16_384, field: field + "/height")
        guard let data = image.data else { return }
        // PNG and JPEG files begin with unique bytes.
        let isPicture = PagePicture.kind(of: data) != nil
        let isBase64 = data.utf8.allSatisfy { PageMeter.isLetterOrDigit($0) || "+/=".utf8.contains($0) }
        guard isPicture, isBase64, data.utf8.count <= PageLimits.bytes else {
            throw Problem(
                "page.image",
                "A picture must be a PNG, JPEG or SVG file in base64.",
                field: field + "/data"
            )
        }
    }

    private func check(_ box: PageBox, _ meter: PageMeter) throws(Problem) {
        let field = field + "/box"
        if let edges = box.padding {
            for edge in [edges.top, edges.leading, edges.bottom, edges.trailing] {
                try meter.distance(edge, field + "/padding")
            }
        }
        if let frame = box.frame {
            let lengths = [
                frame.width, frame.height, frame.minWidth, frame.maxWidth, frame.minHeight, frame.maxHeight,
            ]
            for length in lengths { try meter.length(length, field + "/frame") }
        }
        try meter.paint(box.background, field + "/background")
        try meter.paint(box.border, field + "/border")
        try meter.length(box.borderWidth, field + "/border_width")
        try meter.length(box.radius, field + "/radius")
        try meter.length(box.shadow, field + "/shadow")
        try meter.part(box.opacity, field + "/opacity")
        try meter.distance(box.offsetX, field + "/offset_x")
        try meter.distance(box.offsetY, field + "/offset_y")
        try meter.number(box.rotation, range: -36_000...36_000, field: field + "/rotation")
        try meter.number(box.scale, range: -100...100, field: field + "/scale")
    }
}

struct PageChartCheck {
    private static let seriesMax = 200

    let field: String

    func check(_ chart: PageChart, _ meter: inout PageMeter) throws(Problem) {
        guard chart.marks.count <= PageLimits.marks, chart.series.count <= Self.seriesMax else {
            throw Problem(
                "page.marks",
                """
                A chart has at most \(PageLimits.marks, "marks") marks in \(Self.seriesMax, "most") series; \
                this one has \(chart.marks.count, "count") in \(chart.series.count, "count2"). Combine some \
                of them.
                """,
                field: field + "/marks"
            )
        }
        for text in [chart.summary, chart.valueName, chart.keyName] { try meter.text(text, field) }
        for (index, series) in chart.series.enumerated() {
            try meter.text(series.name, "\(field)/series/\(index)/name")
            try meter.color(series.color, "\(field)/series/\(index)/color")
        }
        if let axis = chart.x { try check(axis, field: "\(field)/x", meter: &meter) }
        if let axis = chart.y { try check(axis, field: "\(field)/y", meter: &meter) }
        for (index, mark) in chart.marks.enumerated() {
            try check(mark, field: "\(field)/marks/\(index)", meter: &meter)
        }
    }

    private func check(_ axis: PageAxis, field: String, meter: inout PageMeter) throws(Problem) {
        try meter.text(axis.label, field + "/label")
        try meter.number(axis.from, range: -PageMeter.valueMax...PageMeter.valueMax, field: field + "/from")
        try meter.number(axis.to, range: -PageMeter.valueMax...PageMeter.valueMax, field: field + "/to")
        if let from = axis.from, let to = axis.to, from >= to {
            throw Problem("page.axis", "An axis must end after it begins.", field: field + "/to")
        }
        let categories = axis.categories ?? []
        guard categories.count <= PageLimits.marks else {
            throw Problem(
                "page.axis",
                "An axis can have at most \(PageLimits.marks, "marks") categories.",
                key: "page.axis.an-axis-has",
                field: field + "/categories"
            )
        }
        for category in categories { try meter.text(category, field + "/categories") }
        let ticks = axis.ticks ?? []
        guard ticks.count <= PageLimits.marks else {
            throw Problem(
                "page.axis",
                "An axis has at most \(PageLimits.marks, "marks") tick values.",
                key: "page.axis.an-axis-has-at",
                field: field + "/ticks"
            )
        }
        for (index, tick) in ticks.enumerated() {
            try meter.text(tick.label, "\(field)/ticks/\(index)/label")
            try check(tick.at, field: "\(field)/ticks/\(index)/at", meter: &meter)
        }
    }

    private func check(_ mark: PageMark, field: String, meter: inout PageMeter) throws(Problem) {
        for text in [mark.series, mark.group, mark.note, mark.value, mark.says] {
            try meter.text(text, field)
        }
        for (name, datum) in [("x", mark.x), ("x_end", mark.xEnd), ("y", mark.y), ("y_end", mark.yEnd)] {
            if let datum { try check(datum, field: "\(field)/\(name)", meter: &meter) }
        }
        try meter.number(mark.angle, range: 0...PageMeter.valueMax, field: field + "/angle")
        for radius in [mark.inner, mark.outer, mark.width] {
            try meter.distance(radius?.value, field)
        }
        try meter.distance(mark.inset, field + "/inset")
        try meter.length(mark.corner, field + "/corner")
        try meter.part(mark.opacity, field + "/opacity")
        try meter.paint(mark.paint, field + "/paint")
    }

    private func check(_ datum: PageDatum, field: String, meter: inout PageMeter) throws(Problem) {
        let values = [datum.number != nil, datum.text != nil, datum.wallMs != nil]
        guard values.filter({ $0 }).count == 1 else {
            throw Problem(
                "page.datum",
                "A value must be exactly one of a number, a text and a time.",
                field: field
            )
        }
        try meter.number(datum.number, range: -PageMeter.valueMax...PageMeter.valueMax, field: field)
        try meter.text(datum.text, field)
        try meter.number(datum.wallMs.map(Double.init), range: PageMeter.wallMs, field: field)
    }
}

/// The kind of a picture in base64.
package enum PagePicture: String, Sendable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    /// In an `img` element, SVG runs no scripts and reads no other files.
    case svg = "image/svg+xml"

    /// Returns the kind by the first bytes in base64. SVG begins with `<svg`, `<?xml` or `<!--`.
    package static func kind(of base64: String) -> PagePicture? {
        if base64.hasPrefix("iVBORw0KGgo") { return .png }
        if ["PHN2Zy", "PD94bW", "PCEtLQ"].contains(where: base64.hasPrefix) { return .svg }
        return base64.hasPrefix("/9j/") ? .jpeg : nil
    }
}
