import STBus
import STPlatform
import STServiceKit
import STWire
import STZeroMQ

/// Does one exchange with the household at a time, where there is something new, and again after a while where it failed.
actor Exchange<Seen: Equatable & Sendable> {
    private let surroundings: Surroundings
    private let alarm: Alarm
    private let ring: @Sendable () -> Void
    private let work: @Sendable (Seen, HouseholdClient) async throws -> Void
    /// What there was when it was last done.
    private var done: Seen?
    private var running: Task<Void, Never>?
    private var failures = 0
    /// Not before this boot time is it tried again.
    private var againAtMs: Int64 = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(
        _ surroundings: Surroundings,
        _ ring: @escaping @Sendable () -> Void,
        _ work: @escaping @Sendable (Seen, HouseholdClient) async throws -> Void
    ) {
        self.surroundings = surroundings
        self.ring = ring
        self.work = work
        alarm = Alarm(surroundings.loop.thread, ring)
    }

    func offer(_ seen: Seen, _ client: HouseholdClient) {
        guard running == nil, seen != done, Stopwatch.bootMilliseconds() >= againAtMs else { return }
        running = Task(executorPreference: surroundings.loop.thread) { await self.run(seen, client) }
    }

    /// Another household may be served next.
    func end() {
        running?.cancel()
        (running, done, failures, againAtMs) = (nil, nil, 0, 0)
    }

    private func run(_ seen: Seen, _ client: HouseholdClient) async {
        var problem: Problem?
        do { try await work(seen, client) } catch { problem = Problem(error) }
        guard !Task.isCancelled else { return }
        running = nil
        guard let problem else {
            (done, failures, againAtMs) = (seen, 0, 0)
            // For what came meanwhile.
            return ring()
        }
        if failures == 0 { surroundings.log.problem("household_not_exchanged", problem) }
        failures += 1
        let delayMs = Backoff(firstMs: 500, limitMs: 15_000).delayMs(attempt: failures)
        againAtMs = Stopwatch.bootMilliseconds() + delayMs
        alarm.ring(afterMs: delayMs)
    }
}
