package import STContracts
import STPlatform

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

/// The size of a chart, and the language, zone and font of its reader.
package struct ChartSetting: Sendable {
    package var width: Double
    package var height: Double
    package var language: String
    package var zone: String?
    /// Whether the legend is part of the picture; otherwise only its entries are known.
    package var showsLegend: Bool
    package var fontSize: Double
    /// The width of a text in letters of a size.
    package var measure: @Sendable (_ text: String, _ size: Double) -> Double

    package init(
        width: Double,
        height: Double,
        language: String,
        zone: String? = nil,
        showsLegend: Bool = true,
        fontSize: Double = 12,
        measure: @escaping @Sendable (_ text: String, _ size: Double) -> Double = ChartSetting.estimate
    ) {
        self.width = max(1, width)
        self.height = max(1, height)
        self.language = language
        self.zone = zone
        self.showsLegend = showsLegend
        self.fontSize = fontSize
        self.measure = measure
    }

    /// Wide enough for the usual fonts, without asking one.
    package static func estimate(_ text: String, _ size: Double) -> Double {
        text.reduce(0) { $0 + (DisplayWidth.columns(String($1)) > 1 ? 1.0 : 0.6) } * size
    }
}

/// A bar, a line, an area or a dot, as it is drawn.
package struct ChartShape: Sendable, Equatable {
    /// Which mark it is; nil for a line through many.
    package var mark: Int?
    package var path: [ChartStep]
    /// As wide a line along the path; nil fills it.
    package var lineWidth: Double?
    package var paint: PagePaint
    package var opacity: Double
    /// Which entry of the legend has its colour.
    package var entry: Int?
    /// The rectangle of a bar or a dot.
    package var rect: ChartRect?
    /// The piece of a pie.
    package var sector: ChartSector?
    /// What screen readers say of its mark.
    package var says: String
}

/// A line of the grid.
package struct ChartLine: Sendable, Equatable {
    package var from: ChartPoint
    package var to: ChartPoint
    /// Where the axis itself is.
    package var isBase: Bool
}

/// Letters in a chart.
package struct ChartLabel: Sendable, Equatable {
    package enum Role: String, Sendable {
        case axis, title, note, legend
    }

    package var text: String
    /// The room that it takes.
    package var rect: ChartRect
    package var size: Double
    package var role: Role
    /// Where its letters begin in `rect`: 0 left, 0.5 in the middle, 1 right.
    package var anchor: Double

    /// Where the letters stand.
    package var baseline: Double { rect.y + rect.height * 0.78 }
    package var anchorX: Double { rect.x + rect.width * anchor }
}

/// One colour of a chart with its name.
package struct ChartEntry: Sendable, Equatable {
    package var name: String
    package var color: PageColor
    /// How much of the whole, where pieces of a pie have a name each.
    package var part: String?
    package var value: String?
    /// Where its colour is shown, when the legend is part of the picture.
    package var swatch: ChartRect?
}
