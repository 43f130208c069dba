import STDesktop
import STPlatform
import Synchronization

/// Opens and closes screens on a separate thread, because a display may take any time for that.
final class ScreenThread: Sendable {
    private let thread = Mutex<LoopThread?>(nil)

    /// Opens the chosen screen. `opened` receives the started screen, or no screen and the reason.
    func open(
        _ choose: @escaping ScreenChooser,
        idle: Duration,
        inbox: EventInbox,
        opened: @escaping @Sendable (ChosenScreen, Problem?) -> Void
    ) {
        run {
            var chosen = choose()
            do {
                try chosen.screen?.start(idleAfterMs: idle.ms) { inbox.append($0) }
                opened(chosen, nil)
            } catch {
                chosen.screen = nil
                opened(chosen, Problem(error))
            }
        }
    }

    /// Closes a screen, and waits for the thread of its adapter.
    func close(_ screen: any DesktopScreen, _ closed: @escaping @Sendable () -> Void) {
        run {
            screen.close()
            closed()
        }
    }

    /// Runs work that may take long.
    func run(_ work: @escaping @Sendable () -> Void) {
        let found = thread.withLock { thread in
            if thread == nil { thread = try? LoopThread(name: "screen-door") }
            return thread
        }
        // If no thread can be created, the work runs on the caller's thread.
        if let found { found.post(work) } else { work() }
    }
}

/// The events of an adapter that the bus thread has not taken yet.
final class EventInbox: Sendable {
    /// Upper bound on the waiting events. If the bus thread is further behind, a restart of the observation is faster.
    private static let eventsMax = 20_000

    private struct State {
        var events: [DesktopEvent] = []
        var isFinished = false
    }

    private let state = Mutex(State())
    private let signal: @Sendable () -> Void

    /// Creates an inbox. `ring` is called once for all events until `take`.
    init(_ ring: @escaping @Sendable () -> Void) { self.signal = ring }

    func append(_ event: DesktopEvent) {
        let isFirst = state.withLock { state in
            guard !state.isFinished else { return false }
            let isFirst = state.events.isEmpty
            if state.events.count >= Self.eventsMax {
                state.isFinished = true
                state.events = [.lost(Self.overflowProblem)]
            } else {
                state.events.append(event)
            }
            return isFirst
        }
        if isFirst { signal() }
    }

    func takeAll() -> [DesktopEvent] {
        state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }

    private static var overflowProblem: Problem {
        Problem(
            "desktop.flooded",
            """
            The display sent more than \(eventsMax, "most") events before Screen Time could process them. \
            Screen Time is restarting the observation of the display.
            """,
            retryable: true
        )
    }
}
