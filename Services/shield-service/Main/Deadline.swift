import STPlatform
import Synchronization

/// Waiting for something no longer than somebody in front of the screen would.
enum Deadline {
    /// Nil when it takes longer; the work itself goes on.
    static func within<Value: Sendable>(
        _ ms: Int64,
        on thread: LoopThread,
        _ work: @escaping @Sendable () async -> Value
    ) async -> Value? {
        await withCheckedContinuation { continuation in
            let race = Race(continuation)
            Task(executorPreference: thread, priority: .medium) { race.end(await work()) }
            thread.post { thread.after(milliseconds: max(0, ms)) { race.end(nil) } }
        }
    }

    /// Both ways to an end lead here, and the first one counts.
    private final class Race<Value: Sendable>: Sendable {
        private let waiting: Mutex<CheckedContinuation<Value?, Never>?>

        init(_ continuation: CheckedContinuation<Value?, Never>) { waiting = Mutex(continuation) }

        func end(_ value: Value?) {
            let first = waiting.withLock { waiting in
                defer { waiting = nil }
                return waiting
            }
            first?.resume(returning: value)
        }
    }
}
