import STContracts
import STPlatform
import STRendering
import STTestSupport
import Testing

@Suite("Layout of charts")
struct ChartLayoutTests {
    static let extreme: [[Double]] = [[0, 0], [], [1e15], [-1e15, 1e15], [1e-12]]

    private func setting(_ width: Double = 600, height: Double = 240, language: String = "en")
        -> ChartSetting
    {
        ChartSetting(width: width, height: height, language: language, zone: "Asia/Seoul")
    }

    private func bars(_ values: [Double], unit: PageUnit = .number) -> PageChart {
        let marks = values.enumerated().map { index, value in
            PageMark(kind: .bar, x: PageDatum(text: "Bar \(index)"), y: PageDatum(number: value))
        }
        return PageChart(marks: marks, series: [], y: PageAxis(unit: unit))
    }

    @Test("The sectors of a pie form a full circle without gaps")
    func sectors() {
        for count in 1...40 {
            let marks = (1...count).map { PageMark(kind: .sector, series: "\($0)", angle: Double($0 * $0)) }
            let layout = ChartLayout(PageChart(marks: marks, series: []), setting())

            let sectors = layout.shapes.compactMap(\.sector)
            #expect(sectors.count == count)
            #expect(sectors.first?.from == 0)
            #expect(abs((sectors.last?.to ?? 0) - 2 * Double.pi) < 1e-9)
            #expect(zip(sectors, sectors.dropFirst()).allSatisfy { $0.to == $1.from })
        }
    }

