import STContracts
import STPlatform
import STTestSupport

/// The planned observations of an agent: numbered ones of two members, each of which closes its predecessor.
struct ObservationPlan: Sendable {
    let agent: String
    /// Ten seconds before midnight, so that reports cover two days.
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
                    // Reports of another agent with the same boot would belong to the same timeline.
                    bootId: "boot-\(agent)",
                    at: TimeReading(
                        wallMs: Self.startWallMs + bootMs - 1_000_000,
                        bootMs: bootMs,
                        monotonicMs: bootMs
                    ),
                    zone: "UTC",
                    member: members[number / 100 % members.count],
                    presence: random.chance(percent: 80) ? .active : .idle,
                    // Neither the preceding observation nor the one a hundred before has the same app.
                    app: "app-\(number % 7)"
                )
            )
        }
        self.observations = observations
    }

    /// Returns the frames of a request.
    ///
    /// The frames are made once, because a repeated request has the same bytes under its key.
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
