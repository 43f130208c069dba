import STDesktopCore
import Synchronization

/// Carries what is shielded from the thread of the database to whoever puts the shields up: the newest alone.
final class PolicyWire: Sendable {
    private struct State {
        var policy: ShieldPolicy?
        var ring: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// On any thread.
    func put(_ policy: ShieldPolicy) {
        let ring = state.withLock { state in
            let isFirst = state.policy == nil
            state.policy = policy
            return isFirst ? state.ring : nil
        }
        ring?()
    }

    /// What has not been taken yet.
    func take() -> ShieldPolicy? {
        state.withLock { state in
            defer { state.policy = nil }
            return state.policy
        }
    }

    /// Rings for what is there already as well.
    func listen(_ ring: @escaping @Sendable () -> Void) {
        let isThere = state.withLock { state in
            state.ring = ring
            return state.policy != nil
        }
        if isThere { ring() }
    }
}
