package import STContracts
package import STPlatform

/// `status --json`.
package enum StatusJSON {
    package static func value(_ view: SystemView, _ directories: Directories) throws -> JSONValue {
        [
            "running": .bool(view.isRunning),
            "demo": .bool(view.isDemo),
            "since": view.supervisor.map { .string($0.startedAt) } ?? .null,
            "supervisor_pid": view.supervisor.map { .integer(Int64($0.pid)) } ?? .null,
            "observed": .bool(!view.sight.isBlind),
            "sight": .string(view.sight.text),
            "services": .array(try ServiceName.all.map { try service($0, view, directories) }),
            "notices": .array(try view.notices.map { try JSONOutput.value(of: $0) }),
            "cursors": .array(TopBoard.cursorLines(view.answers).map(cursor)),
        ]
    }

    private static func service(
        _ name: ServiceName,
        _ view: SystemView,
        _ directories: Directories
    ) throws -> JSONValue {
        var members: [String: JSONValue] = [
            "name": .string(name.rawValue),
            "log": .string(directories.log(service: name.rawValue)),
            "answers": false,
        ]
        if let supervised = view.supervisor?.service(name.rawValue) {
            members["supervisor_state"] = .string(supervised.state)
            members["restarts"] = .integer(supervised.restarts ?? 0)
            members["last_exit"] = supervised.lastExit.map { .string($0) }
            members["failure"] = supervised.failure.map { .string($0) }
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

    static func cursor(_ line: TopBoard.CursorLine) -> JSONValue {
        [
            "service": .string(line.service), "source": .string(line.source), "stream": .string(line.stream),
            "behind": .integer(line.lag), "state": .string(line.state),
        ]
    }
}
