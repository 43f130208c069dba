import STContracts

/// How much room a chart takes when nobody says: as tall as in HTML, and its legend.
struct PageChartSize {
    private static let height = 240.0
    private static let legendHeight = 32.0

    private let hasLegend: Bool

    init(_ chart: PageChart) {
        switch chart.legend ?? .automatic {
        case .automatic, .unknown, .bottom, .top: hasLegend = chart.series.count > 1
        case .hidden, .leading, .trailing: hasLegend = false
        }
    }

    func span(_ direction: PageDirection) -> PageSpan {
        if direction == .across { return PageSpan(80, 320, .infinity) }
        return PageSpan(40, Self.height + (hasLegend ? Self.legendHeight : 0), .infinity)
    }
}
