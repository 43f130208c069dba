import STContracts
import STPlatform

/// Looks at one chart of a page.
struct PageChartCheck {
    private static let seriesMax = 200

    let field: String

    func check(_ chart: PageChart, _ meter: inout PageMeter) throws(Problem) {
        guard chart.marks.count <= PageLimits.marks, chart.series.count <= Self.seriesMax else {
            throw Problem(
                "page.marks",
                "A chart has at most \(PageLimits.marks) marks in \(Self.seriesMax) series; "
                    + "this one has \(chart.marks.count) in \(chart.series.count). Sum them up.",
                field: field + "/marks"
            )
        }
        for text in [chart.summary, chart.valueName, chart.keyName] { try meter.text(text, field) }
        for (index, series) in chart.series.enumerated() {
            try meter.text(series.name, "\(field)/series/\(index)/name")
            try meter.color(series.color, "\(field)/series/\(index)/color")
        }
        if let axis = chart.x { try check(axis, "\(field)/x", &meter) }
        if let axis = chart.y { try check(axis, "\(field)/y", &meter) }
        for (index, mark) in chart.marks.enumerated() {
            try check(mark, "\(field)/marks/\(index)", &meter)
        }
    }

    private func check(_ axis: PageAxis, _ field: String, _ meter: inout PageMeter) throws(Problem) {
        try meter.text(axis.label, field + "/label")
        try meter.number(axis.from, -PageMeter.valueMax...PageMeter.valueMax, field + "/from")
        try meter.number(axis.to, -PageMeter.valueMax...PageMeter.valueMax, field + "/to")
        if let from = axis.from, let to = axis.to, from >= to {
            throw Problem("page.axis", "An axis ends after it begins.", field: field + "/to")
        }
        let categories = axis.categories ?? []
        guard categories.count <= PageLimits.marks else {
            throw Problem(
                "page.axis",
                "An axis has at most \(PageLimits.marks) categories.",
                field: field + "/categories"
            )
        }
        for category in categories { try meter.text(category, field + "/categories") }
        let ticks = axis.ticks ?? []
        guard ticks.count <= PageLimits.marks else {
            throw Problem(
                "page.axis",
                "An axis has at most \(PageLimits.marks) values written on it.",
                field: field + "/ticks"
            )
        }
        for (index, tick) in ticks.enumerated() {
            try meter.text(tick.label, "\(field)/ticks/\(index)/label")
            try check(tick.at, "\(field)/ticks/\(index)/at", &meter)
        }
    }

    private func check(_ mark: PageMark, _ field: String, _ meter: inout PageMeter) throws(Problem) {
        for text in [mark.series, mark.group, mark.note, mark.value, mark.says] {
            try meter.text(text, field)
        }
        for (name, datum) in [("x", mark.x), ("x_end", mark.xEnd), ("y", mark.y), ("y_end", mark.yEnd)] {
            if let datum { try check(datum, "\(field)/\(name)", &meter) }
        }
        try meter.number(mark.angle, 0...PageMeter.valueMax, field + "/angle")
        for radius in [mark.inner, mark.outer, mark.width] {
            try meter.distance(radius?.value, field)
        }
        try meter.distance(mark.inset, field + "/inset")
        try meter.length(mark.corner, field + "/corner")
        try meter.part(mark.opacity, field + "/opacity")
        try meter.paint(mark.paint, field + "/paint")
    }

    private func check(_ datum: PageDatum, _ field: String, _ meter: inout PageMeter) throws(Problem) {
        let values = [datum.number != nil, datum.text != nil, datum.wallMs != nil]
        guard values.filter({ $0 }).count == 1 else {
            throw Problem("page.datum", "A value is a number, a text or a moment.", field: field)
        }
        try meter.number(datum.number, -PageMeter.valueMax...PageMeter.valueMax, field)
        try meter.text(datum.text, field)
        try meter.number(datum.wallMs.map(Double.init), PageMeter.wallMs, field)
    }
}
