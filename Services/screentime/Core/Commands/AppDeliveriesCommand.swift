import Glibc
package import STContracts
import STPlatform

/// `screentime app …`: the output of an app's extensions, and the results of their callbacks.
enum AppDeliveriesCommand {
    private static let app = Command.Subject("APP", "the app's id", key: "help.arg-app.its-id")

    static let commands: [Command] = [
        Command(
            ["app", "log"],
            """
            Shows the log of an app's extensions: their output, their errors, and when the system stopped \
            them
            """,
            subjects: [app],
            options: [
                .init("--follow", value: nil, summary: "shows the last lines, and then each new one"),
                .init(
                    "--count",
                    value: "N",
                    summary: "how many lines; 50 by default; with --follow, ends after this many"
                ),
                .init(
                    "--for",
                    value: "DURATION",
                    summary: "with --follow: ends after this time",
                    key: "help.--for.with-follow-ends-after-this"
                ),
                .json,
            ],
            example: "screentime app log promise --follow"
        ) { try await AppLogCommand.run($0) },
        Command(
            ["app", "deliveries"],
            "Lists the callbacks of apps: waiting, done, or parked with the reason",
            subjects: [
                .init(
                    "APP",
                    "only callbacks of this app",
                    key: "help.arg-app.only-of-this-one",
                    isOptional: true
                )
            ],
            options: [
                .init(
                    "--state",
                    value: "STATE",
                    summary:
                        "only callbacks in one of these states: \(DeliveryState.known.joined(separator: ", "), "known")"
                ),
                .init(
                    "--count",
                    value: "N",
                    summary: "how many to show; 20 by default",
                    key: "help.--count.how-many-of-them-20"
                ),
                .json,
            ],
            example: "screentime app deliveries promise"
        ) { try await deliveries($0) },
        Command(
            ["app", "retry"],
            "Retries a parked callback",
            subjects: [.init("DELIVERY", "the callback's short name, such as D18")],
            options: [.json],
            example: "screentime app retry D18"
        ) { try await retry($0) },
        Command(
            ["app", "debug"],
            """
            Starts an app's monitor and pauses it immediately so that a debugger can attach; time, memory \
            and output have no limits
            """,
            subjects: [app],
            options: [
                .init("--off", value: nil, summary: "ends debugging; the next callback runs as usual"), .json,
            ],
            example: "screentime app debug promise"
        ) { try await AppDebug.run($0) },
    ]

    private static let countDefault = 20

    private static func deliveries(_ invocation: Invocation) async throws -> ExitCode {
        let count = try invocation.count("--count") ?? countDefault
        let state = try invocation.choice("--state", DeliveryState.self)
        let app = invocation.subjects.first
        let found = try await ServiceClients.with(invocation.directories) { clients in
            let found = try await latest(count, app: app, state: state, clients: clients)
            if found.isEmpty { try await NameCheck.checkApp(app, clients) }
            return found
        }
        return try invocation.show(json: try JSONOutput.pretty(of: found, named: "deliveries")) {
            DeliveryText.list(found, app: app, state: state, invocation.terminal)
        }
    }

    /// Returns the newest deliveries first, from as many pages as needed.
    private static func latest(
        _ count: Int,
        app: String?,
        state: DeliveryState?,
        clients: ServiceClients
    ) async throws -> [DeliveryView] {
        var found: [DeliveryView] = []
        var next: String?
        repeat {
            let limit = Int64(min(count - found.count, BusLimits.pageRows))
            let request = MonitorDeliveries.Request(app: app, state: state, next: next, limit: limit)
            let page = try await clients.call(MonitorDeliveries.self, request)
            found += page.deliveries
            next = page.next
        } while next != nil && found.count < count
        return found
    }

