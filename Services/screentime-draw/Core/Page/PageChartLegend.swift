import STContracts
import STRendering

/// The legend of a chart, beside it or below it. Entries of a pie also contain their share.
struct PageChartLegend {
    /// A name with its colour. The last one may represent all entries without space.
    struct Item {
        var text: PageText
        var color: PageColor?
        /// The frame of its swatch and text, relative to the upper left corner of the chart.
        var place: Box
    }

    static let swatch = 10.0
    static let swatchGap = 6.0
    private static let size = 13.0
    private static let spacing = 16.0
    private static let rowGap = 4.0
    /// The distance between the legend and the chart.
    private static let gap = 10.0
    /// The largest share of a chart that its legend may use.
    private static let part = 0.45

    private(set) var items: [Item] = []
    /// The remaining frame of the chart.
    private(set) var rest: Box

    init(_ layout: ChartLayout, language: String, setting: PageText.Setting, pen: OpaquePointer) {
        let room = Box(x: 0, y: 0, width: layout.width, height: layout.height)
        rest = room
        guard !layout.entries.isEmpty, layout.legend != .hidden else { return }
        let isColumn = layout.legend == .leading || layout.legend == .trailing
        let widthMax = isColumn ? room.width * Self.part : room.width
        var all = layout.entries.map { entry in
            Self.item(
                entry.name,
                part: entry.part,
                color: entry.color,
                widthMax: widthMax,
                setting: setting,
                pen: pen
            )
        }
        let line = (all.first?.text.height ?? 0) + Self.rowGap
        var rows = Self.rows(all, isColumn ? 0 : room.width)
        let rowsMax = max(1, Int(room.height * (isColumn ? 1 : Self.part) / line))
        if rows.count > rowsMax {
            rows = Array(rows.prefix(rowsMax))
            let last = rows[rowsMax - 1].upperBound - 1
            let more = PageStrings(language: language).more(all.count - last)
            all[last] = Self.item(more, part: nil, color: nil, widthMax: widthMax, setting: setting, pen: pen)
            all.removeLast(all.count - last - 1)
        }
        let width = all.reduce(0) { max($0, $1.place.width) }
        let height = line * Double(rows.count) - Self.rowGap
        var (x, y) = (0.0, 0.0)
        switch layout.legend {
        case .trailing: (x, y) = (room.width - width, max(0, (room.height - height) / 2))
        case .leading: y = max(0, (room.height - height) / 2)
        case .top: break
        default: y = room.height - height
        }
        for (number, row) in rows.enumerated() {
            var left = x
            for index in row {
                all[index].place.x = left
                all[index].place.y = y + Double(number) * line
                left += all[index].place.width + Self.spacing
            }
        }
        items = all
        switch layout.legend {
        case .trailing: rest.width -= width + Self.spacing
        case .leading:
            rest.x += width + Self.spacing
            rest.width -= width + Self.spacing
        case .top:
            rest.y += height + Self.gap
            rest.height -= height + Self.gap
        default: rest.height -= height + Self.gap
        }
        rest.width = max(1, rest.width)
        rest.height = max(1, rest.height)
    }

    private static func item(
        _ name: String,
        part: String?,
        color: PageColor?,
        widthMax: Double,
        setting: PageText.Setting,
        pen: OpaquePointer
    ) -> Item {
        var runs = [PageRun(text: name, font: PageFont(size: size))]
        if let part {
            runs.append(PageRun(text: "  " + part, font: PageFont(size: size), color: PageColors.secondary))
        }
        let text = PageText(runs, lines: 1, align: .leading, setting: setting, pen: pen)
        text.fit(width: max(1, widthMax - swatch - swatchGap), lines: 1)
        return Item(
            text: text,
            color: color,
            place: Box(x: 0, y: 0, width: swatch + swatchGap + text.width, height: text.height)
        )
    }

    /// Returns the rows of the legend. In a column, each entry is a row.
    private static func rows(_ items: [Item], _ width: Double) -> [Range<Int>] {
        var rows: [Range<Int>] = []
        var used = Double.infinity
        for (index, item) in items.enumerated() {
            if used + spacing + item.place.width > width {
                rows.append(index..<index + 1)
                used = item.place.width
            } else {
                rows[rows.count - 1] = rows[rows.count - 1].lowerBound..<index + 1
                used += spacing + item.place.width
            }
        }
        return rows
    }
}
