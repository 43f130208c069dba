import STContracts
package import STPlatform

/// The screen of `status`.
package enum StatusText {
    package static func lines(_ view: SystemView, _ directories: Directories, _ terminal: Terminal)
        -> [String]
    {
        var lines = [headline(view, terminal)]
        let sight = view.sight
        lines.append(sight.isBlind ? terminal.styled(sight.text, .yellow) : sight.text)
        lines.append("")
        lines += table(view, terminal)
        lines += cursors(view, terminal)
        lines += failures(view, directories, terminal)
        return lines
    }

    private static func headline(_ view: SystemView, _ terminal: Terminal) -> String {
        var text: String
        if let supervisor = view.supervisor {
            text =
                "Screen Time has been running since \(LocalTime.text(wire: supervisor.startedAt)), "
                + "supervised by process \(supervisor.pid)."
        } else {
            let uptime = view.answers.map(\.uptimeMs).max() ?? 0
            text =
                "Screen Time has been running for \(TextFormat.duration(ms: uptime)), without a supervisor of its own."
        }
        text = terminal.styled(text, .bold)
        return view.isDemo ? text + "  " + Banner.demo(terminal) : text
    }

    private static func table(_ view: SystemView, _ terminal: Terminal) -> [String] {
        var table = TextTable([
            ("SERVICE", .left), ("STATE", .left), ("PID", .right), ("UP", .right), ("MEMORY", .right),
            ("RESTARTS", .right), ("DATABASE", .right), ("STREAMS", .left),
        ])
        for service in ServiceName.all {
            let supervised = view.supervisor?.service(service.rawValue)
            let restarts = supervised?.restarts ?? 0
            let restartCell = TextTable.Cell(
                supervised == nil ? "–" : String(restarts),
                restarts > 0 ? .yellow : nil
            )
            guard case .success(let report) = view.reports[service] else {
                table.add([
                    .init(service.rawValue), state(of: supervised),
                    .init(supervised?.pid.map { String($0) } ?? "–"),
                    .init("–"), .init("–"), restartCell, .init("–"), .init(""),
                ])
                continue
            }
            table.add([
                .init(service.rawValue), .init(report.state, report.state == "ready" ? .green : .yellow),
                .init(String(report.pid)), .init(TextFormat.duration(ms: report.uptimeMs / 1000 * 1000)),
                .init(TextFormat.bytes(report.pssKib * 1024)), restartCell,
                .init(TextFormat.bytes(report.databaseBytes)),
                .init(report.streams.map { "\($0.stream) \($0.sequence)" }.joined(separator: ", ")),
            ])
        }
        return table.lines(columns: terminal.columns, terminal)
    }

    private static func state(of supervised: SupervisorFile.Service?) -> TextTable.Cell {
        guard let supervised else { return .init("not running", .red) }
        return .init(supervised.state == "ready" ? "not answering" : supervised.state, .red)
    }

    private static func cursors(_ view: SystemView, _ terminal: Terminal) -> [String] {
        let lines = TopBoard.cursorLines(view.answers)
        guard !lines.isEmpty else { return [] }
        var table = TextTable([
            ("SUBSCRIBER", .left), ("FOLLOWS", .left), ("BEHIND", .right), ("STATE", .left),
        ])
        for line in lines {
            table.add([
                .init(line.service), .init("\(line.stream) of \(line.source)"),
                .init(String(line.lag), line.lag > 0 ? .yellow : nil), .init(line.state),
            ])
        }
        return [""] + table.lines(columns: terminal.columns, terminal)
    }

    /// One paragraph for each process that does not answer: how it ended, why, and where to read on.
    private static func failures(_ view: SystemView, _ directories: Directories, _ terminal: Terminal)
        -> [String]
    {
        ServiceName.all.flatMap { service -> [String] in
            guard case .failure(let problem) = view.reports[service] else { return [] }
            let supervised = view.supervisor?.service(service.rawValue)
            // Never started and nothing to say: the table has told it.
            if supervised == nil, problem.code == "service.not_running", view.supervisor == nil { return [] }
            var parts = [supervised?.failure ?? problem.message]
            if let exit = supervised?.lastExit { parts.append("It last \(exit).") }
            parts.append("Its log: \(directories.log(service: service.rawValue))")
            return [
                "",
                terminal.styled(service.rawValue, .red) + ": "
                    + parts.map(DisplayWidth.harmless).joined(separator: " "),
            ]
        }
    }
}