    private static func retry(_ invocation: Invocation) async throws -> ExitCode {
        let view = try await ServiceClients.with(invocation.directories) {
            try await $0.call(MonitorRetry.self, .init(delivery: invocation.subjects[0]))
        }
        let app = DisplayWidth.sanitized(view.app)
        return try invocation.show(json: try JSONOutput.pretty(of: view)) {
            [
                Speech.say(
                    "delivery.is-retried",
                    "Retrying \(view.delivery, "delivery") (\(view.method, "method") of \(app, "app"))."
                ),
                ProblemText.asTyped(
                    Speech.say("delivery.to-see-its-state", "To see its state: ")
                        + "screentime app deliveries \(app)"
                ),
            ]
        }
    }
}

/// The screen of `app deliveries`: one line for each callback. Below a failed one are the reason and its last output.
package enum DeliveryText {
    private static let linesMax = 6

    package static func list(
        _ deliveries: [DeliveryView],
        app: String?,
        state: DeliveryState?,
        _ terminal: Terminal
    ) -> [String] {
        guard !deliveries.isEmpty else { return [none(app: app.map { DisplayWidth.sanitized($0) }, state)] }
        let member = Speech.say("delivery.title-for", "FOR")
        let took = Speech.say("delivery.title-took", "TOOK")
        let memory = Speech.say("delivery.title-memory", "MEMORY")
        var table = TextTable([
            ("", .left), (Speech.say("delivery.title-due", "DUE"), .left),
            (Speech.say("delivery.title-app", "APP"), .left), (member, .left),
            (Speech.say("delivery.title-callback", "CALLBACK"), .left),
            (Speech.say("delivery.title-state", "STATE"), .left),
            (took, .right), (memory, .right),
        ])
        for delivery in deliveries { table.add(cells(delivery)) }
        let rows = table.lines(columns: terminal.columns, expendable: [member, memory, took], terminal)
        var lines = [rows[0]]
        for (row, delivery) in zip(rows.dropFirst(), deliveries) {
            lines.append(row)
            lines += details(delivery, terminal)
        }
        return lines
    }

    private static func none(app: String?, _ state: DeliveryState?) -> String {
        switch (app, state?.label) {
        case (nil, nil): Speech.say("delivery.none", "There are no callbacks yet.")
        case (let app?, nil):
            Speech.say("delivery.none-of-app", "There are no callbacks of \(app, "app") yet.")
        case (nil, let state?): Speech.say("delivery.none-in-state", "No callback is \(state, "state").")
        case (let app?, let state?):
            Speech.say(
                "delivery.none-of-app-in-state",
                "No callback of \(app, "app") is \(state, "state")."
            )
        }
    }

    private static func cells(_ delivery: DeliveryView) -> [TextTable.Cell] {
        let event = delivery.event.map { " \($0)" } ?? ""
        let label = delivery.state.label
        let state =
            delivery.attempt > 1
            ? Speech.say(
                "delivery.state-and-attempt",
                "\(label, "state"), attempt \(delivery.attempt, "attempt")"
            ) : Speech.say(label)
        return [
            .init(delivery.delivery), .init(TimeText.text(WallTime(ms: delivery.dueWallMs))),
            .init(delivery.app),
            .init(delivery.member), .init("\(delivery.method) \(delivery.activity)\(event)"),
            .init(state, style(delivery.state)),
            .init(delivery.tookMs.map { "\($0) ms" } ?? ""),
            .init(delivery.privateKib.map { "\(($0 + 51) / 102 / 10).\(($0 + 51) / 102 % 10) MB" } ?? ""),
        ]
    }

    private static func style(_ state: DeliveryState) -> Terminal.Style? {
        switch state {
        case .parked: .red
        case .waiting, .running: .yellow
        default: nil
        }
    }

    private static func details(_ delivery: DeliveryView, _ terminal: Terminal) -> [String] {
        guard let reason = delivery.reason else { return [] }
        let indent = "      "
        var narrow = terminal
        narrow.columns = max(20, terminal.columns - indent.count)
        let text = delivery.message.map { Speech.say($0) } ?? reason
        var lines = TextWrap.lines(DisplayWidth.sanitized(text), narrow).map { indent + $0 }
        let figure = delivery.figure.map { ", \(DisplayWidth.sanitized($0))" } ?? ""
        lines.append(indent + terminal.styled("\(DisplayWidth.sanitized(reason))\(figure)", .dim))
        for line in delivery.lastOutput.suffix(linesMax) {
            let text = DisplayWidth.truncated(DisplayWidth.sanitized(line), max(20, terminal.columns - 8))
            lines.append(indent + terminal.styled("| " + text, .dim))
        }
        if delivery.state == .parked {
            let advice = Speech.say("delivery.after-correcting", "After you have corrected the cause, run: ")
            lines.append(
                indent + ProblemText.asTyped(advice + "screentime app retry \(delivery.delivery)")
            )
        }
        return lines
    }
}

