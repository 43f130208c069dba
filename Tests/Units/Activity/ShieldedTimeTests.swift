import STContracts
import STPlatform
import STReportCore
import STStore
import STTestKit
import STTestSupport
import Testing

@testable import STActivityCore

@Suite("Shielded time")
struct ShieldedTimeTests {
    @Test(
        "Shielded time is a segment of its own, from the appearance of the shield to its removal"
    )
    func transitions() throws {
        var lived = Lived()
        var watcher = Watcher()
        try lived.take(watcher.sees("game"))
        try lived.take(watcher.sees("game", afterMs: 5_000, shielded: true))
        try lived.take(watcher.sees("game", afterMs: 3_000, shielded: true))
        try lived.take(watcher.sees("game", afterMs: 4_000, shielded: false))
        try lived.take(watcher.sees("game", afterMs: 2_000))
        try lived.take(watcher.sees(nil, .idle, afterMs: 1_000, shielded: true))

        #expect(lived.story == ["game active 5000", "game active 7000", "game active 3000", "- idle 0"])
        #expect(lived.rows.map(\.shielded) == [nil, true, nil, nil])
        #expect(lived.passed.map(\.isShielded) == [false, true, true, false, false])
    }

    @Test(
        "Shields change no total time and mark only active usage"
    )
    func sums() throws {
        for seed in 0..<UInt64(500) {
            var bare = RandomLife(seed: seed)
            var shielded = RandomLife(seed: seed)
            shielded.shieldsPercent = 40
            var without = Lived()
            var with = Lived()
            for seen in bare.observations() { try without.take(seen) }
            for seen in shielded.observations() { try with.take(seen) }
            var sums: [String: Int64] = [:]
            for (name, ms) in with.sums {
                sums[name.replacing(" shielded", with: ""), default: 0] += ms
            }
            #expect(sums == without.sums, "seed \(seed)")
            let gaps = with.rows.filter { $0.shielded == true && $0.presence != .active }
            #expect(gaps.isEmpty, "seed \(seed)")
        }
    }

    @Test(
        "Shielded time has its own total in the report and does not count for any app"
    )
    func report() throws {
        var desk = try LedgerDesk()
        let day = "2026-09-21"
        desk.watcher = Watcher(zone: "UTC")
        _ = try desk.observe([
            desk.watcher.sees("game"), desk.watcher.sees("game", afterMs: 6_000, shielded: true),
            desk.watcher.sees("editor", afterMs: 9_000),
            desk.watcher.sees("game", afterMs: 1_000, shielded: true),
        ])
        let report = try CoreBench(ReportService.definition())
        try report.follow(desk.bench.events)
        _ = try desk.observe([desk.watcher.sees("game", afterMs: 2_000, shielded: true)])

        #expect(try desk.rows().map(\.shielded) == [nil, true, nil])
        #expect(try desk.now().map(\.shielded) == [true])
        let reply = try report.ask(ReportDay.self, .init(day: day))
        #expect(reply.usedMs == 7_000)
        #expect(reply.shieldedMs == 9_000)
        #expect(reply.unobservedMs == 0)
        #expect(Set(reply.rows.map { "\($0.name) \($0.usedMs)" }) == ["game 6000", "editor 1000"])
    }

    @Test("A shielded segment continues after a restart of the service")
    func restart() throws {
        var desk = try LedgerDesk()
        _ = try desk.observe([desk.watcher.sees("game", shielded: true)])
        desk.bench = try desk.bench.reopened()
        _ = try desk.observe([
            desk.watcher.sees("game", afterMs: 5_000, shielded: true),
            desk.watcher.sees("game", afterMs: 5_000),
        ])

        #expect(try desk.rows().map(\.durationMs) == [10_000])
        #expect(try desk.rows().map(\.shielded) == [true])
    }

    @Test("The shield column keeps older chains valid, and a change of it is detected")
    func chain() throws {
        let scratch = try ScratchDirectory()
        let before = try Self.oldLedger(scratch)
        let bench = try CoreBench(ActivityService.definition(), scratch: scratch)

        #expect(bench.state.chain == before)
        // Calculated with another program by the original format of the chain.
        #expect(
            LedgerCheck.hex(before.link)
                == "25a4e5a9ce150e4b9bc88b98c32af0e12635cf7af43fd1e8cd451c6f0cbe4a85"
        )
        let verified = try bench.ask(UsageVerify.self, .init())
        #expect(verified.fault == nil)
        #expect(verified.total == 3)
        try bench.database.execute(LedgerDesk.edit(sight: "shielded = 1", row: 2))
        #expect(try bench.ask(UsageVerify.self, .init()).fault?.row == 2)

        var desk = try LedgerDesk()
        _ = try desk.observe([
            desk.watcher.sees("game", shielded: true), desk.watcher.sees("game", afterMs: 1_000),
        ])
        #expect(try desk.bench.ask(UsageVerify.self, .init()).fault == nil)
        try desk.bench.database.execute("UPDATE ledger_sights SET shielded = NULL")
        #expect(try desk.bench.ask(UsageVerify.self, .init()).fault?.reason == .contentChanged)
    }

    /// Three rows in the table of the previous version, with that version's chain.
    private static func oldLedger(_ scratch: ScratchDirectory) throws -> LedgerChain {
        let database = try Database(
            path: scratch.file("bench.sqlite"),
            options: DatabaseOptions(synchronous: .off, applicationID: 0x5354_0052)
        )
        let old = ActivityTables.migrations.prefix { $0.name != LedgerTable.shieldedMigration.name }
        #expect(old.count < ActivityTables.migrations.count)
        try database.migrate(StoreMigrations.base + old)
        try EventLog(database).open(streams: ["usage"])
        var chain = LedgerChain()
        try database.transaction {
            for number in Int64(1)...3 {
                let row = LedgerUpgradeTests.segment("agent", number)
                let content = LedgerChain.content(row)
                chain.append(content: content)
                try database.run(
                    """
                    INSERT INTO ledger VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, ?, ?, ?, ?, ?, NULL, NULL, 0, ?, ?)
                    """,
                    [
                        .integer(number), .text(row.segment), .text(row.agent), .text(row.run),
                        .integer(row.sequence), .text(row.member), .text(row.presence.rawValue),
                        SQLValue(row.app), .text(row.bootId), .integer(row.startBootMs),
                        .integer(row.endBootMs), .integer(row.startWallMs), .text(row.zone), .blob(content),
                        .blob(chain.link),
                    ]
                )
            }
            try LedgerTable.save(chain, database)
        }
        try database.close()
        return chain
    }
}
