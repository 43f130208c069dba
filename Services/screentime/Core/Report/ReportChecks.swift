import STContracts
import STPlatform

/// Rejects options that contradict each other, and reports that are too large to read.
struct ReportChecks {
    /// Upper bound on the separate rows of a report.
    static let topMax = 200
    /// Upper bound on the bars of a chart.
    static let barsMax = 400

    private let invocation: Invocation
    private let template: ReportTemplate
    private let period: ReportPeriod
    private let clock: ZonedClock

    init(_ invocation: Invocation, scene: ReportTemplate, period: ReportPeriod, clock: ZonedClock) {
        self.invocation = invocation
        self.template = scene
        self.period = period
        self.clock = clock
    }

    func check(segment: ReportSegment?, key: ReportKey?, now: WallTime) throws(Problem) {
        if let segment, invocation.has("--context"), segment.segmentation != template.segment(period) {
            throw contradiction(
                Message(
                    "usage.option_value.segment-does-not-go",
                    """
                    --segment \(segment.rawValue, "segment") cannot be combined with the report \
                    \(template.rawValue, "report"), which shows \(shown, "shown").
                    """
                ),
                "screentime report --segment \(segment.rawValue)"
            )
        }
        if let key, !template.acceptsKey, key != template.key {
            throw contradiction(
                Message(
                    "usage.option_value.by-does-not-go",
                    """
                    --by \(key.rawValue, "key") cannot be combined with the report \
                    \(template.rawValue, "report"), whose rows are fixed.
                    """
                ),
                "screentime report --by \(key.rawValue)"
            )
        }
        if invocation.has("--site"), !template.acceptsKey {
            throw contradiction(
                Message(
                    "usage.option_value.site-does-not-go",
                    """
                    --site cannot be combined with the report \(template.rawValue, "report"), which shows all \
                    usage. Leave out --context.
                    """
                ),
                "screentime report --site \(invocation.value("--site") ?? "NAME")"
            )
        }
        if template == .timeline, period.days > 1 {
            throw contradiction(
                Message(
                    "usage.option_value.a-timeline-shows",
                    "A timeline shows one day, but this period has \(period.days, "days") days."
                ),
                "screentime report --context timeline --day \(period.lastDay.text)"
            )
        }
        if template == .household, invocation.has("--member") {
            throw contradiction(
                Message(
                    "usage.option_value.the-household-report",
                    "The household report shows all people. For one person, leave out --context."
                ),
                "screentime report --member \(invocation.value("--member") ?? "NAME")"
            )
        }
        if invocation.has("--compare"), template != .total, template != .compare {
            throw contradiction(
                Message(
                    "usage.option_value.compare-goes-with",
                    """
                    --compare works only with the report total, which shows each row beside its earlier \
                    value. To compare a week with the one before, use --context compare.
                    """
                ),
                "screentime report --context compare"
            )
        }
        try checkCompare()
        try checkBars()
    }

    private var shown: Message {
        switch template.segment(period) {
        case .hour: Message("report.shows-hours", "hours")
        case .day: Message("report.shows-days", "days")
        case .week: Message("report.shows-weeks", "weeks")
        case .whole, .unknown: Message("report.shows-the-whole", "the whole period as one total")
        }
    }

    /// Rejects a comparison of incomplete days.
    private func checkCompare() throws(Problem) {
        guard template == .compare, !period.isWholeDays(clock) else { return }
        throw contradiction(
            Message(
                "usage.option_value.the-comparison-needs",
                "The comparison needs whole days, but this period begins or ends within a day."
            ),
            "screentime report --context compare --from \(period.firstDay.text) --to \(period.lastDay.text)"
        )
    }

    private func checkBars() throws(Problem) {
        // Programs have no such limit.
        let isForPeople = !invocation.wantsJSON && !invocation.has("--csv")
        let bars: Int
        switch template {
        case .hours: bars = period.days * 24
        case .days, .compare, .pickups: bars = period.days == 1 ? 24 : period.days
        case .weeks: bars = period.days / 7
        default: bars = 0
        }
        guard isForPeople, bars > Self.barsMax else { return }
        throw Problem(
            "usage.too_fine",
            """
            That would be \(bars, "bars") bars, but at most \(Self.barsMax, "most") fit. Choose larger \
            segments or a shorter period, or use --csv or --json, which have no such limit.
            """,
            help: fewer
        )
    }

    /// Returns the same command with larger segments if they fit, or else with a shorter period.
    private var fewer: String {
        let end = invocation.has("--to") ? " --to \(period.lastDay.text)" : ""
        let all = " --from \(period.firstDay.text)" + end
        if template == .hours, period.days <= Self.barsMax { return "screentime report --segment day" + all }
        if template == .hours || template == .days, period.days / 7 <= Self.barsMax {
            return "screentime report --segment week" + all
        }
        let days =
            template == .weeks || template == .hours || template == .days ? Self.barsMax * 7 : Self.barsMax
        let from = period.lastDay.adding(days: 1 - days).text
        let what = template.acceptsKey ? "--segment week" : "--context \(template.rawValue)"
        return "screentime report \(what) --from \(from)" + end
    }

    /// Rejects options that reports of apps do not support.
    static func checkApp(_ invocation: Invocation) throws(Problem) {
        for option in ["--by", "--top", "--compare", "--csv", "--device", "--site"]
        where invocation.has(option) {
            let list = ReportTemplate.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(
                "usage.option_value",
                """
                Apps determine the content of their own reports. \(option, "option") works only with the \
                built-in reports: \(list, "reports").
                """,
                key: "usage.option_value.an-app-decides",
                help: "screentime help report"
            )
        }
    }

    static func tooMany(_ top: Int) -> Problem {
        Problem(
            "usage.bad_number",
            """
            --top is \(top, "top"), but a report shows at most \(topMax, "most") rows individually. Use \
            --csv for all of them.
            """,
            key: "usage.bad_number.top-is-but",
            help: "--top 20"
        )
    }

    private func contradiction(_ text: Message, _ help: String) -> Problem {
        Problem("usage.option_value", text: text, help: help)
    }
}
