import Synchronization

/// The alarms of clocks that a program moves, with their moments.
///
/// An entry stays due until it has rung on its own thread. The program that moves the clock therefore sees that it is still due.
final class DeadlineQueue: Sendable {
    private struct Entry {
        var callbacks: DeadlineCallbacks
        var due = Deadlines()
        /// The number of times that it was set, so that an earlier wake-up does not count for a later moment.
        var turn: UInt64 = 0
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        var lastID: UInt64 = 0
    }

    private struct Wake {
        var id: UInt64
        var turn: UInt64
        var callbacks: DeadlineCallbacks
    }

    private let state = Mutex(State())

    func add(_ callbacks: DeadlineCallbacks) -> UInt64 {
        state.withLock { state in
            state.lastID += 1
            state.entries[state.lastID] = Entry(callbacks: callbacks)
            return state.lastID
        }
    }

    func remove(_ id: UInt64) { state.withLock { _ = $0.entries.removeValue(forKey: id) } }

    func set(_ id: UInt64, _ due: Deadlines, now: TimeReading) {
        let wake = state.withLock { state -> Wake? in
            guard var entry = state.entries[id] else { return nil }
            entry.due = due
            entry.turn += 1
            state.entries[id] = entry
            guard due.isDue(at: now) else { return nil }
            return Wake(id: id, turn: entry.turn, callbacks: entry.callbacks)
        }
        // Not immediately, even on its own thread: the caller does not expect the alarm to ring inside the call.
        if let wake { wake.callbacks.thread.post { self.fire(wake) } }
    }

    /// The earliest moments of all alarms.
    var next: Deadlines {
        state.withLock { $0.entries.values.reduce(Deadlines()) { $0.merged(with: $1.due) } }
    }

    /// Rings the alarms that are due after the clocks have moved, in the order in which they were created.
    func clockDidMove(to now: TimeReading, isStep: Bool) {
        let (all, due) = state.withLock { state -> ([DeadlineCallbacks], [Wake]) in
            let entries = state.entries.sorted { $0.key < $1.key }
            let due = entries.filter { $0.value.due.isDue(at: now) }.map {
                Wake(id: $0.key, turn: $0.value.turn, callbacks: $0.value.callbacks)
            }
            return (isStep ? entries.map(\.value.callbacks) : [], due)
        }
        for callbacks in all { Self.call(on: callbacks.thread, callbacks.onClockStep) }
        for wake in due { Self.call(on: wake.callbacks.thread) { self.fire(wake) } }
    }

    private func fire(_ wake: Wake) {
        let isStill = state.withLock { state in
            guard state.entries[wake.id]?.turn == wake.turn else { return false }
            state.entries[wake.id]?.due = Deadlines()
            state.entries[wake.id]?.turn += 1
            return true
        }
        if isStill { wake.callbacks.onDeadline() }
    }

    /// Calls immediately on the thread itself, so that the resulting work begins before the thread does anything else.
    private static func call(on thread: LoopThread, _ work: @escaping @Sendable () -> Void) {
        if thread.isCurrent { work() } else { thread.post(work) }
    }
}

/// A waker in a `DeadlineQueue`.
final class QueuedDeadlineWaker: DeadlineWaker {
    private let queue: DeadlineQueue
    private let id: UInt64
    private let now: @Sendable () -> TimeReading

    init(_ book: DeadlineQueue, _ callbacks: DeadlineCallbacks, now: @escaping @Sendable () -> TimeReading) {
        self.queue = book
        self.now = now
        id = book.add(callbacks)
    }

    func set(_ due: Deadlines) { queue.set(id, due, now: now()) }

    func close() { queue.remove(id) }
}

/// Tasks that sleep until a boot time, for clocks that a program moves.
final class SleepQueue: Sendable {
    private struct Sleeper {
        var id: UInt64
        var due: BootTime
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var sleepers: [Sleeper] = []
        var lastID: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Sleeps until a boot time. Reads `now` again once the sleeper is registered, so that it misses no movement of the clock.
    func sleep(until due: BootTime, now: @Sendable () -> BootTime) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { state in
                    state.sleepers.append(Sleeper(id: id, due: due, continuation: continuation))
                }
                wake(now: now())
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    func wake(now: BootTime) {
        let due = state.withLock { state in
            let due = state.sleepers.filter { $0.due <= now }
            state.sleepers.removeAll { $0.due <= now }
            return due
        }
        for sleeper in due.sorted(by: { ($0.due, $0.id) < ($1.due, $1.id) }) {
            sleeper.continuation.resume()
        }
    }

    var next: BootTime? { state.withLock { $0.sleepers.map(\.due).min() } }

    private func cancel(_ id: UInt64) {
        let sleeper = state.withLock { state -> Sleeper? in
            guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else { return nil }
            return state.sleepers.remove(at: index)
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
