import STContracts
import STPlatform

/// A comparison of a period with the one before, by day and by category.
enum ComparisonTemplate {
    static func page(_ input: ReportInput) -> Page {
        let all = input.usage.segments
        let before = all.filter { $0.startWallMs < input.period.from.ms }
        var now = input
        now.source.second = input.usage
        now.source.usage.segments = all.filter { $0.startWallMs >= input.period.from.ms }
        return ReportFrame(template: .compare, input: now).page { page in
            now.figure(&page)
            page.chart(days(now, before), height: 260)
            page.vertical(6) { block in
                let kinds = now.names.kinds(.category)
                // A current period is compared as in the sentence above: equal parts, or nothing.
                let equal = ReportComparison.equalParts(all, input)
                let parts = categories(now, segments: equal?.now ?? now.usage.segments, before: equal?.then)
                now.heading(heading(kinds, equal: equal, input: now), &block)
                let chart = now.bars(parts, .category) { note($0, now) }
                block.chart(chart, height: now.height(ofBars: parts.count))
            }
        }
    }

    private static func heading(_ kinds: String, equal: ReportComparison.Equal?, input: ReportInput)
        -> String
    {
        guard let equal, input.period.contains(input.now) else { return kinds }
        if let time = equal.time {
            return input.strings.say("report.by-2", "\(kinds, "kinds") by \(time, "time")")
        }
        return input.strings.say("report.up-to-yesterday-2", "\(kinds, "kinds") up to yesterday")
    }

    private static func categories(
        _ now: ReportInput,
        segments: [ReportUsageSegment],
        before: [ReportUsageSegment]?
    ) -> [ReportPart] {
        let past = ReportParts.of(before ?? [], by: .category)
        var parts = ReportParts.of(segments, by: .category)
        for part in past where !parts.contains(where: { $0.id == part.id }) {
            parts.append(ReportPart(id: part.id, label: part.label))
        }
        for place in parts.indices {
            guard before != nil else { break }
            parts[place].before = past.first { $0.id == parts[place].id }?.used ?? .zero
        }
        return Array(parts.filter { $0.used > .zero || $0.before ?? .zero > .zero }.prefix(now.top))
    }

    private static func note(_ part: ReportPart, _ input: ReportInput) -> String {
        let used = input.dates.duration(part.used)
        guard let before = part.before.map(input.dates.duration) else { return used }
        return "\(used) · \(input.strings.say("report.before", "before: \(before, "before")"))"
    }

    private static func days(_ now: ReportInput, _ before: [ReportUsageSegment]) -> PageChart {
        let period = now.period
        let past = period.before(now.clock)
        var ranges = [past, period].map { now.dates.shortRange($0.firstDay, $0.lastDay) }
        // The names of two years are equal, or nearly equal if one is a leap year.
        if ranges[0] == ranges[1] || period.days >= 365 {
            ranges = [past, period].map { now.dates.range($0.firstDay, $0.lastDay) }
        }
        let isHours = period.days == 1
        let names = (0..<(isHours ? 24 : period.days)).map { place in
            if isHours { return String(place) }
            return period.days == 7
                ? now.dates.weekday(period.firstDay.adding(days: place)) : String(place + 1)
        }
        let both = [(before, past.firstDay), (now.usage.segments, period.firstDay)].map { segments, first in
            byPlace(segments, first: first, input: now)
        }
        var marks: [PageMark] = []
        for (place, name) in names.enumerated() {
            for (days, range) in zip(both, ranges) {
                guard let segment = days[place], segment.usedMs > 0 else { continue }
                let used = Duration.milliseconds(segment.usedMs)
                let day = CivilDate(text: segment.day) ?? now.clock.day(WallTime(ms: segment.startWallMs))
                let hour = isHours ? " " + now.clock.time(WallTime(ms: segment.startWallMs)) : ""
                marks.append(
                    PageMark(
                        kind: .bar,
                        series: range,
                        x: PageDatum(text: name),
                        y: PageDatum(number: now.seconds(used)),
                        corner: 3,
                        group: range,
                        says: "\(now.dates.long(day))\(hour): \(now.dates.duration(used))"
                    )
                )
            }
        }
        return PageChart(
            marks: marks,
            series: [
                PageSeries(name: ranges[0], color: ReportColors.before),
                PageSeries(name: ranges[1], color: ReportColors.bar),
            ],
            x: PageAxis(unit: .category, categories: names),
            y: PageAxis(unit: .duration, from: 0),
            legend: .bottom,
            summary: ReportComparison.sentence(now),
            valueName: now.strings.time,
            keyName: isHours ? now.strings.say("report.hour", "Hour") : now.strings.say("report.day", "Day")
        )
    }

    /// Returns the segments by their distance from the first day in days. A single day is by hour.
    private static func byPlace(_ segments: [ReportUsageSegment], first: CivilDate, input: ReportInput)
        -> [Int: ReportUsageSegment]
    {
        let days = segments.map { segment -> (Int, ReportUsageSegment) in
            let day = CivilDate(text: segment.day) ?? input.clock.day(WallTime(ms: segment.startWallMs))
            if input.period.days == 1 {
                return (input.clock.hour(WallTime(ms: segment.startWallMs)), segment)
            }
            return (day.daysSinceEpoch - first.daysSinceEpoch, segment)
        }
        return Dictionary(days, uniquingKeysWith: { first, _ in first })
    }
}
