import STContracts
import STPlatform
import STTestSupport

/// What an agent is going to see: numbered observations of two members, each of which closes the one before.
struct ObservationPlan: Sendable {
    let agent: String
    /// Ten seconds before midnight, so that reports have two days to tell apart.
    private static let startWallMs: Int64 = 1_773_187_190_000
    static let days = ["2026-03-10", "2026-03-11"]

    let run: String
    let observations: [Observation]

    init(agent: String = "agent-1", count: Int, members: [String], random: inout SeededRandom) {
        self.agent = agent
        run = "run-\(random.next())"
        var observations: [Observation] = []
        var bootMs: Int64 = 1_000_000
        for number in 1...count {
            bootMs += Int64(random.number(1...20))
            observations.append(
                Observation(
                    sequence: Int64(number),
                    // What another agent told of the same start of a machine would be one timeline with this.
                    bootId: "boot-\(agent)",
                    at: TimeReading(
                        wallMs: Self.startWallMs + bootMs - 1_000_000,
                        bootMs: bootMs,
                        monotonicMs: bootMs
                    ),
                    zone: "UTC",
                    member: members[number / 100 % members.count],
                    presence: random.chance(percent: 80) ? .active : .idle,
                    // Neither the observation before nor that of a hundred ago had the same one.
                    app: "app-\(number % 7)"
                )
            )
        }
        self.observations = observations
    }

    /// The frames of a request.
    ///
    /// Made once, because a repeat carries the same bytes under its key.
    func request(_ number: Int) throws -> [[UInt8]] {
        let body = UsageObserve.Request(agent: agent, run: run, observations: [observations[number - 1]])
        let header = RequestHeader(
            id: String(number),
            route: UsageObserve.name,
            timeoutMs: 2000,
            idempotencyKey: segment(number)
        )
        return [header.encoded(), try body.encodedBody()]
    }

    func segment(_ number: Int) -> String { "\(agent)/\(run)/\(number)" }
}
