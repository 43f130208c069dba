import STContracts
import STPlatform

/// How often a person came back to the computer, and which apps called for them.
enum PickupScene {
    static func page(_ input: SceneInput) -> Page {
        SceneFrame(scene: .pickups, input: input).page { page in
            let totals = input.whole
            page.vertical(2) { figure in
                figure.text(input.words.pickups(totals.pickups), size: 34, weight: 700)
                for line in lines(totals, input) {
                    figure.text(line, size: 15, color: ReportColors.secondary)
                }
            }
            page.chart(times(input), height: 220)
            let parts = ReportParts.of(input.material.second?.segments ?? [], by: .app)
            let words = input.words
            apps(words.pick("First used after a pickup", "깨우고 나서 처음 쓴 앱"), parts, \.pickups, input, &page)
            apps(
                words.notifications(totals.notifications),
                parts,
                \.notifications,
                input,
                &page
            )
        }
    }

    private static func lines(_ totals: ReportTotals, _ input: SceneInput) -> [String] {
        let words = input.words
        var lines: [String] = []
        if let first = totals.firstPickupWallMs, input.period.days == 1 {
            let time = input.clock.time(first)
            lines.append(words.pick("The first at \(time).", "처음은 \(time)."))
        }
        if totals.idlePickups > 0 {
            lines.append(
                words.pick(
                    "After \(totals.idlePickups) of them nothing was used.",
                    "그중 \(totals.idlePickups)회는 아무것도 쓰지 않았습니다."
                )
            )
        }
        if let longest = totals.longest {
            let span = "\(input.clock.time(longest.lowerBound)) – \(input.clock.time(longest.upperBound))"
            let size = input.dates.duration(longest.upperBound - longest.lowerBound)
            let day =
                input.period.days == 1 ? "" : input.dates.short(input.clock.day(longest.lowerBound)) + " "
            lines.append(
                words.pick(
                    "Longest without a break: \(size) (\(day)\(span)).",
                    "쉬지 않고 가장 오래: \(size) (\(day)\(span))."
                )
            )
        }
        return lines
    }

    private static func times(_ input: SceneInput) -> PageChart {
        let segments = input.usage.segments
        let names = BarScene.ticks(input.period.days == 1 ? .hours : .days, segments, input)
        let marks = zip(segments, names).filter { $0.0.pickups > 0 }.map { segment, name in
            PageMark(
                kind: .bar,
                x: PageDatum(text: name),
                y: PageDatum(number: Double(segment.pickups)),
                corner: 3,
                paint: PagePaint(kind: .color, color: ReportColors.bar),
                says: "\(name): \(input.words.pickups(segment.pickups))"
            )
        }
        let top = segments.filter { $0.pickups > 0 }.max { $0.pickups < $1.pickups }
        let place = top.flatMap { top in segments.firstIndex { $0.startWallMs == top.startWallMs } }
        return PageChart(
            marks: marks,
            series: [],
            x: PageAxis(unit: .category, categories: names),
            y: PageAxis(unit: .number, from: 0),
            legend: .hidden,
            summary: top.flatMap { top in
                place.map { place in
                    let count = input.words.pickups(top.pickups)
                    let isDay = input.period.days == 1
                    let when = isDay ? input.clock.time(top.startWallMs) : names[place]
                    return input.words.pick(
                        "Most \(isDay ? "at" : "on") \(when): \(count).",
                        "가장 많은 때는 \(when): \(count)."
                    )
                }
            },
            valueName: input.words.pick("Pickups", "깨우기"),
            keyName: input.period.days == 1
                ? input.words.pick("Hour", "시각") : input.words.pick("Day", "날짜")
        )
    }

    private static func apps(
        _ title: String,
        _ parts: [ReportPart],
        _ count: KeyPath<ReportPart, Int64>,
        _ input: SceneInput,
        _ page: inout PageComposer
    ) {
        let sorted = parts.filter { $0[keyPath: count] > 0 }.sorted {
            ($1[keyPath: count], $0.id ?? "") < ($0[keyPath: count], $1.id ?? "")
        }
        page.vertical(6) { block in
            input.heading(title, &block)
            guard !sorted.isEmpty else {
                block.text(input.words.pick("None.", "없습니다."), size: 15, color: ReportColors.secondary)
                return
            }
            let shown = Array(sorted.prefix(input.top))
            var chart = input.bars(shown, .app) { "\($0[keyPath: count])" }
            for (place, part) in shown.enumerated() {
                chart.marks[place].x = PageDatum(number: Double(part[keyPath: count]))
            }
            chart.x = PageAxis(isHidden: true, unit: .number, from: 0)
            chart.valueName = input.words.pick("Count", "횟수")
            block.chart(chart, height: input.height(ofBars: shown.count))
            let rest = sorted.count - shown.count
            if rest > 0 { block.text(input.words.rest(rest), size: 15) }
        }
    }
}
