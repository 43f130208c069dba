import STContracts
import STPlatform
import STTestKit
import STZeroMQ

/// A simple agent: a person's usage by wall-clock time.
struct Watcher {
    let world: ReportWorld
    let member: String
    private let startWallMs: Int64
    private var sequence: Int64 = 0
    private var bootMs: Int64 = 1_000_000

    /// Creates an agent of the owner, starting an hour ago.
    init(_ world: ReportWorld) async throws {
        self.world = world
        member = try await world.system.client.call(MemberList.self, Empty()).members[0].name
        startWallMs = SystemTimeSource().now().wallMs - 3_600_000 - bootMs
    }

    /// Reports the foreground app for a time. The steps are short, because a longer silence counts as unobserved.
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

    /// The filter for all its usage, on both sides of midnight.
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
