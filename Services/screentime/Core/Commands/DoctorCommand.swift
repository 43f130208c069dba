import STContracts
import STPlatform

/// `screentime doctor`.
enum DoctorCommand {
    static let commands: [Command] = [
        Command(
            ["doctor"],
            "What can be seen and enforced on this desktop, and what would mend the rest",
            options: [.json],
            example: "screentime doctor"
        ) { try await run($0) }
    ]

    /// 1 where nothing can be seen: scripts want to know.
    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let visit = try await DoctorVisit.make(invocation)
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            var members: [String: JSONValue] = [
                "running": .bool(visit.isRunning),
                "asked": .string(visit.isAgents ? "desktop-agent" : "probe"),
            ]
            members["report"] = try JSONOutput.value(of: visit.report)
            terminal.write(JSONOutput.pretty(.object(members)))
        } else {
            terminal.write(DoctorText.lines(visit, terminal).joined(separator: "\n"))
        }
        return visit.report.isBlind ? .no : .done
    }
}
