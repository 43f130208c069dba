import STBus
import STLinkCore
import STPlatform
import STServiceKit
import STZeroMQ

/// Runs one exchange with the household at a time when its input has changed, and retries a failed one after a delay.
actor ExchangeRunner {
    private let surroundings: ServiceEnvironment
    private let alarm: LoopTimer
    private let signalChange: @Sendable () -> Void
    private let work: @Sendable (ExchangeInput, HouseholdClient) async throws -> Void
    /// The input of the last successful exchange.
    private var lastInput: ExchangeInput?
    private var running: Task<Void, Never>?
    private var failures = 0
    /// The boot time of the next attempt after a failure.
    private var retryTime = BootTime(ms: 0)

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(
        _ surroundings: ServiceEnvironment,
        ring: @escaping @Sendable () -> Void,
        work: @escaping @Sendable (ExchangeInput, HouseholdClient) async throws -> Void
    ) {
        self.surroundings = surroundings
        self.signalChange = ring
        self.work = work
        alarm = LoopTimer(surroundings.loop.thread, ring)
    }

    func offer(_ input: ExchangeInput, _ client: HouseholdClient) {
        guard running == nil, input != lastInput,
            BootTime(ms: Stopwatch.bootMilliseconds()) >= retryTime
        else { return }
        running = Task(executorPreference: surroundings.loop.thread) { await self.run(input, client) }
    }

    /// Resets the exchange, because the next one may be with another household.
    func end() {
        running?.cancel()
        (running, lastInput, failures, retryTime) = (nil, nil, 0, BootTime(ms: 0))
    }

    private func run(_ input: ExchangeInput, _ client: HouseholdClient) async {
        var problem: Problem?
        do { try await work(input, client) } catch { problem = Problem(error) }
        guard !Task.isCancelled else { return }
        running = nil
        guard let problem else {
            (lastInput, failures, retryTime) = (input, 0, BootTime(ms: 0))
            // The input may have changed meanwhile.
            return signalChange()
        }
        if failures == 0 { surroundings.log.problem("household_not_exchanged", problem) }
        failures += 1
        let delay = Duration.milliseconds(Backoff(firstMs: 500, limitMs: 15_000).delayMs(attempt: failures))
        retryTime = BootTime(ms: Stopwatch.bootMilliseconds()) + delay
        alarm.fire(afterMs: delay.ms)
    }
}
