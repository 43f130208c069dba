import Charts
import Foundation
import STContracts
import SwiftUICore
import Testing

@Suite("Sector marks")
@MainActor
struct SectorTests {
    @Test("A pie chart has slices with radius, gap, colour and series")
    func slices() throws {
        let chart = try ChartDesk.chart(
            Chart(AppTime.three, id: \.self) { app in
                SectorMark(
                    angle: .value("Time", app.seconds),
                    innerRadius: .ratio(0.6),
                    outerRadius: .inset(10),
                    angularInset: 2
                )
                .cornerRadius(3)
                .foregroundStyle(by: .value("App", app.name))
                .opacity(0.5)
            }
        )
        #expect(chart.marks.map(\.angle) == [60, 180, 120])
        #expect(chart.marks.map(\.series) == ["Mail", "Game", "Chat"])
        #expect(chart.series.map(\.name) == ["Mail", "Game", "Chat"])
        #expect(Set(chart.series.map(\.color.light)).count == 3)
        let mark = chart.marks[0]
        #expect(mark.kind == .sector && mark.paint == nil && mark.opacity == 0.5 && mark.corner == 3)
        #expect(mark.inner == PageRadius(kind: .ratio, value: 0.6))
        #expect(mark.outer == PageRadius(kind: .inset, value: 10) && mark.inset == 2)
        #expect(chart.keyName == "App" && chart.valueName == "Time")
        #expect(chart.x == nil && chart.y == nil && chart.legend == nil)
    }

    @Test(
        "Invalid slices are left out of a pie chart",
        arguments: [-1, Double.nan, Double.infinity, -Double.infinity]
    )
    func impossible(_ number: Double) throws {
        let chart = try ChartDesk.chart(
            Chart {
                SectorMark(angle: .value("a", number))
                SectorMark(angle: .value("a", 2))
                SectorMark(angle: .value("a", 0), innerRadius: .ratio(number), angularInset: number)
            }
        )
        #expect(chart.marks.map(\.angle) == [2, 0])
        #expect(chart.marks[1].inset == nil)
        #expect(chart.marks[1].inner?.value.map { (0...1).contains($0) } ?? true)
    }

    @Test("The colour of a slice takes precedence over a colour of its group")
    func paints() throws {
        let chart = try ChartDesk.chart(
            Chart {
                Plot {
                    SectorMark(angle: .value("a", 1)).foregroundStyle(Color.red)
                    SectorMark(angle: .value("a", 1))
                }
                .foregroundStyle(Color.green)
                .opacity(0.5)
                SectorMark(angle: .value("a", 1)).opacity(0.5).opacity(0.5)
            }
        )
        let colors = chart.marks.map { $0.paint?.color }
        #expect(Set(colors.map { $0?.light }).count == 3 && !colors.contains(nil))
        #expect(chart.marks.map(\.opacity) == [0.5, 0.5, 0.25])
        // Colours without a meaning need no legend.
        #expect(chart.legend == .hidden && chart.series.isEmpty)
    }

    @Test("A pie chart uses a custom colour scale for its names")
    func scale() throws {
        let chart = Chart(AppTime.three) { app in
            SectorMark(angle: .value("Time", app.seconds)).foregroundStyle(by: .value("App", app.name))
        }
        let mapped = try ChartDesk.chart(
            chart.chartForegroundStyleScale(["Chat": Color.red, "Absent": .blue, "Mail": .green])
        )
        #expect(mapped.series.map(\.name) == ["Chat", "Mail", "Game"])
        let red = try ChartDesk.chart(Chart { SectorMark(angle: .value("", 1)).foregroundStyle(Color.red) })
        #expect(mapped.series[0].color == red.marks[0].paint?.color)
        let ordered = try ChartDesk.chart(chart.chartForegroundStyleScale(domain: ["Game", "Mail"]))
        #expect(ordered.series.map(\.name) == ["Game", "Mail", "Chat"])
        let ranged = try ChartDesk.chart(chart.chartForegroundStyleScale(range: [Color.red, .green]))
        #expect(ranged.series[0].color == ranged.series[2].color)
        #expect(ranged.series[0].color != ranged.series[1].color)
    }

    @Test("Selecting a slice is a choice of the page that dims the other slices")
    func selection() throws {
        let page = try PageBuilder.page(of: ChoosingPie())
        let control = try #require(page.controls.first)
        #expect(control.kind == .selection && control.chosen == 0)
        #expect(
            control.options == ["", "Mail", "Game", "Chat"]
                && page.variants.map(\.chosen) == [[0], [1], [2], [3]]
        )
        let charts = ChartDesk.charts(page)
        #expect(charts.allSatisfy { $0.control == 0 })
        #expect(
            charts.map { $0.marks.map(\.opacity) } == [
                [1, 1, 1], [1, 0.3, 0.3], [0.3, 1, 0.3], [0.3, 0.3, 1],
            ]
        )
        let words = page.variants.map { $0.nodes.compactMap { $0.runs?.first?.text } }
        #expect(words == [["All"], ["Mail"], ["Game"], ["Chat"]])
    }

    private struct ChoosingPie: View {
        @State private var angle: Double?

        private var chosen: String? {
            guard let angle else { return nil }
            var sum = 0.0
            for app in AppTime.three {
                sum += app.seconds
                if angle < sum { return app.name }
            }
            return nil
        }

        var body: some View {
            VStack {
                Chart(AppTime.three) { app in
                    SectorMark(angle: .value("Time", app.seconds))
                        .foregroundStyle(by: .value("App", app.name))
                        .opacity(chosen == nil || chosen == app.name ? 1 : 0.3)
                }
                .chartAngleSelection(value: $angle)
                Text(chosen ?? "All")
            }
        }
    }

    @Test("Slices can be selected by name, up to the limit of variants")
    func names() throws {
        let page = try PageBuilder.page(of: NamedPie(count: 3))
        #expect(ChartDesk.charts(page).map { $0.marks.map(\.opacity) }[2] == [0.3, 1, 0.3])
        let many = try PageBuilder.page(of: NamedPie(count: 100))
        #expect(many.variants.count == PageLimits.variants && ChartDesk.charts(many)[0].marks.count == 100)
    }

    private struct NamedPie: View {
        let count: Int
        @State private var name: String?

        var body: some View {
            Chart {
                ForEach(0..<count) { number in
                    SectorMark(angle: .value("Time", 1))
                        .foregroundStyle(by: .value("App", "App \(number)"))
                        .opacity(name == "App \(number)" ? 1 : 0.3)
                }
            }
            .chartAngleSelection(value: $name)
        }
    }
}
