import STContracts

/// The layout of bars, lines, areas, points and rules between two axes.
struct ChartPlot {
    let chart: PageChart
    let setting: ChartSetting
    let entries: ChartEntries
    private(set) var sides: ChartSides
    private(set) var plot = ChartRect(x: 0, y: 0, width: 1, height: 1)

    init(chart: PageChart, setting: ChartSetting, book: ChartEntries, sides: ChartSides) {
        self.chart = chart
        self.setting = setting
        self.entries = book
        self.sides = sides
    }

    private var lineHeight: Double { setting.fontSize * 1.2 }

    func draw(in room: ChartRect, _ layout: inout ChartLayout) {
        var drawn = self
        drawn.arrange(in: room, &layout)
        layout.plot = drawn.plot
        drawn.drawShapes(&layout)
    }

    private mutating func arrange(in room: ChartRect, _ layout: inout ChartLayout) {
        let fit = ChartFit(setting: setting)
        let hasNotes = chart.marks.contains { $0.note?.isEmpty == false }
        // A number is centred on its line, so the top one extends above the plot.
        var top = sides.y.isHidden || sides.y.kind == .category ? 0 : lineHeight / 2
        if hasNotes, !sides.isHorizontal { top = max(top, lineHeight + 2) }
        let title = sides.y.axis?.label.flatMap { $0.isEmpty || sides.y.isHidden ? nil : $0 }
        if title != nil { top += lineHeight + 4 }
        var below = sides.x.isHidden ? 0 : lineHeight * 1.5 + 2
        let under = sides.x.axis?.label.flatMap { $0.isEmpty || sides.x.isHidden ? nil : $0 }
        if under != nil { below += lineHeight + 2 }
        let height = max(1, room.height - top - below)
        sides.y.finalize(labels: max(1, min(5, Int(height / (lineHeight * 2.2)))))
        var names = yNames(height: height, room: room)
        let isLeading = sides.y.kind == .category || sides.isHorizontal
        let side = names.map { setting.measure($0.text, setting.fontSize) }.max() ?? 0
        let gutter = names.isEmpty ? 0 : min(side, room.width * 0.45) + 8
        for place in names.indices { names[place].text = fit.truncated(names[place].text, gutter - 7.9) }
        let noteSide = hasNotes && sides.isHorizontal ? noteWidth(room) : 0
        plot = ChartRect(
            x: room.x + (isLeading ? gutter : 0),
            y: room.y + top,
            width: max(1, room.width - gutter - noteSide),
            height: height
        )
        sides.x.finalize(labels: max(1, min(6, Int(plot.width / (setting.fontSize * 5)))))
        drawY(names, isLeading: isLeading, gutter: gutter, layout: &layout)
        drawX(room, &layout)
        if let title {
            let text = fit.truncated(title, room.width)
            let width = setting.measure(text, setting.fontSize)
            let x = isLeading ? room.x : room.right - width
            add(
                text,
                rect: ChartRect(x: x, y: room.y, width: width, height: lineHeight),
                role: .title,
                anchor: 0,
                layout: &layout
            )
        }
        if let under {
            let text = fit.truncated(under, plot.width)
            let width = setting.measure(text, setting.fontSize)
            let rect = ChartRect(
                x: plot.middle.x - width / 2,
                y: room.bottom - lineHeight,
                width: width,
                height: lineHeight
            )
            add(text, rect: rect, role: .title, anchor: 0.5, layout: &layout)
        }
    }

    private func noteWidth(_ room: ChartRect) -> Double {
        let widths = chart.marks.compactMap(\.note).map { setting.measure($0, setting.fontSize) }
        return min((widths.max() ?? 0) + 6, room.width * 0.3)
    }

    private func yNames(height: Double, room: ChartRect) -> [ChartTick] {
        guard !sides.y.isHidden else { return [] }
        let ticks = ChartTicks(scale: sides.y)
        if let own = ticks.own() { return own }
        switch sides.y.kind {
        case .single: return []
        case .number: return ticks.numbers(max(1, min(5, Int(height / (lineHeight * 2.2)))))
        case .category:
            let all = ticks.categories()
            let every = max(1, Int((lineHeight * Double(all.count) / height).rounded(.up)))
            let fit = ChartFit(setting: setting)
            return stride(from: 0, to: all.count, by: every).map { index in
                ChartTick(value: all[index].value, text: fit.truncated(all[index].text, room.width * 0.35))
            }
        case .moment:
            return ticks.moments().first { Double($0.count) * lineHeight * 1.5 <= height } ?? []
        }
    }

    private func drawY(
        _ names: [ChartTick],
        isLeading: Bool,
        gutter: Double,
        layout: inout ChartLayout
    ) {
        var last = ChartRect(x: 0, y: -1e9, width: 1e9, height: 0)
        for tick in names {
            let y = place(sides.y, tick.value, isY: true)
            if sides.y.kind == .number { line(y: y, isBase: tick.value == 0, &layout) }
            let width = setting.measure(tick.text, setting.fontSize)
            let x = isLeading ? plot.x - gutter : plot.right + 6
            var rect = ChartRect(x: x, y: y - lineHeight / 2, width: width, height: lineHeight)
            if isLeading, sides.y.kind != .category { rect.x = plot.x - 8 - width }
            guard !rect.overlaps(ChartRect(x: rect.x, y: last.y, width: width, height: last.height)) else {
                continue
            }
            last = rect
            if !tick.text.isEmpty { add(tick.text, rect: rect, role: .axis, anchor: 0, layout: &layout) }
        }
    }

