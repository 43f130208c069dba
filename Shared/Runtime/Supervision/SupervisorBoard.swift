import STPlatform
import Synchronization

/// What the supervisor's thread tells all others: the state of the services, and when it changes.
final class SupervisorBoard: Sendable {
    private struct State {
        var statuses: [ServiceStatus] = []
        var processes: [String: SpawnedProcess] = [:]
        var hasEnded = false
        var bells: [ObjectIdentifier: Bell] = [:]
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
            return Array(state.bells.values)
        }
        for bell in bells { bell.ring() }
    }

    /// Whether the condition came true in time.
    ///
    /// It is looked at once more after each change.
    func wait(
        withinMs: Int64,
        until condition: (_ statuses: [ServiceStatus], _ hasEnded: Bool) -> Bool
    ) throws(Problem) -> Bool {
        let bell = try Bell()
        state.withLock { $0.bells[ObjectIdentifier(bell)] = bell }
        defer { state.withLock { _ = $0.bells.removeValue(forKey: ObjectIdentifier(bell)) } }
        let startMs = Stopwatch.milliseconds()
        while true {
            let (statuses, hasEnded) = state.withLock { ($0.statuses, $0.hasEnded) }
            if condition(statuses, hasEnded) { return true }
            let leftMs = withinMs - (Stopwatch.milliseconds() - startMs)
            guard leftMs > 0 else { return false }
            _ = bell.wait(withinMs: leftMs)
        }
    }
}
