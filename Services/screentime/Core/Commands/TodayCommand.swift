import STContracts
import STPlatform

/// `screentime` alone.
enum TodayCommand {
    static let commands: [Command] = [
        Command(
            [],
            "The day so far, the rules, and what is not seen",
            options: [.json, .init("--version", nil, "which version this is")],
            example: "screentime"
        ) { try await run($0) }
    ]

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let terminal = invocation.terminal
        if invocation.has("--version") {
            terminal.write("screentime \(Version.text)")
            return .done
        }
        let request = question(nowMs: SystemTimeSource().now().wallMs, .here)
        return try await ServiceClients.with(invocation.directories) { clients in
            async let view = SystemView.gather(clients)
            async let now = try? clients.call(UsageNow.self, Empty(), timeoutMs: SystemView.deadlineMs)
            async let report = clients.ask(
                ReportUsage.self,
                .report,
                request,
                timeoutMs: SystemView.deadlineMs
            )
            async let rules = try? RuleShowing.all(clients, timeoutMs: SystemView.deadlineMs)
            async let progress = RuleProgress.all(clients)
            let system = await view
            guard system.isRunning else { throw StatusCommand.nothingRuns }
            let segments = await now?.open ?? []
            let today = try await report.get()
            let board = await (rules: rules ?? [], progress: progress)
            if invocation.wantsJSON {
                var value = try json(today, segments, system)
                value["rules"] = .array(
                    try board.rules.map { try RuleShowing.json($0, board.progress[$0.id]) }
                )
                terminal.write(JSONOutput.pretty(.object(value)))
            } else {
                let lines = TodayText.lines(
                    today,
                    now: segments,
                    rules: RuleScreen.today(board.rules, board.progress, terminal),
                    sight: system.sight,
                    isDemo: system.isDemo,
                    terminal
                )
                terminal.write(lines.joined(separator: "\n"))
            }
            return .done
        }
    }

    /// Today, app by app.
    private static func question(nowMs: Int64, _ clock: LocalClock) -> ReportUsage.Request {
        let today = clock.day(nowMs)
        let period = ReportPeriod(today, today, clock)
        return ReportUsage.Request(
            fromWallMs: period.fromWallMs,
            toWallMs: period.toWallMs,
            segment: .whole,
            by: [.app],
            top: TodayText.top,
            zone: clock.zone
        )
    }

    private static func json(_ report: ReportUsage.Reply, _ now: [Segment], _ view: SystemView) throws
        -> [String: JSONValue]
    {
        [
            "demo": .bool(view.isDemo),
            "observed": .bool(!view.sight.isBlind),
            "sight": .string(view.sight.text),
            "report": try JSONOutput.value(of: report),
            "now": .array(try now.map { try JSONOutput.value(of: $0) }),
        ]
    }
}
