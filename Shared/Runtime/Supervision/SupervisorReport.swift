import STPlatform

/// `supervisor.json`: how things are, for programs that did not start the supervisor.
///
/// Written by hand, because this is all the JSON there is here.
enum SupervisorReport {
    static func text(pid: Int32, startedWallMs: Int64, isDemo: Bool, services: [ServiceStatus]) -> String {
        let rows = services.map { "    " + object(service($0)) }
        return """
            {
              "pid": \(pid),
              "started_at": \(JSONQuoting.quoted(RFC3339.text(wallMs: startedWallMs))),
              "demo": \(isDemo),
              "services": [
            \(rows.joined(separator: ",\n"))
              ]
            }

            """
    }

    private static func service(_ status: ServiceStatus) -> [(String, String?)] {
        [
            ("name", JSONQuoting.quoted(status.name)),
            ("state", JSONQuoting.quoted(status.state.name)),
            ("pid", status.pid.map { String($0) }),
            ("ready_since_boot_ms", status.readySinceBootMs.map { String($0) }),
            ("ready_since", status.readySinceWallMs.map { JSONQuoting.quoted(RFC3339.text(wallMs: $0)) }),
            ("restarts", String(status.restarts)),
            ("last_exit", status.lastExit.map { JSONQuoting.quoted($0.description) }),
            ("failure", status.failure.map { JSONQuoting.quoted($0) }),
            ("status", status.statusText.map { JSONQuoting.quoted($0) }),
        ]
    }

    /// Members without a value are left out.
    private static func object(_ members: [(String, String?)]) -> String {
        let parts = members.compactMap { name, value in value.map { "\"\(name)\": \($0)" } }
        return "{ \(parts.joined(separator: ", ")) }"
    }
}
