import Synchronization

/// Tasks that sleep until a boot time, for clocks that are moved by hand.
final class SleepBook: Sendable {
    private struct Sleeper {
        var id: UInt64
        var atBootMs: Int64
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var sleepers: [Sleeper] = []
        var lastID: UInt64 = 0
    }

    private let state = Mutex(State())

    /// `now` is asked again once the sleeper is in the book, so that no move passes by unseen.
    func sleep(untilBootMs: Int64, now: @Sendable () -> Int64) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { state in
                    state.sleepers.append(
                        Sleeper(id: id, atBootMs: untilBootMs, continuation: continuation)
                    )
                }
                wake(nowBootMs: now())
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    func wake(nowBootMs: Int64) {
        let due = state.withLock { state in
            let due = state.sleepers.filter { $0.atBootMs <= nowBootMs }
            state.sleepers.removeAll { $0.atBootMs <= nowBootMs }
            return due
        }
        for sleeper in due.sorted(by: { ($0.atBootMs, $0.id) < ($1.atBootMs, $1.id) }) {
            sleeper.continuation.resume()
        }
    }

    var nextBootMs: Int64? { state.withLock { $0.sleepers.map(\.atBootMs).min() } }

    private func cancel(_ id: UInt64) {
        let sleeper = state.withLock { state -> Sleeper? in
            guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else { return nil }
            return state.sleepers.remove(at: index)
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
