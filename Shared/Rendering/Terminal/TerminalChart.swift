import STContracts
import STPlatform

/// A chart as lines of a terminal.
struct TerminalChart {
    /// Upper bound on the horizontal bars. A chart with more positions has vertical columns, unless the positions are categories.
    private static let horizontalMax = 14
    private static let rows = 5
    private static let barMax = 50
    /// The fills of series: blocks, then letters. They distinguish the series without colours.
    private static let fills =
        ["█", "▓", "▒", "░"] + "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".map { String($0) }

    let chart: PageChart
    let columns: Int
    let language: String
    let zone: String?
    /// The chosen mark, from 1 on. 0 means none.
    let chosen: Int

    private struct Row {
        var name: String
        var parts: [(entry: Int?, color: PageColor?, value: Double)] = []
        /// The signed sum of the parts.
        var total = 0.0
        var value: String
        var part: String?
        var isChosen = false

        var sum: Double { parts.reduce(0) { $0 + $1.value } }
    }

    private var setting: ChartSetting {
        ChartSetting(
            width: Double(columns),
            height: 40,
            language: language,
            zone: zone,
            fontSize: 1,
            measure: { text, _ in Double(DisplayWidth.columns(text)) }
        )
    }

    func lines() -> [TerminalLine] {
        let words = PageStrings(language: language)
        guard !chart.marks.isEmpty else { return [TerminalLine(words.noData, TerminalStyle.dim)] }
        let layout = ChartLayout(chart, setting)
        if layout.isPie { return horizontalBars(pieces(layout), layout) }
        var sides = ChartSides(chart, setting)
        sides.measure()
        if sides.isHorizontal, sides.values.kind == .moment { return strips(sides) }
        let kinds = Set(chart.marks.map(\.kind))
        let rows = kinds.contains(.bar) ? bars(sides, layout) : values(layout)
        let isDense = count(sides, rows) > Self.horizontalMax && sides.keys.kind != .category
        // Block characters cannot draw columns below zero.
        guard !rows.contains(where: { $0.total < 0 }) else { return horizontalBars(rows, layout) }
        if isDense || kinds.isDisjoint(with: [.bar, .rule, .point]) { return verticalBars(sides, layout) }
        return horizontalBars(rows, layout)
    }

    /// Returns the number of positions for bars, including empty ones.
    private func count(_ sides: ChartSides, _ rows: [Row]) -> Int {
        var keys = sides.keys
        keys.finalize(labels: 4)
        let step = keys.kind == .moment ? keys.stepLength(at: keys.lower) : 0
        guard step > 0 else { return rows.count }
        return max(rows.count, Int(min((keys.upper - keys.lower) / step, 1e6)))
    }

    private func pieces(_ layout: ChartLayout) -> [Row] {
        let book = ChartEntries(chart)
        return chart.marks.enumerated().filter { $0.element.kind == .sector }.map { index, mark in
            let row = layout.rows[index]
            let color = HTMLPaint.flat(book.paint(of: mark))
            return Row(
                name: row.key,
                parts: [(nil, color, max(0, mark.angle ?? 0))],
                value: row.value,
                part: row.part,
                isChosen: chosen == index + 1
            )
        }
    }

    private func bars(_ sides: ChartSides, _ layout: ChartLayout) -> [Row] {
        let book = ChartEntries(chart)
        var places: [String: Int] = [:]
        var rows: [Row] = []
        for (index, mark) in chart.marks.enumerated() where mark.kind == .bar {
            let row = layout.rows[index]
            let name = mark.group.map { row.key == $0 ? row.key : row.key + " · " + $0 } ?? row.key
            let interval = sides.intervals[index].map { $0.to - $0.from } ?? 0
            let part = (
                entry: book.entry(of: mark), color: HTMLPaint.flat(book.paint(of: mark)), value: abs(interval)
            )
            if let place = places[name] {
                rows[place].parts.append(part)
                rows[place].total += row.number ?? part.value
                rows[place].value = ChartScale.number(
                    rows[place].total,
                    unit: sides.values.unit,
                    language: language
                )
            } else {
                places[name] = rows.count
                // The note of a bar is shown instead of its value.
                rows.append(
                    Row(
                        name: name,
                        parts: [part],
                        total: row.number ?? part.value,
                        value: mark.note ?? row.value
                    )
                )
            }
            if chosen == index + 1 { rows[rows.count - 1].isChosen = true }
        }
        return rows
    }

