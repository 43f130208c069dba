import STEngine
import STTestSupport
import Synchronization

/// Takes a picture of the database's files at a fault point: the process dies there, and this is what it leaves.
final class CrashTrap: Sendable {
    private struct State {
        var armed: FaultPoints.Point?
        var source = ""
        var copy = ""
        var hasSprung = false
    }

    private let state = Mutex(State())

    func arm(_ point: FaultPoints.Point, source: String, copy: String) {
        state.withLock { $0 = State(armed: point, source: source, copy: copy) }
    }

    func hit(_ point: FaultPoints.Point) {
        state.withLock { state in
            guard state.armed == point else { return }
            state.armed = nil
            state.hasSprung = true
            DatabaseImage.copy(of: state.source, to: state.copy)
        }
    }

    /// Whether it has sprung; it is unarmed afterwards.
    func take() -> Bool {
        state.withLock { state in
            defer { state = State() }
            return state.hasSprung
        }
    }
}
