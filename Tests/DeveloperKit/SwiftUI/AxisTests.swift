import Foundation
import STContracts
import STRendering
import SwiftUICore
import Testing

@testable import Charts

@Suite("Chart axes")
@MainActor
struct AxisTests {
    private var chart: some View {
        Chart(AppTime.three) { app in
            BarMark(x: .value("App", app.name), y: .value("Time", app.seconds))
        }
    }

    @Test("An axis can be hidden, labelled and scaled")
    func settings() throws {
        let plain = try ChartDesk.chart(chart)
        #expect(plain.x == PageAxis(unit: .category) && plain.y == PageAxis(unit: .number))
        #expect(try ChartDesk.chart(chart.chartXAxis(.hidden)).x?.isHidden == true)
        #expect(try ChartDesk.chart(chart.chartYAxis {}).y?.isHidden == true)
        let named = try ChartDesk.chart(chart.chartXAxisLabel("App").chartYAxisLabel { Text("Time") })
        #expect(named.x?.label == "App" && named.y?.label == "Time")
        let scaled = try ChartDesk.chart(
            chart.chartXScale(domain: ["Chat", "Mail"]).chartYScale(domain: 0...200)
        )
        #expect(scaled.x?.categories == ["Chat", "Mail"] && scaled.y?.from == 0 && scaled.y?.to == 200)
        #expect(try ChartDesk.chart(chart.chartYScale(domain: .automatic(includesZero: true))).y?.to == nil)
        #expect(try ChartDesk.chart(chart.chartLegend(.hidden)).legend == .hidden)
        #expect(try ChartDesk.chart(chart.chartLegend(position: .top, alignment: .leading)).legend == .top)
    }

    @Test("An axis shows the labels of the app")
    func words() throws {
        let minutes = chart.chartYAxis {
            AxisMarks(position: .leading) { value in
                AxisGridLine()
                AxisValueLabel {
                    if let seconds = value.as(Double.self) { Text("\(Int(seconds / 60)) m") }
                }
            }
        }
        let ticks = try #require(try ChartDesk.chart(minutes).y?.ticks)
        #expect(ticks.map(\.at.number) == [0, 50, 100, 150])
        #expect(ticks.map(\.label) == ["0 m", "0 m", "1 m", "2 m"])

        let chosen = try ChartDesk.chart(chart.chartYAxis { AxisMarks(values: [0, 90, 180]) })
        #expect(chosen.y?.ticks?.map(\.label) == ["0", "90", "180"])
        let lines = try ChartDesk.chart(
            chart.chartYAxis { AxisMarks(values: .stride(by: 100)) { AxisGridLine() } }
        )
        #expect(lines.y?.ticks == [PageTick(at: PageDatum(number: 0)), PageTick(at: PageDatum(number: 100))])
        let percent = try ChartDesk.chart(
            chart.chartYAxis { AxisMarks(format: FloatingPointFormatStyle<Double>.Percent()) }
        )
        #expect(percent.y?.unit == .percent)
        // Without custom labels, the page chooses the ticks.
        #expect(try ChartDesk.chart(chart.chartYAxis { AxisMarks() }).y?.ticks == nil)
        let usual = chart.chartXAxis { AxisMarks { _ in AxisValueLabel().font(.caption) } }
        #expect(try ChartDesk.chart(usual).x?.ticks == nil)
    }

    @Test("The ticks of an axis cover stacked bars")
    func stacked() throws {
        let chart = Chart(AppTime.three) { app in
            BarMark(x: .value("All", "all"), y: .value("Time", app.seconds))
        }
        .chartYAxis { AxisMarks(values: .stride(by: 120)) { AxisValueLabel("\($0.index)") } }
        #expect(try ChartDesk.chart(chart).y?.ticks?.map(\.label) == ["0", "1", "2", "3"])
        #expect(try ChartDesk.chart(chart.chartYScale(domain: 5...5)).y?.from == nil)
    }

    @Test("A date axis has ticks with the given stride")
    func dates() throws {
        let start = Calendar.current.startOfDay(for: Date(timeIntervalSince1970: 1e9))
        let chart = Chart(0..<24, id: \.self) { hour in
            BarMark(x: .value("Hour", start + Double(hour) * 3_600, unit: .hour), y: .value("Minutes", hour))
        }
        .chartXAxis {
            AxisMarks(values: .stride(by: .hour, count: 6)) { value in
                if let date = value.as(Date.self) {
                    AxisValueLabel("\(Calendar.current.component(.hour, from: date)) h")
                }
            }
        }
        let ticks = try #require(try ChartDesk.chart(chart).x?.ticks)
        #expect(ticks.map(\.label) == ["0 h", "6 h", "12 h", "18 h"])
    }