    @Test("An axis shows its own ticks if they are within its range and do not overlap")
    func ownTicks() {
        var chart = bars([10, 100])
        chart.y?.ticks = [
            PageTick(at: PageDatum(number: 50), label: "half"), PageTick(at: PageDatum(number: 0)),
            PageTick(at: PageDatum(number: 100), label: "all"),
            PageTick(at: PageDatum(number: 1e9), label: "far"),
        ]
        chart.x = PageAxis(ticks: [PageTick(at: PageDatum(text: "Bar 1"), label: "last")])
        let layout = ChartLayout(chart, setting())
        #expect(Set(layout.labels.filter { $0.role == .axis }.map(\.text)) == ["half", "all", "last"])
        #expect(layout.lines.count == 3)

        chart.x?.ticks = (0..<2_000).map { PageTick(at: PageDatum(text: "Bar 0"), label: "number \($0)") }
        let crowded = ChartLayout(chart, setting()).labels.filter { $0.role == .axis }.map(\.rect)
        #expect(
            crowded.indices.allSatisfy { one in crowded[..<one].allSatisfy { !$0.overlaps(crowded[one]) } }
        )
    }

    @Test("A pie of zeros has no sectors, and a single sector is a full ring")
    func fewSectors() {
        let zero = PageMark(kind: .sector, angle: 0)
        let one = PageMark(kind: .sector, angle: 5, inner: PageRadius(kind: .ratio, value: 0.5))

        #expect(
            ChartLayout(PageChart(marks: [zero, zero], series: []), setting()).shapes.allSatisfy {
                $0.path.isEmpty
            }
        )
        let whole = ChartLayout(PageChart(marks: [one], series: []), setting()).shapes
        #expect(whole.first?.path.filter { $0 == .close }.count == 2)
    }

    @Test(
        "The radius of a sector is a ratio, an inset or a fixed length",
        arguments: [
            (PageRadiusKind.ratio, 0.5, 60.0), (.inset, 20, 100), (.fixed, 33, 33), (.fixed, 900, 120),
            (.inset, 900, 0),
        ]
    )
    func radii(kind: PageRadiusKind, value: Double, radius: Double) {
        let mark = PageMark(kind: .sector, angle: 1, outer: PageRadius(kind: kind, value: value))
        let layout = ChartLayout(PageChart(marks: [mark], series: []), setting())

        #expect(layout.shapes.first?.sector?.outer == radius)
    }

    @Test("Bars are inside the plot, with heights proportional to their values")
    func heights() throws {
        let layout = ChartLayout(bars([10, 20, 40]), setting())

        let rects = layout.shapes.compactMap(\.rect)
        #expect(rects.count == 3)
        #expect(rects.allSatisfy(layout.plot.contains))
        #expect(abs(rects[1].height / rects[0].height - 2) < 1e-6)
        #expect(abs(rects[2].height / rects[0].height - 4) < 1e-6)
    }

    @Test("Bars with the same x value are stacked, and grouped bars are side by side")
    func stacks() {
        func chart(_ groups: [String?]) -> ChartLayout {
            let marks = groups.enumerated().map { index, group in
                PageMark(
                    kind: .bar,
                    series: "\(index)",
                    x: PageDatum(text: "one"),
                    y: PageDatum(number: 10),
                    group: group
                )
            }
            return ChartLayout(PageChart(marks: marks, series: []), setting())
        }

        let stacked = chart([nil, nil, nil]).shapes.compactMap(\.rect)
        #expect(stacked.count == 3 && Set(stacked.map(\.x)).count == 1)
        #expect(zip(stacked, stacked.dropFirst()).allSatisfy { !$0.overlaps($1) && $1.y < $0.y })
        let grouped = chart(["a", "b", "c"]).shapes.compactMap(\.rect)
        #expect(Set(grouped.map(\.x)).count == 3)
        #expect(zip(grouped, grouped.dropFirst()).allSatisfy { !$0.overlaps($1) && $0.bottom == $1.bottom })
    }

    @Test("Bars are horizontal if their names are on the y axis")
    func lying() {
        let marks = ["게임", "소셜"].map {
            PageMark(kind: .bar, x: PageDatum(number: 60), y: PageDatum(text: $0))
        }
        let layout = ChartLayout(PageChart(marks: marks, series: []), setting())

        #expect(layout.isHorizontal)
        let rects = layout.shapes.compactMap(\.rect)
        #expect(rects.count == marks.count)
        #expect(rects.allSatisfy { $0.width > $0.height && layout.plot.contains($0) })
        #expect(layout.rows.map(\.accessibilityText) == ["게임: 60", "소셜: 60"])
    }

    @Test(
        "The ticks of durations are whole units of time",
        arguments: [
            (3300.0, ["0", "15 min", "30 min", "45 min", "1 h"]),
            (5400.0, ["0", "30 min", "1 h", "1 h 30 min"]),
            (20_000.0, ["0", "2 h", "4 h", "6 h"]), (50.0, ["0", "10 s", "20 s", "30 s", "40 s", "50 s"]),
            (900_000.0, ["0", "5 d", "10 d", "15 d"]),
        ]
    )
    func durations(top: Double, names: [String]) {
        let layout = ChartLayout(bars([top], unit: .duration), setting())

        let labels = layout.labels.filter { $0.role == .axis && $0.text != "Bar 0" }.map(\.text)
        #expect(labels == names)
    }

    @Test(
        "Zeros, an empty list and huge values give a valid axis",
        arguments: ChartLayoutTests.extreme
    )
    func extremes(values: [Double]) {
        for unit in [PageUnit.number, .duration, .percent] {
            let layout = ChartLayout(bars(values, unit: unit), setting())

            #expect(layout.shapes.count == values.count)
            #expect(layout.shapes.compactMap(\.rect).allSatisfy(layout.plot.contains))
            #expect(layout.labels.count < 40)
        }
    }

    @Test("A day of 25 hours has bars for both occurrences of an hour")
    func summerTime() {
        // In Berlin, the clocks changed at 3:00 on 25 October 2026.
        let first: Int64 = 1_792_879_200_000
        let marks = (0..<25).map {
            PageMark(
                kind: .bar,
                x: PageDatum(wallMs: first + Int64($0) * SamplePages.hour),
                y: PageDatum(number: 60)
            )
        }
        let axis = PageAxis(unit: .date, step: .hour)
        let berlin = ChartSetting(width: 600, height: 200, language: "en", zone: "Europe/Berlin")
        let layout = ChartLayout(PageChart(marks: marks, series: [], x: axis), berlin)

        let rects = layout.shapes.compactMap(\.rect)
        #expect(rects.count == marks.count)
        #expect(zip(rects, rects.dropFirst()).allSatisfy { !$0.overlaps($1) })
        #expect(layout.rows.filter { $0.key == "02:00" }.count == 2)
    }

    @Test("Dates have names in the language of the page", arguments: [("en", "Fri"), ("ko", "금")])
    func weekdays(language: String, name: String) {
        let marks = (0..<7).map { index in
            PageMark(
                kind: .bar,
                x: PageDatum(wallMs: SamplePages.midnight + Int64(index) * 24 * SamplePages.hour),
                y: PageDatum(number: 3600)
            )
        }
        let chart = PageChart(marks: marks, series: [], x: PageAxis(unit: .date, step: .day))
        let layout = ChartLayout(chart, setting(600, height: 200, language: language))

        #expect(layout.labels.first { $0.role == .axis && $0.rect.y > layout.plot.bottom }?.text == name)
    }

    @Test("In random charts, bars are inside the plot and labels do not overlap", arguments: 0..<8)
    func properties(seed: Int) {
        var samples = ChartSamples(random: SeededRandom(seed: UInt64(seed)))
        for _ in 0..<25 {
            let chart = samples.chart()
            for width in [120.0, 640] {
                let layout = ChartLayout(
                    chart,
                    setting(width, height: 240, language: seed % 2 == 0 ? "ko" : "en")
                )
                check(layout, chart)
            }
        }
    }

    private func check(_ layout: ChartLayout, _ chart: PageChart) {
        #expect(layout.rows.count == chart.marks.count)
        for shape in layout.shapes {
            if let rect = shape.rect, shape.mark.map({ chart.marks[$0].kind == .bar }) == true {
                #expect(layout.plot.contains(rect), "\(rect) in \(layout.plot)")
            }
            for step in shape.path { #expect(isFinite(step)) }
        }
        for (index, label) in layout.labels.enumerated() {
            let others = layout.labels[(index + 1)...]
            let hit = others.first { $0.rect.overlaps(label.rect) && $0.rect.width > 0 }
            #expect(hit == nil, "\(label) on \(String(describing: hit))")
        }
        let sectors = layout.shapes.compactMap(\.sector)
        if let last = sectors.last, last.to > 0 { #expect(abs(last.to - 2 * Double.pi) < 1e-6) }
    }

    private func isFinite(_ step: ChartStep) -> Bool {
        switch step {
        case .move(let point), .line(let point): point.x.isFinite && point.y.isFinite
        case .curve(let one, let other, let end):
            [one, other, end].allSatisfy { $0.x.isFinite && $0.y.isFinite }
        case .close: true
        }
    }
}
