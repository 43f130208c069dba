import STContracts
import STPlatform

/// A period beside the one before, day by day and category by category.
enum CompareScene {
    static func page(_ input: SceneInput) -> Page {
        let all = input.usage.segments
        let before = all.filter { $0.startWallMs < input.period.fromWallMs }
        var now = input
        now.material.second = input.usage
        now.material.usage.segments = all.filter { $0.startWallMs >= input.period.fromWallMs }
        return SceneFrame(scene: .compare, input: now).page { page in
            now.figure(&page)
            page.chart(days(now, before), height: 260)
            page.vertical(6) { block in
                now.heading(now.names.kinds(.category), &block)
                let parts = categories(now, before)
                let chart = now.bars(parts, .category) { note($0, now) }
                block.chart(chart, height: now.height(ofBars: parts.count))
            }
        }
    }

    private static func categories(_ now: SceneInput, _ before: [ReportUsageSegment]) -> [ReportPart] {
        let past = ReportParts.of(before, by: .category)
        var parts = ReportParts.of(now.usage.segments, by: .category)
        for part in past where !parts.contains(where: { $0.id == part.id }) {
            parts.append(ReportPart(id: part.id, label: part.label))
        }
        for place in parts.indices {
            parts[place].beforeMs = past.first { $0.id == parts[place].id }?.usedMs ?? 0
        }
        return Array(parts.filter { $0.usedMs > 0 || $0.beforeMs ?? 0 > 0 }.prefix(now.top))
    }

    private static func note(_ part: ReportPart, _ input: SceneInput) -> String {
        let before = input.dates.duration(part.beforeMs ?? 0)
        return
            "\(input.dates.duration(part.usedMs)) · \(input.words.pick("before: \(before)", "이전: \(before)"))"
    }

    private static func days(_ now: SceneInput, _ before: [ReportUsageSegment]) -> PageChart {
        let period = now.period
        let past = period.before(now.clock)
        let ranges = [
            now.dates.shortRange(past.firstDay, past.lastDay),
            now.dates.shortRange(period.firstDay, period.lastDay),
        ]
        let names = (0..<period.days).map { place in
            period.days == 7 ? now.dates.weekday(period.firstDay.adding(days: place)) : String(place + 1)
        }
        let both = [(before, past.firstDay), (now.usage.segments, period.firstDay)].map { segments, first in
            byDay(segments, first, now)
        }
        var marks: [PageMark] = []
        for (place, name) in names.enumerated() {
            for (days, range) in zip(both, ranges) {
                guard let segment = days[place], segment.usedMs > 0 else { continue }
                let day = CivilDate(text: segment.day) ?? now.clock.day(segment.startWallMs)
                marks.append(
                    PageMark(
                        kind: .bar,
                        series: range,
                        x: PageDatum(text: name),
                        y: PageDatum(number: now.seconds(segment.usedMs)),
                        corner: 3,
                        group: range,
                        says: "\(now.dates.long(day)): \(now.dates.duration(segment.usedMs))"
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
            valueName: now.words.time,
            keyName: now.words.pick("Day", "날짜")
        )
    }

    /// By how many days after the first they are.
    private static func byDay(_ segments: [ReportUsageSegment], _ first: CivilDate, _ input: SceneInput)
        -> [Int: ReportUsageSegment]
    {
        let days = segments.map { segment in
            let day = CivilDate(text: segment.day) ?? input.clock.day(segment.startWallMs)
            return (day.daysSinceEpoch - first.daysSinceEpoch, segment)
        }
        return Dictionary(days, uniquingKeysWith: { first, _ in first })
    }
}