    @Test(
        "The number of ticks of an axis is limited",
        arguments: [1e-300, Double.greatestFiniteMagnitude, 1e-9]
    )
    func many(_ step: Double) throws {
        let lines = chart.chartYAxis { AxisMarks(values: .stride(by: step)) { AxisGridLine() } }
        #expect(try ChartDesk.chart(lines).y?.ticks?.count ?? 0 <= AxisTicks.most)
        #expect(AxisTicks.numbers(from: 0, to: step, about: 5).count <= AxisTicks.most)
    }

    @Test("The overlay, background and plot style of a chart are included in its page")
    func layers() throws {
        let view = chart.chartBackground { _ in Text("behind") }
            .chartOverlay { proxy in Text("\(proxy.plotSize.width > 0 ? "over" : "")") }
            .chartPlotStyle { plot in
                VStack {
                    plot; Text("beside")
                }
            }
        let nodes = try PageBuilder.page(of: view).variants[0].nodes
        #expect(nodes.compactMap { $0.runs?.first?.text } == ["beside", "behind", "over"])
        #expect(nodes.first?.kind == .over && nodes.filter { $0.kind == .chart }.count == 1)
        // The settings apply to this chart, not to the chart within it.
        let inner = chart.chartBackground { _ in chart }.chartXAxis(.hidden)
        let charts = try PageBuilder.page(of: inner).variants[0].nodes.compactMap(\.chart)
        #expect(charts.map { $0.x?.isHidden } == [true, nil])
    }

    @Test("A chart can be selected by its x value")
    func selection() throws {
        let page = try PageBuilder.page(of: ChoosingBars())
        #expect(page.controls.map(\.options) == [["", "Mail", "Game", "Chat"]])
        #expect(
            page.variants.map { $0.nodes.compactMap { $0.runs?.first?.text } } == [
                ["-"], ["Mail"], ["Game"], ["Chat"],
            ]
        )
    }

    private struct ChoosingBars: View {
        @State private var name: String?

        var body: some View {
            VStack {
                Chart(AppTime.three) { BarMark(x: .value("App", $0.name), y: .value("Time", $0.seconds)) }
                    .chartXSelection(value: $name)
                Text(name ?? "-")
            }
        }
    }

    @Test("Marks with the same x value form one choice, and the last value can be selected")
    func places() throws {
        let page = try PageBuilder.page(of: ChoosingHours(hours: 20, kinds: 3))
        let control = try #require(page.controls.first)
        // Option n remains mark n.
        #expect(page.variants.map { $0.chosen[0] } == [0] + (0..<20).map { $0 * 3 + 1 })
        #expect(control.options.count == 59 && control.options[58].hasPrefix("19"))
        let words = page.variants.map { $0.nodes.compactMap { $0.runs?.first?.text }.last }
        #expect(
            words == ["-"] + (0..<20).map { "hour \($0)" } && Set(page.variants.map(\.nodes.count)).count == 1
        )
    }

    @Test("The initial selection of a chart is always included as a choice")
    func chosen() throws {
        let page = try PageBuilder.page(of: ChoosingHours(hours: 50, kinds: 2, hour: "40"))
        #expect(page.controls.map(\.chosen) == [81] && page.variants.count == PageLimits.variants)
        #expect(page.variants[0].nodes.compactMap { $0.runs?.first?.text }.last == "hour 40")
    }

    private struct ChoosingHours: View {
        let hours: Int
        let kinds: Int
        @State var hour: String?

        var body: some View {
            VStack {
                Chart {
                    ForEach(0..<hours * kinds) { number in
                        BarMark(x: .value("Hour", "\(number / kinds)"), y: .value("Time", 1))
                            .foregroundStyle(by: .value("Kind", "kind \(number % kinds)"))
                            .accessibilityLabel("\(number / kinds)")
                    }
                }
                .chartXSelection(value: $hour)
                Text(hour.map { "hour \($0)" } ?? "-")
            }
        }
    }

    @Test("The colours of series differ from each other and contrast with the background")
    func palette() {
        for (ground, hex) in [(1.0, \PageColor.light), (0.0137, \PageColor.dark)] {
            for color in Self.colors {
                let light = Self.luminance(color[keyPath: hex])
                let contrast = (max(light, ground) + 0.05) / (min(light, ground) + 0.05)
                #expect(contrast >= 3, "\(color)")
            }
        }
        #expect(Set(Self.colors.map(\.light)).count == Self.colors.count)
        // An invalid number maps to a valid colour.
        #expect(Self.colors.contains(ChartPalette.color(1_000)))
    }

    private static let colors = (0..<8).map { ChartPalette.color($0) }

    private static func luminance(_ hex: String) -> Double {
        let number = UInt32(hex.dropFirst(), radix: 16) ?? 0
        func part(_ shift: UInt32) -> Double {
            let value = Double(number >> shift & 0xFF) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * part(24) + 0.7152 * part(16) + 0.0722 * part(8)
    }
}
