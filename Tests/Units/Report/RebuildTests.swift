import STContracts
import STEngine
import STPlatform
import STStore
import STTestKit
import STTestSupport
import Testing

@testable import STReportCore

@Suite("Read model of reports")
struct RebuildTests {
    private static let days = ["2026-11-19", "2026-11-20", "2026-11-21", "2026-11-22"]
    private var desk: ReportDesk

    init() throws {
        desk = try ReportDesk()
        var random = SeededRandom(seed: 5)
        var wallMs = ReportDesk.wallMs(2026, month: 11, day: 19)
        for number in 1...80 {
            let app = random.pick(["editor", "browser", nil]) ?? nil
            let domain = app == "browser" ? random.pick(["a.example", "b.example"]) : nil
            let presence: Presence = random.pick([.active, .active, .idle, .unobserved]) ?? .active
            let zone = random.pick(["Asia/Seoul", "Europe/Berlin", "Asia/Kathmandu"]) ?? "UTC"
            func segment(minutes: Int64) -> Segment {
                ReportDesk.segment(
                    number,
                    app: app,
                    domain: domain,
                    presence: presence,
                    atWallMs: wallMs,
                    minutes: minutes,
                    zone: zone
                )
            }
            let minutes = Int64(random.number(0...90))
            try desk.open(segment(minutes: 0))
            if random.chance(percent: 40) { try desk.open(segment(minutes: minutes / 2)) }
            if number < 80 { try desk.close(segment(minutes: minutes)) }
            wallMs += minutes * 60_000
        }
    }

    private func figures(_ bench: CoreBench<ReportState>) throws -> [ReportDay.Reply] {
        try Self.days.flatMap { day in
            try [ReportGrouping.app, .site, .member].map {
                try bench.ask(ReportDay.self, .init(day: day, by: $0))
            }
        }
    }

    @Test("A rebuild from a snapshot gives the same sums")
    func snapshot() throws {
        let before = try figures(desk.bench)

        try desk.bench.rebuild(desk.snapshot)

        #expect(try figures(desk.bench) == before)
        #expect(before.contains { $0.usedMs > 0 })
    }

    @Test("A rebuild from all events gives the same sums")
    func replay() throws {
        let before = try figures(desk.bench)

        try desk.bench.rebuild(desk.told)

        #expect(try figures(desk.bench) == before)
    }

    @Test("The sums do not depend on batches of events and restarts")
    func batches() throws {
        let before = try figures(desk.bench)
        var random = SeededRandom(seed: 9)
        var other = try ReportDesk().bench
        var left = desk.told[...]
        while !left.isEmpty {
            let count = random.number(1...20)
            try other.follow(Array(left.prefix(count)))
            left = left.dropFirst(count)
            if random.chance(percent: 30) { other = try other.reopened() }
        }

        #expect(try figures(other) == before)
    }

    @Test("The position and the sums are kept after a restart")
    func start() throws {
        let before = try figures(desk.bench)
        let again = try desk.bench.reopened()

        #expect(try figures(again) == before)
        #expect(try again.cursor()?.sequence == Int64(desk.told.count))
    }

    @Test("The sums of all days contain every millisecond exactly once")
    func sum() throws {
        let lived = try desk.snapshot.reduce(Int64(0)) {
            $0 + (try $1.decoded(SegmentClosed.self)).durationMs
        }
        let told = try (17...25).reduce(Int64(0)) { sum, day in
            let reply = try desk.day("2026-11-\(day)")
            return sum + reply.usedMs + reply.absentMs + reply.unobservedMs
        }

        #expect(told == lived)
    }

