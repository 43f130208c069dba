import STPlatform

/// `screentime status`.
enum StatusCommand {
    static let commands: [Command] = [
        Command(
            ["status"],
            "Every process: is it there, how large is it, how far behind is it",
            options: [.json],
            example: "screentime status"
        ) { try await run($0) }
    ]

    static let nothingRuns = Problem(
        "system.not_running",
        "Screen Time is not running, so nothing is observed.",
        retryable: true,
        help: "screentime system up"
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let view = try await ServiceClients.with(invocation.directories) { await SystemView.gather($0) }
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            terminal.write(JSONOutput.pretty(try StatusJSON.value(view, invocation.directories)))
            return view.isRunning ? .done : .notRunning
        }
        guard view.isRunning else { throw nothingRuns }
        terminal.write(StatusText.lines(view, invocation.directories, terminal).joined(separator: "\n"))
        return .done
    }
}
