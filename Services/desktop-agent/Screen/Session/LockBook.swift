import Synchronization

/// Several programs say whether the screen is locked; it is as long as any of them says so.
final class LockBook: Sendable {
    enum Source: Hashable {
        case logind
        case screenSaver
    }

    private struct State {
        var lockers: Set<Source> = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let heard: @Sendable (SessionEvent) -> Void

    init(_ heard: @escaping @Sendable (SessionEvent) -> Void) { self.heard = heard }

    func pass(_ event: SessionEvent) {
        if !state.withLock({ $0.isClosed }) { heard(event) }
    }

    /// Passes on everything but what changes nothing.
    func take(_ event: SessionEvent, from source: Source) {
        let isNews = state.withLock { state in
            guard !state.isClosed else { return false }
            guard case .locked(let isLocked, _) = event else { return true }
            let was = !state.lockers.isEmpty
            if isLocked { state.lockers.insert(source) } else { state.lockers.remove(source) }
            return was != !state.lockers.isEmpty
        }
        if isNews { heard(event) }
    }

    func close() { state.withLock { $0.isClosed = true } }
}
