import STContracts
import STPlatform

/// The number of pickups, the apps that were used first after a pickup, and the number of notifications by app.
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
            apps(
                words.say("report.first-used-after-a", "First used after a pickup"),
                parts,
                \.pickups,
                input,
                &page
            )
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
            lines.append(words.say("report.the-first-at", "The first was at \(time, "time")."))
        }
        if totals.idlePickups > 0 {
            lines.append(
                words.say(
                    "report.after-of-them-nothing",
                    "No app was used after \(totals.idlePickups, "pickups") of them."
                )
            )
        }
        if let longest = totals.longest {
            let span = "\(input.clock.time(longest.lowerBound)) – \(input.clock.time(longest.upperBound))"
            let size = input.dates.duration(longest.upperBound - longest.lowerBound)
            let day =
                input.period.days == 1 ? "" : input.dates.short(input.clock.day(longest.lowerBound)) + " "
            lines.append(
                words.say(
                    "report.longest-without-a-break",
                    "Longest usage without a break: \(size, "size") (\(day, "day")\(span, "span"))."
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
                    return isDay
                        ? input.words.say("report.most-at", "Most at \(when, "when"): \(count, "pickups").")
                        : input.words.say("report.most-on", "Most on \(when, "when"): \(count, "pickups").")
                }
            },
            valueName: input.words.say("report.pickups", "Pickups"),
            keyName: input.period.days == 1
                ? input.words.say("report.hour", "Hour") : input.words.say("report.day", "Day")
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
                block.text(input.words.say("report.none", "None."), size: 15, color: ReportColors.secondary)
                return
            }
            let shown = Array(sorted.prefix(input.top))
            var chart = input.bars(shown, .app) { "\($0[keyPath: count])" }
            for (place, part) in shown.enumerated() {
                chart.marks[place].x = PageDatum(number: Double(part[keyPath: count]))
            }
            chart.x = PageAxis(isHidden: true, unit: .number, from: 0)
            chart.valueName = input.words.say("report.count", "Count")
            block.chart(chart, height: input.height(ofBars: shown.count))
            let rest = sorted.count - shown.count
            if rest > 0 { block.text(input.words.rest(rest), size: 15) }
        }
    }
}
