import STContracts
import STPlatform
import STTestKit
import STZeroMQ

/// An agent by hand: what a person uses, minute by minute, on the clock of the wall.
struct Watcher {
    let world: ReportWorld
    let member: String
    private let startWallMs: Int64
    private var sequence: Int64 = 0
    private var bootMs: Int64 = 1_000_000

    /// Of the owner, from an hour ago.
    init(_ world: ReportWorld) async throws {
        self.world = world
        member = try await world.system.client.call(MemberList.self, Empty()).members[0].name
        startWallMs = SystemTimeSource().now().wallMs - 3_600_000 - bootMs
    }

    /// This is in front for so long; an agent that says nothing for longer has seen nothing.
    mutating func sees(_ app: String, seconds: Int64) async throws {
        var seen: [Observation] = []
        for stepMs in stride(from: 0, through: seconds * 1_000, by: 10_000) {
            sequence += 1
            let nowMs = bootMs + stepMs
            seen.append(
                Observation(
                    sequence: sequence,
                    bootId: "boot-1",
                    at: TimeReading(wallMs: startWallMs + nowMs, bootMs: nowMs, monotonicMs: nowMs),
                    zone: "UTC",
                    member: member,
                    presence: .active,
                    app: app
                )
            )
        }
        bootMs += seconds * 1_000
        _ = try await world.system.client.call(
            UsageObserve.self,
            .init(agent: "agent-1", run: "run-1", observations: seen)
        )
        try await world.follow(.usage, of: .activity)
    }

    /// All that it saw, whichever side of a midnight that was on.
    var filter: ReportFilter {
        ReportFilter(
            segment: .hour,
            fromWallMs: startWallMs + 1_000_000,
            toWallMs: startWallMs + 12 * 3_600_000,
            applications: [],
            categories: [],
            webDomains: []
        )
    }
}