/// `screentime app debug`.
enum AppDebug {
    private static let startTimeout: Duration = .seconds(5)
    private static let interval: Duration = .milliseconds(50)

    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let app = invocation.subjects[0]
        let isOn = !invocation.has("--off")
        let reply = try await ServiceClients.with(invocation.directories) { clients in
            isOn
                ? try await started(app, clients)
                : try await clients.call(MonitorDebug.self, .init(app: app, on: false))
        }
        let name = DisplayWidth.sanitized(app)
        return try invocation.show(json: try JSONOutput.pretty(of: reply)) {
            isOn
                ? reply.pid.map { attachCommand(to: $0, name) } ?? defaultCommand(name) : defaultCommand(name)
        }
    }

    private static func defaultCommand(_ app: String) -> [String] {
        [
            Speech.say(
                "app.debug-has-ended",
                "Debugging has ended. The next callback of \(app, "app") runs as usual."
            )
        ]
    }

    private static func attachCommand(to pid: Int64, _ app: String) -> [String] {
        let user = debuggerNeedsRoot() ? "sudo " : ""
        return [
            Speech.say(
                "app.debug-is-paused",
                """
                Process \(pid, "pid"), the monitor of \(app, "app"), is paused before its first instruction. \
                To attach a debugger:
                """
            ),
            "",
            "    \(user)lldb -p \(pid)",
            "    \(user)gdb -p \(pid)",
            "",
            Speech.say(
                "app.debug-set-breakpoints",
                """
                Set breakpoints, then enter `continue` in the debugger. The process then runs the extension \
                and receives its callbacks.
                """
            ),
            Speech.say(
                "app.debug-no-limits",
                "Until you end debugging, time, memory and output have no limits."
            ) + " "
                + ProblemText.asTyped(
                    Speech.say("app.debug-to-end", "To end debugging: ")
                        + "screentime app debug \(app) --off"
                ),
        ]
    }

    /// Requests the process until it runs.
    private static func started(_ app: String, _ clients: ServiceClients) async throws -> MonitorDebug.Reply {
        let deadline = SuspendingClock.now + startTimeout
        while true {
            let reply = try await clients.call(MonitorDebug.self, .init(app: app, on: true))
            if reply.pid != nil { return reply }
            guard SuspendingClock.now < deadline else {
                _ = try? await clients.call(MonitorDebug.self, .init(app: app, on: false))
                throw Problem(
                    "app.not_started",
                    """
                    The monitor of \(app, "app") was not started. The app needs permission to monitor usage, \
                    and its program must be installed.
                    """,
                    help: "screentime app show \(app)"
                )
            }
            try await Task.sleep(for: interval)
        }
    }

    /// Returns true if only root may attach to a process that is not a child of the debugger.
    private static func debuggerNeedsRoot() -> Bool {
        let scope = try? AtomicFile.read("/proc/sys/kernel/yama/ptrace_scope", limitBytes: 16)
        return geteuid() != 0 && scope.map { ($0.first ?? 0x30) != 0x30 } ?? false
    }
}
