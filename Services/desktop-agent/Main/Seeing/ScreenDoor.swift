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
        post {
            var chosen = choose()
            do {
                try chosen.screen?.start(idleAfterMs: idleMs) { inbox.put($0) }
                opened(chosen, nil)
            } catch {
                chosen.screen = nil
                opened(chosen, (error as? Problem) ?? Problem("internal", "\(error)"))
            }
        }
    }

    /// Waits for the adapter's own thread.
    func close(_ screen: any DesktopScreen, _ closed: @escaping @Sendable () -> Void) {
        post {
            screen.close()
            closed()
        }
    }

    /// Anything else that may take long.
    func run(_ work: @escaping @Sendable () -> Void) { post(work) }

    private func post(_ work: @escaping @Sendable () -> Void) {
        let found = thread.withLock { thread in
            if thread == nil { thread = try? LoopThread(name: "screen-door") }
            return thread
        }
        // A machine that has no thread left is slow anyway.
        if let found { found.post(work) } else { work() }
    }
}
