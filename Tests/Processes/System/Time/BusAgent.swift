import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ

/// An agent by hand, that can also say what none should.
struct BusAgent {
    let system: TestSystem
    let member: String
    var name = "agent-1"
    var run = "run-1"
    var bootId = "boot-1"
    var bootMs: Int64 = 1_000_000
    var sequence: Int64 = 0

    /// What comes next, so much later.
    mutating func sees(_ app: String?, afterMs: Int64 = 1_000) -> Observation {
        sequence += 1
        bootMs += afterMs
        return Observation(
            sequence: sequence,
            bootId: bootId,
            at: TimeReading(wallMs: 1_790_000_000_000 + bootMs, bootMs: bootMs, monotonicMs: bootMs),
            zone: "UTC",
            member: member,
            presence: app == nil ? .idle : .active,
            app: app
        )
    }

    @discardableResult
    func tell(_ seen: Observation...) async throws -> UsageObserve.Reply {
        try await system.client.call(UsageObserve.self, .init(agent: name, run: run, observations: seen))
    }

    /// With what it is refused.
    func problem(_ seen: Observation...) async throws -> Problem {
        do {
            let request = UsageObserve.Request(agent: name, run: run, observations: seen)
            let reply = try await system.client.call(UsageObserve.self, request)
            throw NotYet("it was taken: \(reply)")
        } catch let problem as Problem {
            return problem
        }
    }

    /// What a refusal must not have changed.
    func known() async throws -> (rows: [Segment], open: [Segment]) {
        (try await system.ledger(), try await system.client.call(UsageNow.self, Empty()).open)
    }

    /// `app presence milliseconds` of every row, and of what is open.
    func lines() async throws -> [String] {
        let (rows, open) = try await known()
        return (rows + open).map { "\($0.app ?? "-") \($0.presence.rawValue) \($0.durationMs)" }
    }
}