    private func values(_ layout: ChartLayout) -> [Row] {
        layout.rows.map { row in
            let name = [row.key, row.series].compactMap { $0 }.joined(separator: " · ")
            return Row(
                name: name,
                parts: [(nil, nil, abs(row.number ?? 0))],
                total: row.number ?? 0,
                value: row.value
            )
        }
    }

    /// Returns a line for each bar: the name, the bar, the value and the share.
    private func horizontalBars(_ rows: [Row], _ layout: ChartLayout) -> [TerminalLine] {
        let names = rows.map { DisplayWidth.sanitized(String($0.name.prefix(200))) }
        let values = rows.map { DisplayWidth.sanitized($0.value) }
        let valueWidth = values.map(DisplayWidth.columns).max() ?? 0
        // A narrow window has no space for the share, so only the value is shown.
        let partWidth =
            columns < 32 ? 0 : rows.compactMap(\.part).map { DisplayWidth.columns($0) + 2 }.max() ?? 0
        let left = columns - valueWidth - partWidth - 4
        let nameWidth = min(names.map(DisplayWidth.columns).max() ?? 0, max(4, left * 2 / 5))
        let barWidth = max(1, min(Self.barMax, left - nameWidth))
        let top = rows.map(\.sum).max() ?? 0
        let isMixed = rows.contains { $0.parts.count > 1 }
        var lines = rows.enumerated().map { index, row in
            var line = TerminalLine(
                DisplayWidth.fitted(names[index], nameWidth),
                row.isChosen ? TerminalStyle.bold : nil
            )
            line.add("  ")
            line.add(bar(row, of: top, width: barWidth, isMixed: isMixed))
            line.pad(to: nameWidth + 2 + barWidth)
            line.add("  " + DisplayWidth.paddedLeft(values[index], valueWidth))
            if let part = row.part, partWidth > 0 {
                line.add(DisplayWidth.paddedLeft(part, partWidth), TerminalStyle.dim)
            }
            return line
        }
        if isMixed { lines += legend(layout) }
        return lines
    }

    private func bar(_ row: Row, of top: Double, width: Int, isMixed: Bool) -> TerminalLine {
        guard isMixed else {
            let part = row.parts.first
            return TerminalLine(
                TerminalBar.text(row.sum, of: top, columns: width),
                TerminalStyle.color(part?.color ?? ChartPalette.accent)
            )
        }
        // Each part fills whole columns, and each series has its own character, because not every reader sees colours.
        var line = TerminalLine()
        var sum = 0.0
        for part in row.parts where top > 0 {
            sum += part.value
            let end = Int((sum / top * Double(width)).rounded())
            let fill = Self.fills[(part.entry ?? 0) % Self.fills.count]
            line.add(
                String(repeating: fill, count: max(0, end - line.width)),
                TerminalStyle.color(part.color)
            )
        }
        return line
    }

    private func legend(_ layout: ChartLayout) -> [TerminalLine] {
        guard layout.entries.count > 1, chart.legend != .hidden else { return [] }
        var lines = [TerminalLine()]
        for (place, entry) in layout.entries.enumerated() {
            let name = DisplayWidth.truncated(DisplayWidth.sanitized(entry.name), max(4, columns - 4))
            let width = DisplayWidth.columns(name) + 2
            if lines[lines.count - 1].width + width + 2 > columns { lines.append(TerminalLine()) }
            if lines[lines.count - 1].width > 0 { lines[lines.count - 1].add("  ") }
            lines[lines.count - 1].add(
                Self.fills[place % Self.fills.count],
                TerminalStyle.color(entry.color)
            )
            lines[lines.count - 1].add(" " + name)
        }
        return lines
    }

