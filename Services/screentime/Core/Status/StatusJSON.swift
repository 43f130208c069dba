package import STContracts
package import STPlatform

/// `status --json`.
package enum StatusJSON {
    package static func value(_ view: SystemView, _ directories: Directories) throws -> JSONValue {
        let cursors = TopBoard.cursorLines(view.answers)
        let services = try ServiceName.all.map { service -> JSONValue in
            var members: [String: JSONValue] = [
                "name": .string(service.rawValue),
                "log": .string(directories.log(service: service.rawValue)),
            ]
            if let supervised = view.supervisor?.service(service.rawValue) {
                members["supervisor_state"] = .string(supervised.state)
                members["restarts"] = .integer(supervised.restarts ?? 0)
                members["last_exit"] = supervised.lastExit.map { .string($0) }
                members["failure"] = supervised.failure.map { .string($0) }
            }
            switch view.reports[service] {
            case .success(let report):
                members["answers"] = true
                members["report"] = try JSONOutput.value(of: report)
                members["behind"] = .object(
                    Dictionary(
                        cursors.filter { $0.service == service.rawValue }.map {
                            ($0.stream, .integer($0.lag))
                        },
                        uniquingKeysWith: max
                    )
                )
            case .failure(let problem):
                members["answers"] = false
                members["problem"] = try JSONOutput.value(of: problem)
            case nil: members["answers"] = false
            }
            return .object(members)
        }
        return .object([
            "running": .bool(view.isRunning),
            "demo": .bool(view.isDemo),
            "since": view.supervisor.map { .string($0.startedAt) } ?? .null,
            "supervisor_pid": view.supervisor.map { .integer(Int64($0.pid)) } ?? .null,
            "observed": .bool(!view.sight.isBlind),
            "sight": .string(view.sight.text),
            "services": .array(services),
        ])
    }

    private static func max(_ left: JSONValue, _ right: JSONValue) -> JSONValue {
        guard case .integer(let first) = left, case .integer(let second) = right else { return left }
        return .integer(Swift.max(first, second))
    }
}
