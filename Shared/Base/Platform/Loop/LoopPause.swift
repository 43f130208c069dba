import Synchronization

extension LoopThread {
    /// Sleeps for some real time on the loop's own timers, or less if the task is cancelled.
    ///
    /// `Task.sleep` would start a thread pool that nothing else here needs. One of its threads wakes up every second.
    package func pause(ms: Int64) async {
        let sleeper = Sleeper()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                sleeper.sleep(continuation)
                post { [self] in after(milliseconds: ms) { sleeper.wake() } }
            }
        } onCancel: {
            sleeper.wake()
        }
    }

    private final class Sleeper: Sendable {
        private struct State {
            var continuation: CheckedContinuation<Void, Never>?
            var isAwake = false
        }

        private let state = Mutex(State())

        func sleep(_ continuation: CheckedContinuation<Void, Never>) {
            let isAwake = state.withLock { state in
                if !state.isAwake { state.continuation = continuation }
                return state.isAwake
            }
            if isAwake { continuation.resume() }
        }

        func wake() {
            let continuation = state.withLock { state in
                defer { state.continuation = nil }
                state.isAwake = true
                return state.continuation
            }
            continuation?.resume()
        }
    }
}
