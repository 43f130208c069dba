package import STContracts
import STPlatform

/// The layout of a chart. It is pure geometry, the same for every output.
package struct ChartLayout: Sendable {
    package var width: Double
    package var height: Double
    /// The area of the marks.
    package var plot: ChartRect
    package var lines: [ChartLine] = []
    /// The shapes in painting order.
    package var shapes: [ChartShape] = []
    package var labels: [ChartLabel] = []
    /// The colours with their names. They have swatches if the legend is part of the picture.
    package var entries: [ChartEntry] = []
    /// The position of the legend.
    package var legend: PageLegend = .hidden
    /// One row per mark, in the order of the marks.
    package var rows: [ChartRow] = []
    package var isPie = false
    /// True if bars are horizontal, so that the names are on the left.
    package var isHorizontal = false

    package init(_ chart: PageChart, _ setting: ChartSetting) {
        width = setting.width
        height = setting.height
        let room = ChartRect(x: 0, y: 0, width: setting.width, height: setting.height)
        plot = room
        isPie = chart.marks.contains { $0.kind == .sector }
        var book = ChartEntries(chart)
        var sides = ChartSides(chart, setting)
        isHorizontal = sides.isHorizontal
        rows = ChartTexts(
            chart: chart,
            x: sides.x,
            y: sides.y,
            isHorizontal: sides.isHorizontal,
            language: setting.language
        ).rows()
        if isPie { Self.addParts(of: chart, rows, &book) }
        entries = book.entries
        let placed = ChartLegend(chart, entries: entries, setting: setting)
        legend = placed.position
        let rest = placed.place(&entries, &labels, in: room)
        if isPie {
            ChartPie(chart: chart, setting: setting, entries: book).draw(in: rest, &self)
        } else {
            sides.measure()
            ChartPlot(chart: chart, setting: setting, book: book, sides: sides).draw(in: rest, &self)
        }
    }

    /// Adds shares to the legend of a pie, because they are faster to read there than in the pie.
    private static func addParts(of chart: PageChart, _ rows: [ChartRow], _ book: inout ChartEntries) {
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
    /// True if the legend is part of the picture. Otherwise only its entries are computed.
    package var showsLegend: Bool
    package var fontSize: Double
    /// Returns the width of a text in a font size.
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

    /// Estimates the width of a text. The result is wide enough for common fonts.
    package static func estimate(_ text: String, _ size: Double) -> Double {
        text.reduce(0) { $0 + (DisplayWidth.columns(String($1)) > 1 ? 1.0 : 0.6) } * size
    }
}

/// A shape of a chart: a bar, a line, an area, a dot or a sector.
package struct ChartShape: Sendable, Equatable {
    /// The index of the mark. `nil` for a line or an area through several marks.
    package var mark: Int?
    package var path: [ChartStep]
    /// The width of a line along the path. `nil` fills the path.
    package var lineWidth: Double?
    package var paint: PagePaint
    package var opacity: Double
    /// The index of the legend entry with the same colour.
    package var entry: Int?
    /// The rectangle of a bar or a dot.
    package var rect: ChartRect?
    /// The sector of a pie.
    package var sector: ChartSector?
    /// The text of the mark for screen readers.
    package var accessibilityText: String
}

/// A line of the grid.
package struct ChartLine: Sendable, Equatable {
    package var from: ChartPoint
    package var to: ChartPoint
    /// True for the axis itself.
    package var isBase: Bool
}

/// A text in a chart.
package struct ChartLabel: Sendable, Equatable {
    package enum Role: String, Sendable {
        case axis, title, note, legend
    }

    package var text: String
    /// The space of the text.
    package var rect: ChartRect
    package var size: Double
    package var role: Role
    /// The horizontal anchor of the text in `rect`: 0 is left, 0.5 the middle, 1 right.
    package var anchor: Double

    /// The y coordinate of the baseline.
    package var baseline: Double { rect.y + rect.height * 0.78 }
    package var anchorX: Double { rect.x + rect.width * anchor }
}

/// One colour of a chart with its name.
package struct ChartEntry: Sendable, Equatable {
    package var name: String
    package var color: PageColor
    /// The share of the whole, if each sector of a pie has its own name.
    package var part: String?
    package var value: String?
    /// The swatch of the colour, if the legend is part of the picture.
    package var swatch: ChartRect?
}