    private func drawX(_ room: ChartRect, _ layout: inout ChartLayout) {
        guard !sides.x.isHidden else { return }
        // The names are below the lower half of a number at the bottom.
        let y = plot.bottom + lineHeight / 2 + 1
        for (tick, rect) in xNames(room, y: y) where !tick.text.isEmpty {
            add(tick.text, rect: rect, role: .axis, anchor: startsAtTicks ? 0 : 0.5, layout: &layout)
        }
        guard sides.x.kind == .number else {
            if sides.y.kind != .number { line(y: plot.bottom, isBase: true, &layout) }
            return
        }
        let ticks = ChartTicks(scale: sides.x)
        for tick in ticks.own() ?? ticks.numbers(xCount) {
            let x = place(sides.x, tick.value, isY: false)
            layout.lines.append(
                ChartLine(
                    from: ChartPoint(x, plot.y),
                    to: ChartPoint(x, plot.bottom),
                    isBase: tick.value == 0
                )
            )
        }
    }

    private var xCount: Int { max(1, min(6, Int(plot.width / (setting.fontSize * 5)))) }

    private func xNames(_ room: ChartRect, y: Double) -> [(ChartTick, ChartRect)] {
        let ticks = ChartTicks(scale: sides.x)
        let candidates: [[ChartTick]]
        if let own = ticks.own() { return xNames(of: thinned(own), room, y: y) }
        switch sides.x.kind {
        case .single: return []
        case .number:
            let all = ticks.numbers(xCount)
            candidates = thinned(all)
        case .moment: candidates = ticks.moments()
        case .category: candidates = xCategories(ticks.categories())
        }
        return xNames(of: candidates, room, y: y)
    }

    /// Returns all ticks, every second one, and so on.
    private func thinned(_ ticks: [ChartTick]) -> [[ChartTick]] {
        [1, 2, 3, 4].map { every in stride(from: 0, to: ticks.count, by: every).map { ticks[$0] } }
    }

    /// Returns the first candidate whose names do not overlap.
    private func xNames(
        of candidates: [[ChartTick]],
        _ room: ChartRect,
        y: Double
    ) -> [(ChartTick, ChartRect)] {
        var fallback: [(ChartTick, ChartRect)] = []
        for candidate in candidates where !candidate.isEmpty {
            let placed = candidate.map { ($0, rect(of: $0, room, y: y)) }
            if fits(placed.map(\.1)) { return placed }
            if fallback.isEmpty { fallback = placed }
        }
        // One name is better than overlapping names.
        return Array(fallback.prefix(1))
    }

    /// Returns category names cut to their space. If there is very little, later candidates contain only some of them.
    private func xCategories(_ all: [ChartTick]) -> [[ChartTick]] {
        let band = plot.width / Double(max(1, all.count))
        let fit = ChartFit(setting: setting)
        return [1, 2, 3, 4, 6, 8, 12, 24, 48, 100, 200, 500, 1000].compactMap { every in
            let width = band * Double(every) - 6
            let texts = stride(from: 0, to: all.count, by: every).map { index in
                ChartTick(value: all[index].value, text: fit.truncated(all[index].text, width))
            }
            let isReadable = texts.allSatisfy { $0.text.count > 3 || !$0.text.hasSuffix("…") }
            return isReadable || every >= all.count ? texts : nil
        }
    }

    private func rect(of tick: ChartTick, _ room: ChartRect, y: Double) -> ChartRect {
        let width = setting.measure(tick.text, setting.fontSize)
        let at = place(sides.x, tick.value, isY: false)
        // The name of a moment starts at its tick. The name of a day or a category is centred below it.
        let x = startsAtTicks ? at : at - width / 2
        return ChartRect(
            x: max(room.x, min(x, room.right - width)),
            y: y,
            width: width,
            height: lineHeight
        )
    }

    private var startsAtTicks: Bool { sides.x.kind == .moment && !sides.x.isLocal }

    private func fits(_ rects: [ChartRect]) -> Bool {
        zip(rects, rects.dropFirst()).allSatisfy { $0.right + 6 <= $1.x }
    }

    private func line(y: Double, isBase: Bool, _ layout: inout ChartLayout) {
        layout.lines.append(
            ChartLine(from: ChartPoint(plot.x, y), to: ChartPoint(plot.right, y), isBase: isBase)
        )
    }

    private func add(
        _ text: String,
        rect: ChartRect,
        role: ChartLabel.Role,
        anchor: Double,
        layout: inout ChartLayout
    ) {
        layout.labels.append(
            ChartLabel(text: text, rect: rect, size: setting.fontSize, role: role, anchor: anchor)
        )
    }

    /// Converts a value of a scale to points. Categories go down, numbers go up.
    func place(_ scale: ChartScale, _ value: Double, isY: Bool) -> Double {
        let part = scale.part(value)
        guard isY else { return plot.x + part * plot.width }
        let goesDown = scale.kind == .category || scale.kind == .single
        return goesDown ? plot.y + part * plot.height : plot.bottom - part * plot.height
    }

    private func drawShapes(_ layout: inout ChartLayout) {
        let marks = ChartMarks(plot: self)
        marks.areas(&layout)
        marks.bars(&layout)
        marks.rules(&layout)
        marks.lines(&layout)
        marks.points(&layout)
        marks.notes(&layout)
    }
}
