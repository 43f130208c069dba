import STContracts
import STFollowing
import STPlatform
import STStore
import STTestKit
import STTestSupport
import Testing

@testable import STActivityCore

@Suite("Ledger of an earlier version")
struct LedgerUpgradeTests {
    private static let rows: Int64 = 1_500
    private let scratch: ScratchDirectory

    init() throws {
        scratch = try ScratchDirectory()
        let database = try Database(
            path: scratch.file("bench.sqlite"),
            options: DatabaseOptions(synchronous: .off, applicationID: 0x5354_0052)
        )
        try database.migrate(StoreMigrations.base + [ActivityTables.migrations[0]])
        try EventLog(database).open(streams: ["usage"])
        try database.transaction {
            for number in 1...Self.rows { try Self.insert(Self.segment("agent", number), database) }
            // A withdrawn row leaves a gap in the row numbers.
            try database.run("UPDATE ledger SET row = -row WHERE row > 700")
            try database.run("UPDATE ledger SET row = 10 - row WHERE row < 0")
            for agent in ["agent", "other"] {
                var open = Self.segment(agent, Self.rows + 1)
                open.endBootMs += 3_000
                try database.run(
                    "INSERT INTO timelines (agent, member, suspended_ms, open) VALUES (?, 'child', 0, ?)",
                    [.text(agent), .blob(try open.encodedBody())]
                )
                try database.run(
                    "INSERT INTO runs VALUES (?, 'run', ?)",
                    [.text(agent), .integer(Self.rows + 1)]
                )
            }
            try database.run("INSERT INTO members (name) VALUES ('child')")
            try CursorTable(database).set(
                source: "auth-service",
                stream: "authorization",
                StreamPosition(epoch: "e", sequence: 2)
            )
        }
        try database.close()
    }

    static func segment(_ agent: String, _ number: Int64) -> Segment {
        Segment(
            segment: "\(agent)/run/\(number)",
            agent: agent,
            run: "run",
            sequence: number,
            member: "child",
            presence: .active,
            app: "app\(number % 3)",
            domain: nil,
            bootId: "boot-\(agent)",
            startBootMs: number * 1_000,
            endBootMs: number * 1_000 + 1_000,
            startWallMs: 1_790_000_000_000 + number * 1_000,
            zone: "UTC"
        )
    }

    private static func insert(_ segment: Segment, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO ledger (segment, agent, run, sequence, member, presence, app, domain, boot_id, start_boot_ms,
                end_boot_ms, start_wall_ms, zone) VALUES (?, ?, ?, ?, ?, ?, ?, NULL, ?, ?, ?, ?, ?)
            """,
            [
                .text(segment.segment), .text(segment.agent), .text(segment.run), .integer(segment.sequence),
                .text(segment.member), .text(segment.presence.rawValue), SQLValue(segment.app),
                .text(segment.bootId), .integer(segment.startBootMs), .integer(segment.endBootMs),
                .integer(segment.startWallMs), .text(segment.zone),
            ]
        )
    }

    @Test(
        "An older ledger is chained row by row, its open segments are closed, and it can be continued"
    )
    func upgrade() throws {
        var bench = try CoreBench(ActivityService.definition(), scratch: scratch)
        let verified = try bench.ask(UsageVerify.self, .init())

        #expect(verified.fault == nil)
        #expect(verified.total == Self.rows + 2)
        let first = try bench.ask(UsageList.self, .init(limit: 2)).rows
        #expect(first == [Self.segment("agent", 1), Self.segment("agent", 2)])
        let last = try bench.ask(UsageList.self, .init(next: String(Self.rows))).rows
        #expect(last.map(\.agent) == ["agent", "other"])
        #expect(last.map(\.durationMs) == [4_000, 4_000])
        #expect(bench.state.agents.mapValues(\.ms) == ["agent": 1_790_000_001_000, "other": 0])
        let told = try bench.ask(EventsSince.self, .init(stream: "usage")).events
        #expect(told.map(\.header.subject) == last.map(\.segment))
        // The old version stored no roles, so the household is requested again.
        #expect(try bench.cursor() == nil)
        #expect(bench.state.household.members.map(\.name) == ["child"])

        let chain = bench.state.chain
        bench = try bench.reopened()
        #expect(bench.state.chain == chain)
        let seen = Observation(
            sequence: Self.rows + 2,
            bootId: "boot-agent",
            at: TimeReading(wallMs: 1_790_002_000_000, bootMs: 2_000_000, monotonicMs: 2_000_000),
            zone: "UTC",
            member: "child",
            presence: .active,
            app: "next"
        )
        let reply = try bench.ask(UsageObserve.self, .init(agent: "agent", run: "run", observations: [seen]))
        #expect(reply.acceptedThrough == Self.rows + 2)
        #expect(try bench.ask(UsageNow.self, Empty()).open.map(\.app) == ["next"])
    }
}
