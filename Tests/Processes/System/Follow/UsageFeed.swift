import STContracts
import STPlatform
import STTestKit
import Synchronization

/// Observations that go in on a thread of their own, for tests that look at what comes out.
final class UsageFeed: Sendable {
    private let result = Mutex<Result<ObservationDriver.Figures, any Error>?>(nil)
    private let thread: LoopThread

    /// `agent`: another one for each feed of a system, since the boot times of one agent never go back.
    init(
        _ system: TestSystem,
        agent: String = "agent-1",
        members: [String],
        count: Int,
        durationMs: Int64 = 0
    ) throws {
        var random = SeededRandom(seed: Soak.seed)
        let plan = ObservationPlan(agent: agent, count: count, members: members, random: &random)
        let endpoint = try system.endpoint(.activity)
        thread = try LoopThread(name: "feed")
        thread.post { [self] in
            let outcome = Result {
                var driver = try ObservationDriver(plan, endpoint: endpoint, durationMs: durationMs)
                return try driver.run()
            }
            result.withLock { $0 = outcome }
        }
    }

    /// Once every observation is acknowledged.
    func finish() throws {
        thread.stop()
        thread.join()
        _ = try result.withLock { $0 }?.get()
    }
}
