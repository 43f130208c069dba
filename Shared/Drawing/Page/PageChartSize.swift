import STContracts

/// How much room a chart takes when nobody says.
struct PageChartSize {
    private let isRound: Bool
    private let isCategoric: Bool
    private let rows: Int

    init(_ chart: PageChart) {
        isRound = chart.marks.contains { $0.kind == .sector }
        // Bars that lie, with a name each.
        isCategoric = chart.marks.contains { $0.kind == .bar && $0.y?.text != nil }
        rows = Set(chart.marks.compactMap { $0.y?.text }).union(chart.y?.categories ?? []).count
    }

    func span(_ direction: PageDirection, width: Double) -> PageSpan {
        if direction == .across { return PageSpan(80, 320, .infinity) }
        let ideal: Double =
            if isRound { min(max(width * 0.6, 140), 280) } else if isCategoric {
                min(max(Double(rows) * 30 + 40, 120), 900)
            } else { 220 }
        return PageSpan(40, ideal, .infinity)
    }
}
