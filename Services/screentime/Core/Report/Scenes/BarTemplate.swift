import STContracts
import STPlatform

/// A chart with a bar for each hour, day or week, in the colours of its items.
enum BarTemplate {
    /// The number of bars above which the axis has dates instead of names.
    private static let namedMax = 31
    /// Upper bound on the most used apps below the categories.
    static let appsMax = 8

    static func page(_ scene: ReportTemplate, _ input: ReportInput) -> Page {
        ReportFrame(template: scene, input: input).page { page in
            // The second reply contains apps and not an earlier period.
            var figure = input
            figure.source.second = nil
            figure.figure(&page)
            let parts = ReportParts.of(input.usage.segments, by: input.key).filter { $0.used > .zero }
            let shown = Array(parts.prefix(input.top))
            let hasRest = parts.count > shown.count
            page.vertical(6) { block in
                block.chart(chart(scene, shown: shown, hasRest: hasRest, input: input), height: 260)
                for line in lines(scene, input) {
                    block.text(line, size: 15, color: ReportColors.secondary)
                }
            }
            page.vertical(6) { block in
                input.heading(input.names.kinds(input.key), &block)
                let chart = input.bars(shown, input.key) { input.dates.duration($0.used) }
                input.plot(chart, of: shown, input.key, on: &block)
                if hasRest {
                    let rest = parts.dropFirst(shown.count)
                    let used = rest.reduce(Duration.zero) { $0 + $1.used }
                    block.text(input.strings.more(rest.count, used), size: 15)
                }
            }
            if let apps = input.source.second?.segments, !apps.isEmpty {
                addApps(apps, input: input, page: &page)
            }
        }
    }

    private static func addApps(
        _ segments: [ReportUsageSegment],
        input: ReportInput,
        page: inout PageComposer
    ) {
        let shown = ReportParts.of(segments, by: .app).filter { $0.used > .zero }
        let restCount = segments.reduce(0) { $0 + ($1.restCount ?? 0) }
        let rest = Duration.milliseconds(segments.reduce(0) { $0 + ($1.restMs ?? 0) })
        page.vertical(6) { block in
            input.heading(input.names.kinds(.app), &block)
            let chart = input.bars(shown, .app) { input.dates.duration($0.used) }
            input.plot(chart, of: shown, .app, on: &block)
            if restCount > 0 { block.text(input.strings.more(Int(clamping: restCount), rest), size: 15) }
        }
    }

    // MARK: - Bars

    private static func chart(
        _ scene: ReportTemplate,
        shown: [ReportPart],
        hasRest: Bool,
        input: ReportInput
    ) -> PageChart {
        // A day begins with its first usage.
        let isDay = scene == .hours && input.period.days == 1
        let segments = Array(input.usage.segments.drop { isDay && $0.usedMs == 0 })
        let names = ticks(scene, segments: segments, input: input)
        let labels = input.labels(shown, input.key)
        let colors = ReportColors.of(shown.map(\.id), input.key)
        var series = zip(shown, labels).map {
            PageSeries(name: $1, color: colors[$0.id] ?? ReportColors.rest)
        }
        if hasRest { series.append(PageSeries(name: input.strings.others, color: ReportColors.rest)) }
        let isNamed = segments.count <= namedMax
        var marks: [PageMark] = []
        for (segment, name) in zip(segments, names) {
            let parts = stack(segment, shown: shown, labels: labels, hasRest: hasRest, input: input)
            for (label, used) in parts where used > .zero {
                marks.append(
                    PageMark(
                        kind: .bar,
                        series: label,
                        x: isNamed ? PageDatum(text: name) : PageDatum(wallMs: segment.startWallMs),
                        xEnd: isNamed ? nil : PageDatum(wallMs: segment.endWallMs),
                        y: PageDatum(number: input.seconds(used)),
                        says: "\(name), \(label): \(input.dates.duration(used))"
                    )
                )
            }
        }
        return PageChart(
            marks: marks,
            series: series,
            x: isNamed
                ? PageAxis(unit: .category, categories: names)
                : PageAxis(
                    unit: .date,
                    from: Double(input.period.from.ms),
                    to: Double(input.period.to.ms),
                    step: step(scene, input)
                ),
            y: PageAxis(unit: .duration, from: 0),
            legend: .bottom,
            summary: lines(scene, input).first,
            valueName: input.strings.time,
            keyName: keyName(scene, input)
        )
    }

