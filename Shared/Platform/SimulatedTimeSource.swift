import Synchronization

/// Clocks that stand still until told to move, for tests and simulations inside one process.
package final class SimulatedTimeSource: TimeSource {
    private struct State {
        var reading: TimeReading
        var zone: String
        var waiters: [Waiter] = []
        var nextWaiter: UInt64 = 0
    }

    private struct Waiter {
        var id: UInt64
        var atBootMs: Int64
        var continuation: CheckedContinuation<Void, any Error>
    }

    package let bootID: String
    private let state: Mutex<State>

    package init(wallMs: Int64, bootMs: Int64 = 60_000, zone: String = "UTC", bootID: String = "simulated") {
        self.bootID = bootID
        state = Mutex(
            State(reading: TimeReading(wallMs: wallMs, bootMs: bootMs, monotonicMs: bootMs), zone: zone)
        )
    }

    package func now() -> TimeReading { state.withLock { $0.reading } }

    package func zone() -> String { state.withLock { $0.zone } }

    /// Time goes by on every clock.
    package func advance(byMs ms: Int64) {
        move {
            $0.wallMs += ms
            $0.bootMs += ms
            $0.monotonicMs += ms
        }
    }

    /// The machine sleeps: every clock but the monotonic one goes on.
    package func suspend(forMs ms: Int64) {
        move {
            $0.wallMs += ms
            $0.bootMs += ms
        }
    }

    /// Somebody sets the wall clock.
    package func stepWall(byMs ms: Int64) { move { $0.wallMs += ms } }

    package func travel(toZone zone: String) { state.withLock { $0.zone = zone } }

    package func sleep(untilBootMs: Int64) async throws {
        let id = state.withLock { state -> UInt64 in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let due = state.withLock { state -> Bool in
                    if state.reading.bootMs >= untilBootMs { return true }
                    state.waiters.append(Waiter(id: id, atBootMs: untilBootMs, continuation: continuation))
                    return false
                }
                if due { continuation.resume() }
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func cancel(_ id: UInt64) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
            return state.waiters.remove(at: index)
        }
        waiter?.continuation.resume(throwing: CancellationError())
    }

    private func move(_ change: (inout TimeReading) -> Void) {
        let due = state.withLock { state -> [Waiter] in
            change(&state.reading)
            let now = state.reading.bootMs
            let due = state.waiters.filter { $0.atBootMs <= now }.sorted {
                ($0.atBootMs, $0.id) < ($1.atBootMs, $1.id)
            }
            state.waiters.removeAll { $0.atBootMs <= now }
            return due
        }
        for waiter in due { waiter.continuation.resume() }
    }
}
