package import STContracts
import STDomain
import STPlatform

/// `screentime` without a command.
enum TodayCommand {
    static let commands: [Command] = [
        Command(
            [],
            "Shows today's usage, the rules, and what Screen Time cannot see",
            options: [.ids, .json, .init("--version", value: nil, summary: "shows the version")],
            example: "screentime"
        ) { try await run($0) }
    ]

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let terminal = invocation.terminal
        if invocation.has("--version") {
            terminal.write("screentime \(Version.text)")
            return .done
        }
        let request = request(now: invocation.now, .here)
        return try await ServiceClients.with(invocation.directories) { clients in
            async let view = SystemView.gather(clients)
            async let now = try? clients.call(UsageNow.self, Empty(), timeout: SystemView.timeout)
            async let report = clients.result(
                ReportUsage.self,
                .report,
                request: request,
                timeout: SystemView.timeout
            )
            async let rules = try? RuleListCommand.all(clients, timeout: SystemView.timeout)
            async let facts = RuleFacts.load(invocation, clients)
            let system = await view
            let conditions = system.conditions(invocation.directories, now: invocation.now)
            guard system.isRunning else { throw StatusCommand.nothingRuns }
            let segments = await now?.foregroundSegments ?? []
            let today = try await report.get()
            let board = await (rules: rules ?? [], facts: facts)
            let items = board.rules.flatMap { $0.rule.targets + ($0.rule.opens ?? []) }
            let ids = segments.compactMap(\.app) + items.filter { $0.kind == .application }.map(\.id)
            let apps = await DisplayNames.load(ids, invocation: invocation, clients: clients)
            if invocation.wantsJSON {
                var value = try json(today, now: segments, view: system, conditions: conditions)
                value["names"] = .object(
                    Dictionary(ids.map { ($0, .string(apps[$0])) }) { first, _ in first }
                )
                value["rules"] = .array(
                    try board.rules.map { try RuleListCommand.json($0, facts: board.facts, apps: apps) }
                )
                terminal.write(JSONOutput.pretty(.object(value)))
            } else {
                // A demonstration's apps do not exist, so they are not looked up. An app with a known name is installed.
                let isUnknown = items.contains { $0.kind == .application && !apps.contains($0.id) }
                let finder =
                    isUnknown && !system.isDemo
                    ? await AppFinder.load(invocation, clients, namesOfRules: false) : nil
                let dead = finder.map { DoctorHousehold.rulesWithoutEffect(board.rules, $0) } ?? []
                let lines = TodayText.lines(
                    today,
                    now: segments,
                    rules: RuleScreen.today(board.rules, facts: board.facts, apps: apps, terminal: terminal)
                        + ConditionText.lines(dead, terminal),
                    apps: apps,
                    conditions: conditions.filter { $0.severity == .high },
                    isDemo: system.isDemo,
                    terminal
                )
                terminal.write(lines.joined(separator: "\n"))
            }
            return .done
        }
    }

    /// Requests today's usage by app.
    private static func request(now: WallTime, _ clock: ZonedClock) -> ReportUsage.Request {
        let today = clock.day(now)
        let period = ReportPeriod(today, last: today, clock: clock)
        return ReportUsage.Request(
            fromWallMs: period.from.ms,
            toWallMs: period.to.ms,
            segment: .whole,
            by: [.app],
            top: TodayText.top,
            zone: clock.zone
        )
    }

    private static func json(
        _ report: ReportUsage.Reply,
        now: [Segment],
        view: SystemView,
        conditions: [Condition]
    ) throws -> [String: JSONValue] {
        [
            "demo": .bool(view.isDemo),
            "observed": .bool(view.isDesktopObserved),
            "sight": ConditionText.observationText(view, conditions).map { .string($0) } ?? .null,
            "conditions": .array(try conditions.map { try JSONOutput.value(of: $0) }),
            "report": try JSONOutput.value(of: report),
            "now": .array(try now.map { try JSONOutput.value(of: $0) }),
        ]
    }
}

