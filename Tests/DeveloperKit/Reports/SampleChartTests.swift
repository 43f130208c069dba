import STContracts
import STFrameworkSamples
import STRendering
import SwiftUI
import Testing

@Suite("Sample charts")
@MainActor
struct SampleChartTests {
    @Test("A sample chart of days has colours, a mean, axis labels and a selection")
    func days() throws {
        let page = try PageBuilder.page(of: DaysChart(days: DayUse.sample))
        try PageCheck.check(page)
        let chart = try #require(page.variants[0].nodes.compactMap(\.chart).first)
        #expect(chart.marks.count == 15 && chart.marks.last?.kind == .rule)
        #expect(chart.marks.last?.note?.hasPrefix("Mean 2.") == true)
        #expect(chart.series.map(\.name) == ["Work", "Play"] && chart.legend == .bottom)
        #expect(
            chart.x?.ticks?.count == 7 && chart.x?.ticks?.allSatisfy { $0.label?.isEmpty == false } == true
        )
        #expect(chart.y?.ticks?.first?.label == "0h" && chart.y?.to == 12)
        #expect(page.controls.map(\.kind) == [.selection])
        // Both bars of the selected day keep their opacity, and all others are dimmed.
        let second = ChartOpacities(page, chosen: 3)
        #expect(second.bright == [2, 3] && second.dimmed == 12)
    }

    private struct ChartOpacities {
        var bright: [Int] = []
        var dimmed = 0

        init(_ page: Page, chosen: Int) {
            let variant = page.variants.first { $0.chosen == [chosen] }
            let bars = variant?.nodes.compactMap(\.chart).first?.marks.filter { $0.kind == .bar } ?? []
            bright = bars.indices.filter { bars[$0].opacity == 1 }
            dimmed = bars.filter { $0.opacity == 0.4 }.count
        }
    }

    @Test("Sample charts have lines, areas and points")
    func lines() throws {
        let page = try PageBuilder.page(of: LinesChart(days: DayUse.sample))
        try PageCheck.check(page)
        let chart = try #require(page.variants[0].nodes.compactMap(\.chart).first)
        #expect(chart.marks.prefix(3).map(\.kind) == [.area, .line, .point])
        #expect(chart.marks[1].series == "Work" && chart.marks[2].says == "Work, 0.500000 hours")
        #expect(chart.x?.isHidden == true && chart.legend == .hidden)
    }

    @Test("A page with a switch shows one report at a time")
    func page() throws {
        let page = try PageBuilder.page(of: GraphPage())
        let contexts = page.variants.map { $0.nodes.compactMap { $0.report?.context } }
        #expect(contexts == [["ring"], ["days"]])
        #expect(page.controls.first?.options == ["Ring", "Days"])
        let filters = page.variants[0].nodes.compactMap { $0.report?.filter }
        let filter = try #require(filters.first)
        #expect(filter.segment == .day && filter.users == .all && filter.models == [.iPhone, .mac])
    }
}
