import STDesktop
import STPlatform
import Synchronization

/// What an adapter has told and the bus thread has not taken yet.
final class EventInbox: Sendable {
    /// Beyond these the bus thread is so far behind that beginning anew is quicker.
    private static let eventsMax = 20_000

    private struct State {
        var events: [DesktopEvent] = []
        var isOver = false
    }

    private let state = Mutex(State())
    private let ring: @Sendable () -> Void

    /// `ring` is called once for all that comes until `take`.
    init(_ ring: @escaping @Sendable () -> Void) { self.ring = ring }

    func put(_ event: DesktopEvent) {
        let isFirst = state.withLock { state in
            guard !state.isOver else { return false }
            let isFirst = state.events.isEmpty
            if state.events.count >= Self.eventsMax {
                state.isOver = true
                state.events = [.lost(Self.flooded)]
            } else {
                state.events.append(event)
            }
            return isFirst
        }
        if isFirst { ring() }
    }

    func take() -> [DesktopEvent] {
        state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }

    private static var flooded: Problem {
        Problem(
            "desktop.flooded",
            "The display has told more than \(eventsMax) things at once. Looking at it anew.",
            retryable: true
        )
    }
}
