package import STContracts

/// Where everything of a chart stands: pure geometry, the same for every painter.
package struct ChartLayout: Sendable {
    package var width: Double
    package var height: Double
    /// Where the marks are.
    package var plot: ChartRect
    package var lines: [ChartLine] = []
    /// In the order in which they are painted.
    package var shapes: [ChartShape] = []
    package var labels: [ChartLabel] = []
    /// The colours with their names; they have swatches where the legend is part of the picture.
    package var entries: [ChartEntry] = []
    /// Where the legend belongs.
    package var legend: PageLegend = .hidden
    /// One for each mark, in their order.
    package var rows: [ChartRow] = []
    package var isPie = false
    /// Whether bars lie, so that the names stand on the left.
    package var isHorizontal = false

    package init(_ chart: PageChart, _ setting: ChartSetting) {
        width = setting.width
        height = setting.height
        let room = ChartRect(x: 0, y: 0, width: setting.width, height: setting.height)
        plot = room
        isPie = chart.marks.contains { $0.kind == .sector }
        var book = ChartBook(chart)
        var sides = ChartSides(chart, setting)
        isHorizontal = sides.isHorizontal
        rows = ChartTexts(
            chart: chart,
            x: sides.x,
            y: sides.y,
            isHorizontal: sides.isHorizontal,
            language: setting.language
        ).rows()
        if isPie { Self.noteParts(of: chart, rows, &book) }
        entries = book.entries
        let placed = ChartLegend(chart, entries, setting)
        legend = placed.position
        let rest = placed.place(&entries, &labels, in: room)
        if isPie {
            ChartPie(chart: chart, setting: setting, book: book).draw(in: rest, &self)
        } else {
            sides.measure()
            ChartPlot(chart: chart, setting: setting, book: book, sides: sides).draw(in: rest, &self)
        }
    }

    /// A legend that says how much reads faster than a pie.
    private static func noteParts(of chart: PageChart, _ rows: [ChartRow], _ book: inout ChartBook) {
        var seen: [Int: Int] = [:]
        for mark in chart.marks {
            if let entry = book.entry(of: mark) { seen[entry, default: 0] += 1 }
        }
        for (index, mark) in chart.marks.enumerated() {
            guard let entry = book.entry(of: mark), seen[entry] == 1, let part = rows[index].part else {
                continue
            }
            book.set(part: part, value: rows[index].value, of: entry)
        }
    }
}
