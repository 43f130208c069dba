import STContracts

/// The two axes of a chart, and the intervals of its bars.
struct ChartSides {
    let chart: PageChart
    var x: ChartScale
    var y: ChartScale
    let isHorizontal: Bool
    /// The interval of values of each bar and area, by the index of its mark.
    private(set) var intervals: [Int: (from: Double, to: Double)] = [:]
    /// The indexes of the marks that are stacked on others.
    private(set) var stacked: Set<Int> = []
    let groups: [String]
    /// The distance between values that have no width.
    private(set) var keyGap = 0.0

    private struct Stack {
        var up = 0.0
        var down = 0.0
        var marks: [Int] = []
    }

    private struct StackKey: Hashable {
        var at: Double
        var group: String?
        var isArea: Bool
    }

    init(_ chart: PageChart, _ setting: ChartSetting) {
        self.chart = chart
        let clock = PageClock(zone: setting.zone, language: setting.language)
        let marks = chart.marks
        x = ChartScale(
            chart.x,
            data: marks.flatMap { [$0.x, $0.xEnd].compactMap { $0 } },
            clock: clock,
            language: setting.language
        )
        y = ChartScale(
            chart.y,
            data: marks.flatMap { [$0.y, $0.yEnd].compactMap { $0 } },
            clock: clock,
            language: setting.language
        )
        // Bars grow along numbers, and are placed at values of another kind.
        let order: (ChartScale.Kind) -> Int = { kind in
            switch kind {
            case .number: 0
            case .moment: 1
            case .category: 2
            case .single: 3
            }
        }
        let lies = marks.contains { $0.xEnd != nil } && !marks.contains { $0.yEnd != nil }
        isHorizontal =
            order(y.kind) > order(x.kind) || (lies && y.kind == .category)
        var groups: [String] = []
        for mark in marks {
            if let group = mark.group, !groups.contains(group), groups.count < 50 { groups.append(group) }
        }
        self.groups = groups
    }

    var keys: ChartScale { isHorizontal ? y : x }
    var values: ChartScale { isHorizontal ? x : y }

    func key(of mark: PageMark) -> PageDatum? { isHorizontal ? mark.y : mark.x }
    func keyEnd(of mark: PageMark) -> PageDatum? { isHorizontal ? mark.yEnd : mark.xEnd }
    func value(of mark: PageMark) -> PageDatum? { isHorizontal ? mark.x : mark.y }
    func valueEnd(of mark: PageMark) -> PageDatum? { isHorizontal ? mark.xEnd : mark.yEnd }

    /// Stacks marks at the same position, and extends the ranges of both axes.
    mutating func measure() {
        var piles: [StackKey: Stack] = [:]
        for (index, mark) in chart.marks.enumerated() {
            switch mark.kind {
            case .bar, .area: pile(index, mark: mark, piles: &piles)
            case .line, .point, .rule: include(mark)
            case .sector, .unknown: break
            }
        }
        for pile in piles.values where pile.marks.count > 1 { stacked.formUnion(pile.marks) }
        finishKeys()
    }

    private mutating func pile(_ index: Int, mark: PageMark, piles: inout [StackKey: Stack]) {
        let span = keys.span(key(of: mark))
        includeKey(span.from)
        includeKey(keyEnd(of: mark).map { keys.span($0).from } ?? span.to)
        var interval = values.span(value(of: mark))
        if values.kind != .category, let end = valueEnd(of: mark) {
            interval.to = values.span(end).from
            interval = (min(interval.from, interval.to), max(interval.from, interval.to))
        } else if values.kind == .number {
            let place = StackKey(at: span.from, group: mark.group, isArea: mark.kind == .area)
            let size = interval.from
            var pile = piles[place] ?? Stack()
            interval = size < 0 ? (pile.down + size, pile.down) : (pile.up, pile.up + size)
            if size < 0 { pile.down += size } else { pile.up += size }
            if size != 0 { pile.marks.append(index) }
            piles[place] = pile
        }
        intervals[index] = interval
        includeValue(interval.from)
        includeValue(interval.to)
    }

    private mutating func include(_ mark: PageMark) {
        for (datum, isX) in [(mark.x, true), (mark.xEnd, true), (mark.y, false), (mark.yEnd, false)] {
            guard let datum else { continue }
            let span = isX ? x.span(datum) : y.span(datum)
            if isX { x.include(span.from) } else { y.include(span.from) }
            if isX { x.include(span.to) } else { y.include(span.to) }
        }
    }

    /// Sets the width of bars at numbers and at moments without a step. They get the smallest distance between two of them.
    private mutating func finishKeys() {
        guard keys.kind == .number || keys.kind == .moment, keys.step == nil else { return }
        let places = Set(
            chart.marks.filter { $0.kind == .bar && keyEnd(of: $0) == nil }.map {
                keys.span(key(of: $0)).from
            }
        ).sorted()
        guard let first = places.first, let last = places.last else { return }
        keyGap = zip(places.dropFirst(), places).map { $0 - $1 }.min() ?? max(1, abs(first) * 0.5)
        includeKey(first - keyGap / 2)
        includeKey(last + keyGap / 2)
    }

    private mutating func includeKey(_ value: Double) {
        if isHorizontal { y.include(value) } else { x.include(value) }
    }

    private mutating func includeValue(_ value: Double) {
        if isHorizontal { x.include(value) } else { y.include(value) }
    }
}
