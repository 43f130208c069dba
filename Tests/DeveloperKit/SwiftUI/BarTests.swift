import Foundation
import STContracts
import SwiftUICore
import Testing

@testable import Charts

@Suite("Bar marks")
@MainActor
struct BarTests {
    private func bars(_ method: MarkStackingMethod = .standard) throws -> [PageMark] {
        try ChartDesk.chart(
            Chart {
                ForEach([("a", 1.0), ("b", 4.0), ("a", 3.0), ("a", -2.0)], id: \.1) { pair in
                    BarMark(x: .value("Day", pair.0), y: .value("Hours", pair.1), stacking: method)
                        .foregroundStyle(by: .value("Kind", "\(pair.1)"))
                }
            }
        ).marks
    }

    private func spans(_ marks: [PageMark]) -> [[Double?]] { marks.map { [$0.y?.number, $0.yEnd?.number] } }

    @Test("Bars with the same x value are stacked according to their stacking method")
    func stacked() throws {
        #expect(spans(try bars()) == [[1, nil], [4, nil], [3, nil], [-2, nil]])
        #expect(spans(try bars(.unstacked)) == [[0, 1], [4, nil], [0, 3], [0, -2]])
        #expect(spans(try bars(.normalized)) == [[1.0 / 6, nil], [1, nil], [0.5, nil], [-1.0 / 3, nil]])
        #expect(spans(try bars(.center)) == [[-3, -2], [-2, 2], [-2, 1], [1, 3]])
        let shares = Chart(AppTime.three) { app in
            BarMark(x: .value("Time", app.seconds), stacking: .normalized)
        }
        let chart = try ChartDesk.chart(shares)
        #expect(chart.marks.compactMap { $0.x?.number }.reduce(0, +) == 1 && chart.x?.unit == .percent)
    }

    @Test("Bars can be horizontal, grouped, or between two values")
    func directions() throws {
        let chart = try ChartDesk.chart(
            Chart(AppTime.three) { app in
                BarMark(x: .value("Time", app.seconds), y: .value("App", "all"), height: .fixed(12))
                    .foregroundStyle(by: .value("App", app.name))
                    .annotation(position: .trailing) { Text("\(Int(app.seconds))s") }
                    .accessibilityLabel("\(app.name) was used")
                    .accessibilityValue("for a while")
            }
        )
        #expect(
            chart.marks.map { [$0.x?.number, $0.xEnd?.number] } == [[60, nil], [180, nil], [120, nil]]
        )
        #expect(chart.marks[0].note == "60s" && chart.marks[0].says == "Mail was used, for a while")
        #expect(chart.marks[0].width == PageRadius(kind: .fixed, value: 12))
        #expect(chart.keyName == "App" && chart.valueName == "Time")
        #expect(chart.x?.unit == .number && chart.y?.unit == .category)

        let beside = try ChartDesk.chart(
            Chart(AppTime.three) { app in
                BarMark(x: .value("Kind", "all"), y: .value("Time", app.seconds))
                    .position(by: .value("App", app.name))
            }
        )
        #expect(
            beside.marks.map(\.group) == ["Mail", "Game", "Chat"]
                && beside.marks.allSatisfy { $0.yEnd == nil }
        )

        let ranges = try ChartDesk.chart(
            Chart {
                BarMark(xStart: .value("From", 1), xEnd: .value("To", 3), y: .value("Row", "a"))
                BarMark(x: .value("Row", "a"), yStart: .value("From", 1), yEnd: .value("To", 3))
                BarMark(x: .value("Both", 1..<3), y: .value("Row", "a"))
                BarMark(x: .value("Time", 4))
                RuleMark(y: .value("Mean", 2.5)).lineStyle(StrokeStyle(lineWidth: 2))
            }
        )
        #expect(ranges.marks[0].x?.number == 1 && ranges.marks[0].xEnd?.number == 3)
        #expect(ranges.marks[1].y?.number == 1 && ranges.marks[1].yEnd?.number == 3)
        #expect(ranges.marks[2].x?.number == 1 && ranges.marks[2].xEnd?.number == 3)
        #expect(ranges.marks[3].x?.number == 4 && ranges.marks[3].y == nil)
        #expect(ranges.marks[4].kind == .rule && ranges.marks[4].width == PageRadius(kind: .fixed, value: 2))
    }

    @Test("Bars of an hour begin at the full hour")
    func dates() throws {
        let start = try #require(
            Calendar.current.dateInterval(of: .hour, for: Date(timeIntervalSince1970: 1e9))?.start
        )
        let chart = try ChartDesk.chart(
            Chart(0..<3, id: \.self) { hour in
                BarMark(
                    x: .value("Hour", start + Double(hour) * 3_600 + 600, unit: .hour),
                    y: .value("Minutes", hour)
                )
            }
        )
        let first = Int64(start.timeIntervalSince1970) * 1000
        #expect(chart.marks.map { $0.x?.wallMs } == [first, first + 3_600_000, first + 7_200_000])
        #expect(chart.x?.unit == .date && chart.x?.step == .hour)
    }

    @Test(
        "Marks with infinite or invalid numbers, or with too large a sum, are left out of a chart",
        arguments: [Double.nan, .infinity]
    )
    func impossible(_ number: Double) throws {
        let most = Double.greatestFiniteMagnitude
        let chart = try ChartDesk.chart(
            Chart {
                BarMark(x: .value("x", "a"), y: .value("y", number))
                BarMark(x: .value("x", Date(timeIntervalSince1970: number)), y: .value("y", 1))
                BarMark(x: .value("x", "a"), y: .value("y", most))
                BarMark(x: .value("x", "a"), y: .value("y", 1e15))
                LineMark(x: .value("x", number), y: .value("y", 1))
            }
        )
        #expect(chart.marks.count == 1)
        #expect(
            chart.marks.allSatisfy { $0.y?.number?.isFinite ?? false && $0.yEnd?.number?.isFinite ?? true }
        )
        _ = try chart.encodedBody()
    }

    @Test("A chart with too many marks is rejected")
    func many() throws {
        func chart(_ count: Int) -> some View {
            Chart(0..<count, id: \.self) { BarMark(x: .value("x", $0), y: .value("y", 1)) }
        }
        #expect(try ChartDesk.chart(chart(PageLimits.marks)).marks.count == PageLimits.marks)
        #expect(throws: MarkPlot.tooMany) { try ChartDesk.chart(chart(PageLimits.marks + 1)) }
    }

    @Test("Chart content that contains itself is rejected")
    func circle() {
        struct Circle: ChartContent {
            var body: AnyChartContent { AnyChartContent(Circle()) }
        }
        #expect(throws: PageProblem.tooDeep) { try ChartDesk.chart(Chart { Circle() }) }
    }
}
