package import STPlatform
import Synchronization

/// The status of a service.
package struct ServiceStatus: Sendable, Equatable {
    package var name: String
    /// `nil` if the service has no process.
    package var pid: Int32?
    package var state: ServiceState
    package var readySinceBootMs: Int64?
    package var readySinceWall: WallTime?
    package var restarts: Int
    /// The exit status of the last process.
    package var lastExit: ExitStatus?
    /// The reason of the last failure, until the service is ready again.
    package var failure: Message?
    /// The service's own text about its state (STATUS=).
    package var statusText: String?
}

/// `supervisor.json`: the state of the services, for programs that did not start the supervisor.
///
/// Written without a JSON encoder, because the supervisor needs no other JSON.
enum SupervisorReport {
    static func text(pid: Int32, started: WallTime, isDemo: Bool, services: [ServiceStatus]) -> String {
        let rows = services.map { "    " + object(service($0)) }
        return """
            {
              "pid": \(pid),
              "started_at": \(JSONQuoting.quoted(RFC3339.text(wallMs: started.ms))),
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
            ("ready_since", status.readySinceWall.map { JSONQuoting.quoted(RFC3339.text(wallMs: $0.ms)) }),
            ("restarts", String(status.restarts)),
            ("last_exit", status.lastExit.map { JSONQuoting.quoted($0.description) }),
            ("last_exit_message", status.lastExit.flatMap { parts($0.message) }),
            ("failure", status.failure.map { JSONQuoting.quoted($0.english) }),
            ("failure_message", status.failure.flatMap(parts)),
            ("status", status.statusText.map { JSONQuoting.quoted($0) }),
        ]
    }

    /// Returns the key and the values of a message, as on the wire.
    private static func parts(_ message: Message) -> String? {
        message.key.isEmpty ? nil : object(members(of: message))
    }

    private static func members(of message: Message) -> [(String, String?)] {
        let values = message.values.sorted { $0.key < $1.key }.map { ($0.key, Optional(json($0.value))) }
        return [
            ("key", JSONQuoting.quoted(message.key)), ("values", object(values)),
            ("count", message.count.map { String($0) }),
        ]
    }

    private static func json(_ value: MessageValue) -> String {
        switch value {
        case .text(let text): JSONQuoting.quoted(text)
        case .duration(let ms): "{ \"duration_ms\": \(ms) }"
        case .list(let values): "{ \"list\": [\(values.map(json).joined(separator: ", "))] }"
        case .message(let message):
            object([("message", JSONQuoting.quoted(message.english))] + members(of: message))
        }
    }

    /// Members without a value are omitted.
    private static func object(_ members: [(String, String?)]) -> String {
        let parts = members.compactMap { name, value in value.map { "\"\(name)\": \($0)" } }
        return "{ \(parts.joined(separator: ", ")) }"
    }
}

/// The data that the supervisor's thread publishes to all other threads: the states of the services, and their changes.
final class SupervisorBoard: Sendable {
    private struct State {
        var statuses: [ServiceStatus] = []
        var processes: [String: SpawnedProcess] = [:]
        var hasEnded = false
        var waiters: [ObjectIdentifier: WakeDescriptor] = [:]
    }

    private let state = Mutex(State())

    var statuses: [ServiceStatus] { state.withLock { $0.statuses } }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    func process(_ name: String) -> SpawnedProcess? { state.withLock { $0.processes[name] } }

    func publish(_ statuses: [ServiceStatus], _ processes: [String: SpawnedProcess]) {
        change {
            $0.statuses = statuses
            $0.processes = processes
        }
    }

    func end() {
        change { $0.hasEnded = true }
    }

    private func change(_ body: (inout sending State) -> Void) {
        let bells = state.withLock { state in
            body(&state)
            return Array(state.waiters.values)
        }
        for bell in bells { bell.signal() }
    }

    /// Waits until the condition is true. Checks it after each change. Returns false if the time is over.
    func wait(
        within length: Duration,
        until condition: (_ statuses: [ServiceStatus], _ hasEnded: Bool) -> Bool
    ) throws(Problem) -> Bool {
        let bell = try WakeDescriptor()
        state.withLock { $0.waiters[ObjectIdentifier(bell)] = bell }
        defer { state.withLock { _ = $0.waiters.removeValue(forKey: ObjectIdentifier(bell)) } }
        let start = Stopwatch.milliseconds()
        while true {
            let (statuses, hasEnded) = state.withLock { ($0.statuses, $0.hasEnded) }
            if condition(statuses, hasEnded) { return true }
            let left = length - .milliseconds(Stopwatch.milliseconds() - start)
            guard left > .zero else { return false }
            _ = bell.wait(withinMs: left.ms)
        }
    }
}
