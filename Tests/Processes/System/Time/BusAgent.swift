import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ

/// A simple agent that can also send invalid observations.
struct BusAgent {
    let system: TestSystem
    let member: String
    var name = "agent-1"
    var run = "run-1"
    var bootId = "boot-1"
    var bootMs: Int64 = 1_000_000
    var sequence: Int64 = 0

    /// Returns the next observation, `afterMs` later.
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

    /// Returns the problem of rejected observations.
    func problem(_ seen: Observation...) async throws -> Problem {
        do {
            let request = UsageObserve.Request(agent: name, run: run, observations: seen)
            let reply = try await system.client.call(UsageObserve.self, request)
            throw NotYet("it was taken: \(reply)")
        } catch let problem as Problem {
            return problem
        }
    }

    /// Returns the data that a rejection must not change.
    func known() async throws -> (rows: [Segment], open: [Segment]) {
        (try await system.ledger(), try await system.client.call(UsageNow.self, Empty()).open)
    }

    /// Returns `app presence milliseconds` of every row, including open ones.
    func lines() async throws -> [String] {
        let (rows, open) = try await known()
        return (rows + open).map { "\($0.app ?? "-") \($0.presence.rawValue) \($0.durationMs)" }
    }
}
