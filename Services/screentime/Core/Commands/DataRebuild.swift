import STContracts
import STPlatform

/// `screentime data rebuild`.
enum DataRebuild {
    static let command = Command(
        ["data", "rebuild"],
        "Makes the figures of reports anew from the ledger, while the old ones are answered from",
        options: [.json],
        example: "screentime data rebuild"
    ) { try await run($0) }

    /// A person is told about once a second.
    private static let tellEveryMs: Int64 = 1_000
    private static let askEveryMs: Int64 = 100
    /// Longer than any one step of it takes on a slow disk.
    private static let stalledMs: Int64 = 300_000

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let terminal = invocation.terminal
        let reply = try await ServiceClients.with(invocation.directories) { clients in
            var reply = try await clients.call(ReportRebuild.self, .init(starts: true))
            var toldMs = Stopwatch.milliseconds()
            var movedMs = toldMs
            while reply.state == .running {
                try await Task.sleep(for: .milliseconds(askEveryMs))
                if !invocation.wantsJSON, terminal.isTerminal,
                    Stopwatch.milliseconds() - toldMs >= tellEveryMs
                {
                    toldMs = Stopwatch.milliseconds()
                    terminal.note(rows(reply.rows))
                }
                let next = try await clients.call(ReportRebuild.self, .init(starts: false))
                if next.rows != reply.rows { movedMs = Stopwatch.milliseconds() }
                reply = next
                guard Stopwatch.milliseconds() - movedMs < stalledMs else {
                    throw Problem(
                        "data.rebuild_stalled",
                        "Nothing has been added up for five minutes; the figures of before are still answered from.",
                        help: "screentime status"
                    )
                }
            }
            return reply
        }
        if invocation.wantsJSON {
            terminal.write(JSONOutput.pretty(try JSONOutput.value(of: reply)))
            return reply.state == .done ? .done : .no
        }
        if let problem = reply.problem { throw problem }
        guard reply.state == .done else {
            // It was under way when report-service ended.
            throw Problem(
                "data.rebuild_ended",
                "report-service was started anew in between; the figures are those of before. Try again.",
                help: "screentime data rebuild"
            )
        }
        terminal.write(line(reply))
        return .done
    }

    static func line(_ reply: ReportRebuild.Reply) -> String {
        let tenths = (reply.tookMs + 50) / 100
        return
            "The figures of reports were made anew from \(rows(reply.rows)) in \(tenths / 10).\(tenths % 10) s."
    }

    private static func rows(_ count: Int64) -> String { count == 1 ? "1 row" : "\(count) rows" }
}
