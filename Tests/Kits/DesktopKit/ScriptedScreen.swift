package import STContracts
package import STDesktop
import STPlatform
import Synchronization

/// A screen without a display: a test sends its events.
///
/// A lost screen can be started again. Events that are sent while no adapter listens are dropped.
package final class ScriptedScreen: DesktopScreen {
    private struct State {
        var heard: (@Sendable (DesktopEvent) -> Void)?
        var starts = 0
        var isGone = false
        var acts: [DesktopAction] = []
        var beginning: [DesktopEvent] = []
    }

    package let kind: AdapterKind
    private let state = Mutex(State())

    package init(kind: AdapterKind = .x11) { self.kind = kind }

    /// Sets the events that it sends at each start.
    package func begin(with events: [DesktopEvent]) { state.withLock { $0.beginning = events } }

    /// Sends events in order, on the caller's thread. Returns false if no adapter listens.
    @discardableResult
    package func tell(_ events: DesktopEvent...) -> Bool {
        // Within the lock, so that the events of two threads keep one order.
        state.withLock { state in
            for event in events { state.heard?(event) }
            return state.heard != nil
        }
    }

    /// Loses the display until `returns` is called.
    package func lose() {
        state.withLock { state in
            state.isGone = true
            state.heard?(.lost(Problem("screen.gone", "The display is gone.", retryable: true)))
            state.heard = nil
        }
    }

    package func returns() { state.withLock { $0.isGone = false } }

    /// Number of starts.
    package var starts: Int { state.withLock { $0.starts } }

    package var isWatched: Bool { state.withLock { $0.heard != nil } }

    /// All actions that were requested of it.
    package var acts: [DesktopAction] { state.withLock { $0.acts } }

    package func start(idleAfterMs: Int64, _ heard: @escaping @Sendable (DesktopEvent) -> Void) throws {
        try state.withLock { state in
            guard !state.isGone else {
                throw Problem("screen.gone", "There is no display.", retryable: true)
            }
            state.starts += 1
            state.heard = heard
            for event in state.beginning { heard(event) }
        }
    }

    package func perform(_ acts: [DesktopAction]) { state.withLock { $0.acts += acts } }

    package func lastInputBootMs() async -> Int64? { nil }

    package func close() { state.withLock { $0.heard = nil } }
}