    /// Returns a low chart of vertical columns for many values, with the highest value at its top.
    private func verticalBars(_ sides: ChartSides, _ layout: ChartLayout) -> [TerminalLine] {
        var keys = sides.keys
        var scale = sides.values
        keys.finalize(labels: 4)
        scale.finalize(labels: 4)
        var sums: [Double: Double] = [:]
        for (index, mark) in chart.marks.enumerated() where mark.kind != .rule && mark.kind != .sector {
            let key = keys.span(sides.key(of: mark)).from
            let value = sides.intervals[index]?.to ?? scale.span(sides.value(of: mark)).from
            sums[key] = max(sums[key] ?? 0, value)
        }
        let top = sums.values.max() ?? 0
        let topName = ChartScale.number(top, unit: scale.unit, language: language)
        let side = DisplayWidth.columns(topName) + 1
        var width = max(8, min(columns - side, 120))
        // Each position gets the same number of terminal columns, so that the distances are equal.
        let step = keys.kind == .moment ? keys.stepLength(at: keys.lower) : 0
        let places = step > 0 ? Int(((keys.upper - keys.lower) / step).rounded()) : 0
        if places > 0, places <= width { width = places * (width / places) }
        var cells = [Double](repeating: 0, count: width)
        for (key, value) in sums {
            let length = max(keys.stepLength(at: key), sides.keyGap)
            let from = Int((keys.part(key) * Double(width)).rounded())
            let end = Int((keys.part(key + length) * Double(width)).rounded())
            // Adjacent columns look like one bar, so wide ones are separated by a blank.
            let last = end - from > 1 ? end - 1 : max(end, from + 1)
            for cell in min(from, width - 1)..<max(min(last, width), min(from, width - 1) + 1) {
                cells[cell] = max(cells[cell], value)
            }
        }
        let drawn = cells.map { TerminalBar.column($0, of: top, rows: Self.rows) }
        let color = TerminalStyle.color(
            layout.entries.count == 1 ? layout.entries[0].color : ChartPalette.accent
        )
        var lines = (0..<Self.rows).map { row in
            var line = TerminalLine(drawn.map { $0[row] }.joined(), color)
            if row == 0 { line.add(" " + topName, TerminalStyle.dim) }
            return line
        }
        lines.append(axis(keys, width))
        return lines
    }

    /// Returns the names below the chart: the first set that fits.
    private func axis(_ scale: ChartScale, _ width: Int) -> TerminalLine {
        let ticks = ChartTicks(scale: scale)
        var candidates: [[ChartTick]]
        switch scale.kind {
        case .moment: candidates = ticks.moments()
        case .number: candidates = [ticks.numbers(6), ticks.numbers(3)]
        case .category:
            let all = ticks.categories()
            candidates = [1, 2, 3, 4, 6, 12, 24, 100, 1000].map { every in
                stride(from: 0, to: all.count, by: every).map { all[$0] }
            }
        case .single: candidates = []
        }
        for candidate in candidates where !candidate.isEmpty {
            var line = TerminalLine()
            var fits = true
            for tick in candidate {
                let text = DisplayWidth.sanitized(tick.text)
                let size = DisplayWidth.columns(text)
                var at = Int(scale.part(tick.value) * Double(width))
                if scale.kind == .category || scale.isLocal { at -= size / 2 }
                at = max(0, min(at, width - size))
                if at < line.width + (line.width > 0 ? 1 : 0) { fits = false }
                line.pad(to: at)
                line.add(text, TerminalStyle.dim)
            }
            if fits { return line }
        }
        return TerminalLine()
    }

    /// Returns a strip of time for each name, which shows its intervals.
    private func strips(_ sides: ChartSides) -> [TerminalLine] {
        var scale = sides.values
        scale.finalize(labels: 4)
        let book = ChartEntries(chart)
        var order: [String] = []
        var spans: [String: [(from: Double, to: Double, color: PageColor?)]] = [:]
        for (index, mark) in chart.marks.enumerated() {
            guard let interval = sides.intervals[index] else { continue }
            let name = sides.key(of: mark).map(sides.keys.accessibilityText) ?? ""
            if spans[name] == nil { order.append(name) }
            spans[name, default: []].append(
                (interval.from, interval.to, HTMLPaint.flat(book.paint(of: mark)))
            )
        }
        let names = order.map { DisplayWidth.sanitized(String($0.prefix(200))) }
        let nameWidth = min(names.map(DisplayWidth.columns).max() ?? 0, columns / 3)
        let width = max(8, min(columns - nameWidth - 2, 120))
        var lines = zip(order, names).map { key, name in
            var line = TerminalLine(DisplayWidth.fitted(name, nameWidth) + (nameWidth > 0 ? "  " : ""))
            var cells = [PageColor??](repeating: nil, count: width)
            for span in spans[key] ?? [] where span.to > span.from {
                let from = min(Int(scale.part(span.from) * Double(width)), width - 1)
                let end = max(from + 1, Int((scale.part(span.to) * Double(width)).rounded()))
                for cell in from..<min(end, width) { cells[cell] = .some(span.color) }
            }
            for cell in cells {
                if let color = cell {
                    line.add("█", TerminalStyle.color(color))
                } else {
                    line.add("·", TerminalStyle.dim)
                }
            }
            return line
        }
        var foot = TerminalLine(String(repeating: " ", count: nameWidth > 0 ? nameWidth + 2 : 0))
        foot.add(axis(scale, width))
        lines.append(foot)
        return lines
    }
}
