import STDesktop
import STPlatform
import Synchronization

/// Where screens are opened and closed: beside the bus thread, because a display takes as long for that as it likes.
final class ScreenDoor: Sendable {
    private let thread = Mutex<LoopThread?>(nil)

    /// `opened` gets a screen that has been started, or none and why.
    func open(
        _ choose: @escaping ScreenChooser,
        idleMs: Int64,
        _ inbox: EventInbox,
        _ opened: @escaping @Sendable (ChosenScreen, Problem?) -> Void
    ) {
        run {
            var chosen = choose()
            do {
                try chosen.screen?.start(idleAfterMs: idleMs) { inbox.put($0) }
                opened(chosen, nil)
            } catch {
                chosen.screen = nil
                opened(chosen, Problem(error))
            }
        }
    }

    /// Waits for the adapter's own thread.
    func close(_ screen: any DesktopScreen, _ closed: @escaping @Sendable () -> Void) {
        run {
            screen.close()
            closed()
        }
    }

    /// Anything that may take long.
    func run(_ work: @escaping @Sendable () -> Void) {
        let found = thread.withLock { thread in
            if thread == nil { thread = try? LoopThread(name: "screen-door") }
            return thread
        }
        // A machine that has no thread left is slow anyway.
        if let found { found.post(work) } else { work() }
    }
}

/// What an adapter has said and the bus thread has not taken yet.
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
            """
            The display sent more than \(eventsMax, "most") events before Screen Time could process them. \
            Screen Time is restarting the observation of the display.
            """,
            retryable: true
        )
    }
}
