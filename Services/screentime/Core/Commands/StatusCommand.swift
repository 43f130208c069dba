package import STContracts
package import STPlatform

/// `screentime status`.
enum StatusCommand {
    static let commands: [Command] = [
        Command(
            ["status"],
            "Shows the state and memory of each process, and how many events it has not processed yet",
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
        let conditions = view.conditions(invocation.directories, now: invocation.now)
        if invocation.wantsJSON {
            let value = try StatusJSON.value(
                view,
                conditions: conditions,
                directories: invocation.directories
            )
            terminal.write(JSONOutput.pretty(value))
            return view.isRunning ? .done : .notRunning
        }
        guard view.isRunning else { throw nothingRuns }
        terminal.write(
            StatusText.lines(view, conditions: conditions, terminal: terminal).joined(separator: "\n")
        )
        return .done
    }
}

/// The screen of `status`.
package enum StatusText {
    private static let noticesMax = 3

    package static func lines(_ view: SystemView, conditions: [Condition], terminal: Terminal) -> [String] {
        var lines = ConditionText.lines(conditions, terminal) + [headline(view, terminal)]
        lines += [view.source, notifications(view)].compactMap(\.self).flatMap {
            TextWrap.lines($0, terminal)
        }
        let isAway = conditions.contains { $0.code == .householdUnreachable }
        let household = view.link.map { HouseholdTable.linkStatus($0, isAway: isAway) } ?? []
        lines += household.flatMap { TextWrap.lines($0, terminal) }
        lines.append("")
        lines += table(view, terminal)
        lines += cursors(view, terminal)
        lines += notices(view, terminal)
        return lines
    }

    private static func notifications(_ view: SystemView) -> String? {
        NotificationText.desktop(view.notifications).map {
            Speech.say("status.notifications", "Notifications: ") + $0
        }
    }

    /// Returns the passcode events that a person might want to hide.
    private static func notices(_ view: SystemView, _ terminal: Terminal) -> [String] {
        let told = view.notices.filter { [.passcodeReset, .passcodeLocked].contains($0.kind) }.suffix(
            noticesMax
        )
        guard !told.isEmpty else { return [] }
        return [""]
            + told.flatMap { notice in
                TextWrap.lines(
                    TimeText.text(wire: notice.at) + "  " + DisplayWidth.sanitized(Speech.say(notice.text)),
                    terminal
                ).map { terminal.styled($0, .yellow) }
            }
    }

    private static func headline(_ view: SystemView, _ terminal: Terminal) -> String {
        let text: String
        if let supervisor = view.supervisor {
            let since = TimeText.text(wire: supervisor.startedAt)
            text = Speech.say(
                "status.screen-time-has-been",
                "Screen Time has been running since \(since, "since"), supervised by process \(supervisor.pid, "pid")."
            )
        } else {
            let length = Speech.duration(ms: view.answers.map(\.uptimeMs).max() ?? 0)
            let other = RemoteMachine.current.map { DisplayWidth.sanitized($0.machine) }
            text =
                other.map { other in
                    Speech.say(
                        "status.screen-time-has-been-running",
                        "Screen Time has been running on \(other, "other") for \(length, "length")."
                    )
                }
                ?? Speech.say(
                    "status.screen-time-has-been-running-for",
                    """
                    Screen Time has been running for \(length, "length"). systemd or another program started \
                    its services.
                    """
                )
        }
        return Banner.titled(text, isDemo: view.isDemo, terminal)
    }

    private static func table(_ view: SystemView, _ terminal: Terminal) -> [String] {
        let titles = [
            Speech.say("status.service", "SERVICE"), Speech.say("status.state", "STATE"), "PID",
            Speech.say("status.up", "UP"),
            Speech.say("status.memory", "MEMORY"), Speech.say("status.restarts", "RESTARTS"),
            Speech.say("status.database", "DATABASE"), Speech.say("status.streams", "STREAMS"),
        ]
        var table = TextTable(
            titles.enumerated().map { ($1, [0, 1, 7].contains($0) ? .left : .right) }
        )
        for service in view.services {
            let supervised = view.supervisor?.service(service.rawValue)
            let restarts = supervised?.restarts ?? 0
            let restartCell = TextTable.Cell(
                supervised == nil ? "–" : String(restarts),
                restarts > 0 ? .yellow : nil
            )
            guard case .success(let report) = view.reports[service] else {
                table.add([
                    .init(service.rawValue), state(of: supervised, isSupervised: view.supervisor != nil),
                    .init(supervised?.pid.map { String($0) } ?? "–"),
                    .init("–"), .init("–"), restartCell, .init("–"), .init(""),
                ])
                continue
            }
            table.add([
                .init(service.rawValue),
                .init(stateText(report.state), report.state == "ready" ? .green : .yellow),
                .init(String(report.pid)), .init(Speech.duration(ms: report.uptimeMs / 1000 * 1000)),
                .init(TextFormat.bytes(report.pssKib * 1024)), restartCell,
                .init(TextFormat.bytes(report.databaseBytes)),
                .init(
                    report.streams.filter { !isHistory($0.stream) }.map { "\($0.stream) \($0.sequence)" }
                        .joined(separator: ", ")
                ),
            ])
        }
        let expendable = [5, 6, 3, 7, 2].map { titles[$0] }
        return table.lines(columns: terminal.columns, expendable: expendable, terminal)
    }

    private static func state(of supervised: SupervisorFile.Service?, isSupervised: Bool) -> TextTable.Cell {
        // The supervisor was not asked to start a service that it does not list.
        guard let supervised else {
            return isSupervised
                ? .init(Speech.say("status.not-started", "not started"), .dim)
                : .init(Speech.say("status.not-running", "not running"), .red)
        }
        return .init(
            supervised.state == "ready"
                ? Speech.say("status.not-answering", "not answering") : stateText(supervised.state),
            .red
        )
    }

    /// Returns the word for the state of a service, a process or a subscriber.
    private static func stateText(_ state: String) -> String {
        switch state {
        case "ready": Speech.say("status.state-ready", "ready")
        case "starting": Speech.say("status.state-starting", "starting")
        case "degraded": Speech.say("status.state-degraded", "degraded")
        case "failed": Speech.say("status.state-failed", "failed")
        case "waiting": Speech.say("status.state-waiting", "waiting")
        case "backing_off": Speech.say("status.state-backing-off", "backing off")
        case "stopping": Speech.say("status.state-stopping", "stopping")
        case "stopped": Speech.say("status.state-stopped", "stopped")
        case "live": Speech.say("status.state-live", "live")
        default: state
        }
    }

    private static func isHistory(_ stream: String) -> Bool { stream.hasSuffix(".history") }

    private static func cursors(_ view: SystemView, _ terminal: Terminal) -> [String] {
        // activity-center follows the history of each service. The table contains a history only if its processing is behind.
        let lines = TopFigures.cursorLines(view.answers).filter {
            !isHistory($0.stream) || $0.lag > 0 || $0.state != "live"
        }
        guard !lines.isEmpty else { return [] }
        var table = TextTable([
            (Speech.say("status.subscriber", "SUBSCRIBER"), .left),
            (Speech.say("status.follows", "FOLLOWS"), .left),
            (Speech.say("status.behind", "BEHIND"), .right), (Speech.say("status.state", "STATE"), .left),
        ])
        for line in lines {
            table.add([
                .init(line.service),
                .init(Speech.say("status.of", "\(line.stream, "stream") of \(line.source, "source")")),
                .init(String(line.lag), line.lag > 0 ? .yellow : nil), .init(stateText(line.state)),
            ])
        }
        return [""] + table.lines(columns: terminal.columns, terminal)
    }
}

/// `status --json`.
package enum StatusJSON {
    package static func value(
        _ view: SystemView,
        conditions: [Condition],
        directories: Directories
    ) throws -> JSONValue {
        [
            "running": .bool(view.isRunning),
            "demo": .bool(view.isDemo),
            "since": view.supervisor.map { .string($0.startedAt) } ?? .null,
            "supervisor_pid": view.supervisor.map { .integer(Int64($0.pid)) } ?? .null,
            "observed": .bool(view.isDesktopObserved),
            "sight": ConditionText.observationText(view, conditions).map { .string($0) } ?? .null,
            "clock": ConditionText.whole(.clockIgnored, of: conditions).map { .string($0) } ?? .null,
            "conditions": .array(try conditions.map { try JSONOutput.value(of: $0) }),
            "losses": .array(try view.losses.map { try JSONOutput.value(of: $0) }),
            "services": .array(
                try view.services.map { try service($0, view: view, directories: directories) }
            ),
            "link": try view.link.map { try JSONOutput.value(of: $0) } ?? .null,
            "notices": .array(try view.notices.map { try JSONOutput.value(of: $0) }),
            "cursors": .array(TopFigures.cursorLines(view.answers).map(cursor)),
        ]
    }

    private static func service(
        _ name: ServiceName,
        view: SystemView,
        directories: Directories
    ) throws -> JSONValue {
        var members: [String: JSONValue] = [
            "name": .string(name.rawValue),
            "log": .string(directories.log(service: name.rawValue)),
            "answers": false,
        ]
        if let supervised = view.supervisor?.service(name.rawValue) {
            members["supervisor_state"] = .string(supervised.state)
            members["restarts"] = .integer(supervised.restarts ?? 0)
            members["last_exit"] = supervised.lastExit.map { .string($0.english) }
            members["failure"] = supervised.failure.map { .string($0.english) }
        }
        switch view.reports[name] {
        case .success(let report):
            members["answers"] = true
            members["report"] = try JSONOutput.value(of: report)
        case .failure(let problem): members["problem"] = try JSONOutput.value(of: problem)
        case nil: break
        }
        return .object(members)
    }

    static func cursor(_ line: TopFigures.CursorLine) -> JSONValue {
        [
            "service": .string(line.service), "source": .string(line.source), "stream": .string(line.stream),
            "behind": .integer(line.lag), "state": .string(line.state),
        ]
    }
}