/// The screen of `screentime` without a command.
package enum TodayText {
    private static let rowsMax = 5

    package static func lines(
        _ report: ReportUsage.Reply,
        now: [Segment],
        rules: [String] = [],
        apps: DisplayNames = DisplayNames(),
        conditions: [Condition] = [],
        isDemo: Bool,
        _ terminal: Terminal
    ) -> [String] {
        let totals = ReportTotals(report.segments)
        let day = report.segments.first?.day ?? ""
        let used = Speech.duration(totals.used)
        let title = Speech.say("today.so-far", "\(TimeText.day(day), "day"): \(used, "used") so far")
        var lines = ConditionText.lines(conditions, terminal)
        lines.append(Banner.titled(title, isDemo: isDemo, terminal))
        lines.append("")
        lines += rows(report, names: SubjectNames(Speech.language, areIDs: apps.areIDs), terminal: terminal)
        lines.append("")
        if !rules.isEmpty { lines += rules + [""] }
        lines += now.map { currentApp($0, apps) }
        lines += remarks(totals, since: report.since).flatMap { TextWrap.lines($0, terminal) }
        return lines
    }

    /// The number of rows to request.
    static let top = Int64(rowsMax)

    /// Returns the bars, and a line for the rest.
    private static func rows(_ report: ReportUsage.Reply, names: SubjectNames, terminal: Terminal)
        -> [String]
    {
        let parts = ReportParts.of(report.segments, by: .app).filter { $0.used > .zero }
        guard !parts.isEmpty else {
            return ["  " + Speech.say("today.no-use-was-seen", "No usage was recorded.")]
        }
        let shown = parts.prefix(rowsMax).map {
            BarChart.Row(name: names.name($0, .app), value: $0.used)
        }
        var lines = BarChart(rows: shown).lines(columns: terminal.columns, terminal)
        let rest = parts.dropFirst(rowsMax)
        let count = Int64(rest.count) + report.segments.reduce(0) { $0 + ($1.restCount ?? 0) }
        let restMs = report.segments.reduce(0) { $0 + ($1.restMs ?? 0) }
        let used = rest.reduce(.milliseconds(restMs)) { $0 + $1.used }
        if count > 0 {
            let more = Speech.duration(used)
            lines.append(
                "  "
                    + Speech.say(
                        "today.and-more-with-together",
                        "and \(count, "count") more, \(more, "time") in total"
                    )
            )
        }
        return lines
    }

    private static func remarks(_ totals: ReportTotals, since: String?) -> [String] {
        var lines: [String] = []
        if totals.absent > .zero {
            let text = Speech.duration(totals.absent)
            lines.append(
                Speech.say("today.the-computer-was-left", "No one was at the computer for \(text, "text").")
            )
        }
        if totals.shielded > .zero {
            let text = Speech.duration(totals.shielded)
            lines.append(
                Speech.say(
                    "today.in-front-of-a",
                    "A shield was shown for \(text, "text"). This time does not count as usage."
                )
            )
        }
        if totals.unobserved > .zero {
            let text = Speech.duration(totals.unobserved)
            lines.append(
                Speech.say(
                    "today.not-seen-that-is",
                    "Not observed: \(text, "text"). This time counts neither as usage nor as absence."
                )
            )
        }
        lines.append(
            since.map { TimeText.text(wire: $0) }.map {
                Speech.say("today.observed-since", "Observed since \($0, "time").")
            }
                ?? Speech.say(
                    "today.nothing-has-been-observed",
                    "Nothing has been observed on this computer yet."
                )
        )
        return lines
    }

    private static func currentApp(_ segment: Segment, _ apps: DisplayNames) -> String {
        let member = DisplayWidth.sanitized(segment.member)
        switch segment.presence {
        case .active:
            guard let app = segment.app.map({ apps[$0] }) else {
                return Speech.say("today.now-is-at-the", "Now: \(member, "member") is at the desktop.")
            }
            guard let site = segment.domain.map({ DisplayWidth.sanitized($0) }) else {
                return Speech.say("today.now-is-using", "Now: \(member, "member") is using \(app, "app").")
            }
            return Speech.say(
                "today.now-is-using-in",
                "Now: \(member, "member") is using \(site, "site") in \(app, "app")."
            )
        case .idle:
            return Speech.say("today.now-has-stepped-away", "Now: \(member, "member") has stepped away.")
        case .locked:
            return Speech.say("today.now-s-screen-is", "Now: \(member, "member")'s screen is locked.")
        case .away, .suspended:
            return Speech.say("today.now-is-away", "Now: \(member, "member") is away.")
        case .unobserved, .unknown:
            return Speech.say(
                "today.now-screen-time-cannot",
                "Now: Screen Time cannot see what \(member, "member") does."
            )
        }
    }
}
