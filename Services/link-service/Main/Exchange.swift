import STBus
import STLinkCore
import STPlatform
import STServiceKit
import STZeroMQ

/// Runs one exchange with the household at a time when its input has changed, and retries a failed one after a delay.
actor Exchange {
    private let surroundings: Surroundings
    private let alarm: Alarm
    private let ring: @Sendable () -> Void
    private let work: @Sendable (ExchangeInput, HouseholdClient) async throws -> Void
    /// The input of the last successful exchange.
    private var done: ExchangeInput?
    private var running: Task<Void, Never>?
    private var failures = 0
    /// The boot time of the next attempt after a failure.
    private var againAtMs: Int64 = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(
        _ surroundings: Surroundings,
        _ ring: @escaping @Sendable () -> Void,
        _ work: @escaping @Sendable (ExchangeInput, HouseholdClient) async throws -> Void
    ) {
        self.surroundings = surroundings
        self.ring = ring
        self.work = work
        alarm = Alarm(surroundings.loop.thread, ring)
    }

    func offer(_ input: ExchangeInput, _ client: HouseholdClient) {
        guard running == nil, input != done, Stopwatch.bootMilliseconds() >= againAtMs else { return }
        running = Task(executorPreference: surroundings.loop.thread) { await self.run(input, client) }
    }

    /// Resets the exchange, because the next one may be with another household.
    func end() {
        running?.cancel()
        (running, done, failures, againAtMs) = (nil, nil, 0, 0)
    }

    private func run(_ input: ExchangeInput, _ client: HouseholdClient) async {
        var problem: Problem?
        do { try await work(input, client) } catch { problem = Problem(error) }
        guard !Task.isCancelled else { return }
        running = nil
        guard let problem else {
            (done, failures, againAtMs) = (input, 0, 0)
            // The input may have changed meanwhile.
            return ring()
        }
        if failures == 0 { surroundings.log.problem("household_not_exchanged", problem) }
        failures += 1
        let delayMs = Backoff(firstMs: 500, limitMs: 15_000).delayMs(attempt: failures)
        againAtMs = Stopwatch.bootMilliseconds() + delayMs
        alarm.ring(afterMs: delayMs)
    }
}
