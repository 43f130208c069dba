import STContracts
import STPausing
import STPlatform

/// `screentime thaw`: resumes all apps that desktop-agent paused before it ended unexpectedly.
///
/// The command needs neither the bus nor the agent, only the agent's journal.
enum ThawCommand {
    static let commands: [Command] = [
        Command(
            ["thaw"],
            "Resumes every paused app after desktop-agent has ended unexpectedly",
            options: [
                .init(
                    "--anyway",
                    value: nil,
                    summary: "resumes apps even while desktop-agent is running, which may pause them again",
                    key: "help.--anyway.even-while-the-agent-runs"
                ),
                .init(
                    "--demo",
                    value: nil,
                    summary: "resumes the apps of the demonstration",
                    key: "help.--demo.the-apps-of-the-demonstration"
                ),
                .json,
            ],
            example: "screentime thaw"
        ) { invocation in
            let places = try SystemPlaces(invocation)
            return try await OwnThread.run("thaw") { try run(invocation, places.directories) }
        }
    ]

    private static func run(_ invocation: Invocation, _ directories: Directories) throws -> ExitCode {
        let lock = "\(directories.run)/\(ServiceName.desktop)/lock"
        if !invocation.has("--anyway"), let pid = InstanceLock.holder(path: lock) {
            throw Problem(
                "thaw.agent_runs",
                """
                desktop-agent is running as process \(pid, "pid"), and resumes paused apps when it stops. \
                Stop Screen Time to remove every shield, or add --anyway to resume the apps for now.
                """,
                help: "screentime system down"
            )
        }
        let thawing = AppThaw(
            journal: PauseJournal(directories),
            units: SystemdUnits(environment: invocation.environment)
        )
        let report = thawing.thawAll()
        invocation.wantsJSON ? showJSON(report, invocation.terminal) : show(report, invocation.terminal)
        return report.problem == nil && report.apps.allSatisfy(\.isResumed) ? .done : .no
    }

    private static func show(_ report: AppThaw.Report, _ terminal: Terminal) {
        if report.apps.isEmpty {
            terminal.write(Speech.say("system.nothing-is-paused", "Nothing is paused."))
        }
        for app in report.apps {
            let name = DisplayNames()[app.app]
            if app.isResumed {
                terminal.write(
                    app.processes == 0
                        ? Speech.say("system.has-ended", "\(name, "name") has ended.")
                        : Speech.say(
                            "system.goes-on-with",
                            count: app.processes,
                            one: "Resumed \(name, "app") (1 process).",
                            other: "Resumed \(name, "app") (\(app.processes, "count") processes)."
                        )
                )
            } else {
                terminal.note(
                    Speech.say(
                        "system.is-still-paused-this",
                        """
                        \(name, "name") is still paused: this account is not allowed to resume it. Try again \
                        as its owner.
                        """
                    )
                )
            }
        }
        if let problem = report.problem { terminal.note(ProblemText.text(problem)) }
    }

    private static func showJSON(_ report: AppThaw.Report, _ terminal: Terminal) {
        let apps = report.apps.map { app -> JSONValue in
            [
                "app": .string(app.app), "means": .string(app.means.rawValue),
                "processes": .integer(Int64(app.processes)), "free": .bool(app.isResumed),
            ]
        }
        var members: [String: JSONValue] = ["apps": .array(apps)]
        if let problem = report.problem { members["problem"] = .string(problem.message) }
        terminal.write(JSONOutput.pretty(.object(members)))
    }
}
