package import STContracts
import STPlatform

/// Places the legend beside a chart.
struct ChartLegend {
    private static let swatch = 10.0
    private static let gap = 6.0
    private static let spacing = 16.0

    let position: PageLegend
    let setting: ChartSetting

    init(_ chart: PageChart, entries: [ChartEntry], setting: ChartSetting) {
        let position = chart.legend ?? .automatic
        switch position {
        case .automatic, .unknown: self.position = entries.count > 1 ? .bottom : .hidden
        case .hidden, .bottom, .top, .leading, .trailing:
            self.position = entries.isEmpty ? .hidden : position
        }
        self.setting = setting
    }

    private var isColumn: Bool { position == .leading || position == .trailing }
    private var rowHeight: Double { setting.fontSize * 1.6 }

    /// Places the legend and sets the swatches of the entries. Returns the remaining space.
    func place(
        _ entries: inout [ChartEntry],
        _ labels: inout [ChartLabel],
        in room: ChartRect
    ) -> ChartRect {
        guard setting.showsLegend, position != .hidden else { return room }
        let widthMax = isColumn ? room.width * 0.4 : room.width
        let texts = entries.map { truncated($0.name, widthMax - Self.swatch - Self.gap) }
        var rows: [[Int]] = []
        var used = Double.infinity
        for (index, text) in texts.enumerated() {
            let width = Self.swatch + Self.gap + setting.measure(text, setting.fontSize)
            if isColumn || used + Self.spacing + width > room.width {
                rows.append([index])
                used = width
            } else {
                rows[rows.count - 1].append(index)
                used += Self.spacing + width
            }
        }
        let rowsMax = max(1, Int(room.height * (isColumn ? 1 : 0.4) / rowHeight))
        let left = entries.count - rows.prefix(rowsMax).joined().count
        rows = Array(rows.prefix(rowsMax))
        let height = Double(rows.count) * rowHeight
        let width = (texts.map { setting.measure($0, setting.fontSize) }.max() ?? 0) + Self.swatch + Self.gap
        let column = min(width, widthMax) + Self.spacing
        var origin = ChartPoint(room.x, room.y)
        if position == .bottom { origin.y = room.bottom - height }
        if position == .trailing { origin.x = room.right - column + Self.spacing }
        for (line, row) in rows.enumerated() {
            var x = origin.x
            let y = origin.y + Double(line) * rowHeight
            for index in row {
                let isLast = left > 0 && index == rows.last?.last
                let text = isLast ? PageStrings(language: setting.language).more(left + 1) : texts[index]
                let size = setting.measure(text, setting.fontSize)
                if !isLast {
                    entries[index].swatch = ChartRect(
                        x: x,
                        y: y + (rowHeight - Self.swatch) / 2,
                        width: Self.swatch,
                        height: Self.swatch
                    )
                }
                let rect = ChartRect(
                    x: x + Self.swatch + Self.gap,
                    y: y + (rowHeight - setting.fontSize * 1.2) / 2,
                    width: size,
                    height: setting.fontSize * 1.2
                )
                labels.append(
                    ChartLabel(text: text, rect: rect, size: setting.fontSize, role: .legend, anchor: 0)
                )
                x += Self.swatch + Self.gap + size + Self.spacing
            }
        }
        return rest(of: room, height: height + Self.gap, column: column)
    }

    private func rest(of room: ChartRect, height: Double, column: Double) -> ChartRect {
        var rest = room
        switch position {
        case .top:
            rest.y += height
            rest.height -= height
        case .leading:
            rest.x += column
            rest.width -= column
        case .trailing: rest.width -= column
        case .bottom: rest.height -= height
        case .automatic, .hidden, .unknown: break
        }
        rest.width = max(1, rest.width)
        rest.height = max(1, rest.height)
        return rest
    }

    private func truncated(_ text: String, _ width: Double) -> String {
        ChartFit(setting: setting).truncated(text, width)
    }
}

/// Shortens names to the available space.
struct ChartFit {
    /// Upper bound on the length of a name, regardless of the width of the chart.
    private static let charactersMax = 80

    let setting: ChartSetting

    /// Returns the text on one line, with an ellipsis if it does not fit.
    func truncated(_ text: String, _ width: Double) -> String {
        var text = DisplayWidth.sanitized(String(text.prefix(Self.charactersMax + 1)))
        if text.count <= Self.charactersMax, setting.measure(text, setting.fontSize) <= width { return text }
        text = String(text.prefix(Self.charactersMax))
        while !text.isEmpty, setting.measure(text + "…", setting.fontSize) > width { text.removeLast() }
        return text + "…"
    }
}

/// The colours of the series.
struct ChartEntries {
    private(set) var entries: [ChartEntry] = []
    private var indexes: [String: Int] = [:]

    init(_ chart: PageChart) {
        for series in chart.series where indexes[series.name] == nil { add(series.name, series.color) }
        for mark in chart.marks {
            if let name = mark.series, indexes[name] == nil {
                var color: PageColor?
                if let paint = mark.paint { color = paint.color ?? paint.stops?.first?.color }
                add(name, color ?? ChartPalette.color(entries.count))
            }
        }
    }

    func entry(of mark: PageMark) -> Int? { mark.series.flatMap { indexes[$0] } }

    func paint(of mark: PageMark) -> PagePaint {
        if let paint = mark.paint, paint.color != nil || paint.stops?.isEmpty == false { return paint }
        let color = entry(of: mark).map { entries[$0].color } ?? ChartPalette.accent
        return PagePaint(kind: .color, color: color)
    }

    mutating func set(part: String, value: String, of entry: Int) {
        entries[entry].part = part
        entries[entry].value = value
    }

    private mutating func add(_ name: String, _ color: PageColor) {
        indexes[name] = entries.count
        entries.append(ChartEntry(name: name, color: color))
    }
}

/// Colours for series without their own. They also differ in lightness, in both appearances.
package enum ChartPalette {
    package static let accent = PageColor(light: "#0A62DBFF", dark: "#5AA2FFFF")

    private static let colors = [
        accent,
        PageColor(light: "#D9480FFF", dark: "#FF9A5AFF"),
        PageColor(light: "#0B7A5BFF", dark: "#4FD1A5FF"),
        PageColor(light: "#7A3FC4FF", dark: "#BE93FFFF"),
        PageColor(light: "#A8690AFF", dark: "#FFCB52FF"),
        PageColor(light: "#B4236DFF", dark: "#FF85BDFF"),
        PageColor(light: "#0F7C96FF", dark: "#5CCBE4FF"),
        PageColor(light: "#55606EFF", dark: "#AAB4C2FF"),
    ]

    package static func color(_ index: Int) -> PageColor { colors[((index % 8) + 8) % 8] }
}