    /// Returns the parts of a bar from the bottom up: the shown items, and the rest.
    private static func stack(
        _ segment: ReportUsageSegment,
        shown: [ReportPart],
        labels: [String],
        hasRest: Bool,
        input: ReportInput
    ) -> [(String, Duration)] {
        let own = Dictionary(
            ReportParts.sums(segment.rows, by: input.key).map { ($0.id, $0.used) },
            uniquingKeysWith: +
        )
        var parts = zip(shown, labels).map { ($1, own[$0.id] ?? .zero) }
        let rest = .milliseconds(segment.usedMs) - parts.reduce(Duration.zero) { $0 + $1.1 }
        if rest > .zero, hasRest { parts.append((input.strings.others, rest)) }
        return parts
    }

    private static func step(_ scene: ReportTemplate, _ input: ReportInput) -> PageDateStep {
        switch scene {
        case .hours: .day
        default: input.period.days > 120 ? .month : .week
        }
    }

    private static func keyName(_ scene: ReportTemplate, _ input: ReportInput) -> String {
        switch scene {
        case .hours: input.strings.say("report.hour", "Hour")
        case .weeks: input.strings.say("report.week", "Week")
        default: input.strings.say("report.day", "Day")
        }
    }

    /// Returns the labels of the bars. No two are equal.
    static func ticks(_ scene: ReportTemplate, segments: [ReportUsageSegment], input: ReportInput)
        -> [String]
    {
        var seen: Set<String> = []
        return segments.map { segment in
            let day = CivilDate(text: segment.day) ?? input.clock.day(WallTime(ms: segment.startWallMs))
            var name: String
            switch scene {
            case .hours:
                let hour = input.clock.hour(WallTime(ms: segment.startWallMs))
                name = input.period.days == 1 ? "\(hour)" : "\(input.dates.short(day)) \(hour):00"
            case .weeks: name = short(day, input)
            default: name = segments.count <= 10 ? input.dates.tick(day) : short(day, input)
            }
            // When clocks are set back, one hour occurs twice.
            while !seen.insert(name).inserted { name += "′" }
            return name
        }
    }

    /// Returns a date. It includes the year if the period is longer than a year.
    private static func short(_ day: CivilDate, _ input: ReportInput) -> String {
        input.period.days > 365 ? input.dates.date(day) : input.dates.short(day)
    }

    // MARK: - Text

    private static func lines(_ scene: ReportTemplate, _ input: ReportInput) -> [String] {
        let used = input.usage.segments.filter { $0.usedMs > 0 }
        guard let top = used.max(by: { $0.usedMs < $1.usedMs }) else { return [] }
        let words = input.strings
        let day = CivilDate(text: top.day) ?? input.clock.day(WallTime(ms: top.startWallMs))
        let most = input.dates.duration(.milliseconds(top.usedMs))
        let average = input.dates.duration(input.totals.used / used.count)
        switch scene {
        case .hours:
            let hour = input.clock.time(WallTime(ms: top.startWallMs))
            let when = input.period.days == 1 ? hour : "\(input.dates.short(day)) \(hour)"
            return [
                words.say(
                    "report.most-in-the-hour",
                    "Most usage in one hour: \(most, "most"), from \(when, "when")."
                )
            ]
        case .weeks:
            let week = short(day, input)
            return [
                words.say("report.on-average-a-week", "On average \(average, "average") a week."),
                words.say(
                    "report.most-in-the-week",
                    "Most usage in the week from \(week, "week"): \(most, "most")."
                ),
            ]
        default:
            let (weekday, date) = (input.dates.wholeWeekday(day), short(day, input))
            let whole = words.say("report.weekday-date", "\(weekday, "weekday"), \(date, "date")")
            return [
                words.language.text(
                    "report.on-average-a-day",
                    count: used.count,
                    one: "On average \(average, "average") a day, over 1 day with usage.",
                    other:
                        "On average \(average, "average") a day, over \(used.count, "count") days with usage."
                ),
                words.say("report.most-on-the-day", "Most on \(whole, "day"): \(most, "most")."),
            ]
        }
    }
}