    @Test("The read model of an old version is rebuilt from the stream without duplicates")
    func upgrade() throws {
        let scratch = try ScratchDirectory()
        let database = try Database(
            path: scratch.file("bench.sqlite"),
            options: DatabaseOptions(synchronous: .off, applicationID: 0x5354_0052)
        )
        try database.migrate(StoreMigrations.base + ReportTables.migrations.prefix(2))
        try database.run(
            "INSERT INTO day_use VALUES ('2026-11-20', 'child', 'active', 'editor', '', 3600000)"
        )
        try database.run(
            "INSERT INTO open_use (member, boot_id, segment) VALUES ('child', 'boot', ?)",
            [.blob(try ReportDesk.segment(1, minutes: 5).encodedBody())]
        )
        try database.transaction {
            try CursorTable(database).set(
                source: "activity-center",
                stream: "usage",
                StreamPosition(epoch: "epoch", sequence: 7, id: "event-7")
            )
        }
        try database.close()
        let bench = try CoreBench(ReportService.definition(), scratch: scratch, time: desk.bench.time)

        #expect(try bench.store.isRebuilding(0))
        #expect(
            try bench.refusal(ReportDay.self, .init(day: "2026-11-20"))?.code == "report.rebuilding"
        )
        try bench.rebuild(desk.snapshot)
        #expect(try figures(bench) == figures(desk.bench))
    }

    @Test("A migration adds up sums by month to sums by year")
    func years() throws {
        let scratch = try ScratchDirectory()
        let database = try Database(
            path: scratch.file("months.sqlite"),
            options: DatabaseOptions(synchronous: .off, applicationID: 0x5354_0052)
        )
        let steps = StoreMigrations.base + ReportTables.migrations + ReportTables.later
        try database.migrate(Array(steps.dropLast()))
        try database.run(
            """
            INSERT INTO month_use (who, thing, month, ms, pickups, notifications)
            VALUES (1, 7, 24299, 10, 1, 2), (1, 7, 24300, 20, 3, 4), (1, 7, 24311, 30, 5, 6), (2, 7, 24311, 1, 0, 0)
            """
        )
        try database.migrate(steps)
        func rows(_ sql: String) throws -> [[Int64]] {
            try database.query(sql) { row in try (0..<6).map { try row.int($0) } }
        }
        #expect(
            try rows("SELECT who, year, thing, ms, pickups, notifications FROM year_use ORDER BY who, year")
                == [[1, 2024, 7, 10, 1, 2], [1, 2025, 7, 50, 8, 10], [2, 2025, 7, 1, 0, 0]]
        )
        #expect(
            try rows("SELECT who, month, thing, ms, pickups, notifications FROM month_use LIMIT 1")
                == [[1, 24299, 7, 10, 1, 2]]
        )
    }
}

@Suite("Rebuilding the read model")
struct RebuildingTests {
    private let desk: ReportDesk

    init() throws {
        var desk = try ReportDesk()
        try desk.close(ReportDesk.segment(1, minutes: 30))
        self.desk = desk
    }

    private func problem(_ bench: CoreBench<ReportState>) throws -> Problem? {
        try bench.refusal(ReportDay.self, .init(day: "2026-11-20"))
    }

    @Test("While the read model is rebuilt from a snapshot, requests are rejected as retryable")
    func snapshot() throws {
        try desk.bench.rebuild(desk.snapshot, isWhole: false)
        let day = try problem(desk.bench)
        #expect(day?.code == "report.rebuilding" && day?.retryable == true)
        let usage = #expect(throws: Problem.self) { try desk.usage() }
        #expect(usage?.code == "report.rebuilding")
        desk.bench.reach()
        #expect(try desk.usage().segments.first?.usedMs == 1_800_000)
    }

    @Test("After a restart, requests are rejected only if a rebuild was in progress")
    func start() throws {
        var bench = try desk.bench.reopened()
        #expect(try problem(bench) == nil)
        try bench.database.run("UPDATE cursors SET epoch = '', sequence = 0 WHERE stream = 'usage'")
        bench = try bench.reopened()
        #expect(try problem(bench)?.code == "report.rebuilding")
    }

    @Test("A rebuild starts a new generation")
    func generation() throws {
        let before = desk.bench.state.generation
        try desk.bench.rebuild(desk.snapshot)
        #expect(desk.bench.state.generation == before + 1)
    }
}
