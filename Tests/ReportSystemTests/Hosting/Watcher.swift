import STContracts
import STPlatform
import STTestKit
import STZeroMQ

/// An agent by hand: what somebody uses, minute by minute, on the clock of the wall.
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

    /// From now on this is in front; nil is nobody there.
    mutating func sees(_ app: String?, afterMs: Int64 = 60_000) async throws {
        sequence += 1
        bootMs += afterMs
        let seen = Observation(
            sequence: sequence,
            bootId: "boot-1",
            at: TimeReading(wallMs: startWallMs + bootMs, bootMs: bootMs, monotonicMs: bootMs),
            zone: "UTC",
            member: member,
            presence: app == nil ? .idle : .active,
            app: app
        )
        _ = try await world.system.client.call(
            UsageObserve.self,
            .init(agent: "agent-1", run: "run-1", observations: [seen])
        )
        try await world.follow(.usage, of: .activity)
    }

    /// All that it saw, whichever side of a midnight that was on.
    var filter: ReportFilter {
        ReportFilter(
            segment: .hour,
            fromWallMs: startWallMs,
            toWallMs: startWallMs + 12 * 3_600_000,
            applications: [],
            categories: [],
            webDomains: []
        )
    }
}
