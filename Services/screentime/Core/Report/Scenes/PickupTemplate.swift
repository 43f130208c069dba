import STContracts
import STPlatform

/// The number of pickups, the apps that were used first after a pickup, and the number of notifications by app.
enum PickupTemplate {
    static func page(_ input: ReportInput) -> Page {
        ReportFrame(template: .pickups, input: input).page { page in
            let totals = input.totals
            page.vertical(2) { figure in
                figure.text(input.strings.pickups(totals.pickups), size: 34, weight: 700)
                for line in lines(totals, input) {
                    figure.text(line, size: 15, color: ReportColors.secondary)
                }
            }
            page.chart(times(input), height: 220)
            let parts = ReportParts.of(input.source.second?.segments ?? [], by: .app)
            let words = input.strings
            apps(
                words.say("report.first-used-after-a", "First used after a pickup"),
                parts: parts,
                count: \.pickups,
                input: input,
                page: &page
            )
            apps(
                words.notifications(totals.notifications),
                parts: parts,
                count: \.notifications,
                input: input,
                page: &page
            )
        }
    }

    private static func lines(_ totals: ReportTotals, _ input: ReportInput) -> [String] {
        let words = input.strings
        var lines: [String] = []
        if let first = totals.firstPickup, input.period.days == 1 {
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

    private static func times(_ input: ReportInput) -> PageChart {
        let segments = input.usage.segments
        let names = BarTemplate.ticks(
            input.period.days == 1 ? .hours : .days,
            segments: segments,
            input: input
        )
        let marks = zip(segments, names).filter { $0.0.pickups > 0 }.map { segment, name in
            PageMark(
                kind: .bar,
                x: PageDatum(text: name),
                y: PageDatum(number: Double(segment.pickups)),
                corner: 3,
                paint: PagePaint(kind: .color, color: ReportColors.bar),
                says: "\(name): \(input.strings.pickups(segment.pickups))"
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
                    let count = input.strings.pickups(top.pickups)
                    let isDay = input.period.days == 1
                    let when = isDay ? input.clock.time(WallTime(ms: top.startWallMs)) : names[place]
                    return isDay
                        ? input.strings.say("report.most-at", "Most at \(when, "when"): \(count, "pickups").")
                        : input.strings.say("report.most-on", "Most on \(when, "when"): \(count, "pickups").")
                }
            },
            valueName: input.strings.say("report.pickups", "Pickups"),
            keyName: input.period.days == 1
                ? input.strings.say("report.hour", "Hour") : input.strings.say("report.day", "Day")
        )
    }

    private static func apps(
        _ title: String,
        parts: [ReportPart],
        count: KeyPath<ReportPart, Int64>,
        input: ReportInput,
        page: inout PageComposer
    ) {
        let sorted = parts.filter { $0[keyPath: count] > 0 }.sorted {
            ($1[keyPath: count], $0.id ?? "") < ($0[keyPath: count], $1.id ?? "")
        }
        page.vertical(6) { block in
            input.heading(title, &block)
            guard !sorted.isEmpty else {
                block.text(input.strings.say("report.none", "None."), size: 15, color: ReportColors.secondary)
                return
            }
            let shown = Array(sorted.prefix(input.top))
            var chart = input.bars(shown, .app) { "\($0[keyPath: count])" }
            for (place, part) in shown.enumerated() {
                chart.marks[place].x = PageDatum(number: Double(part[keyPath: count]))
            }
            chart.x = PageAxis(isHidden: true, unit: .number, from: 0)
            chart.valueName = input.strings.say("report.count", "Count")
            block.chart(chart, height: input.height(ofBars: shown.count))
            let rest = sorted.count - shown.count
            if rest > 0 { block.text(input.strings.rest(rest), size: 15) }
        }
    }
}
