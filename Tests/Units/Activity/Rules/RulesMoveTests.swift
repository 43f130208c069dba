import Glibc
import STContracts
import STEngine
import STPlatform
import STStore
import STTestKit
import STTestSupport
import Testing

@testable import STActivityCore

/// Earlier versions kept the rules in the database of monitor-runner.
@Suite("Rules in the database of monitor-runner")
struct RulesMoveTests {
    private static let options = DatabaseOptions(synchronous: .off, applicationID: 0x5354_0052)
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    /// Writes such a database on Friday, 2026-11-20, with a used-up limit, a paused limit, and a waiting change.
    private func writeFormer(column: String, _ name: String = "monitor-runner.sqlite") throws {
        let database = try Database(path: scratch.file(name), options: Self.options)
        defer { try? database.close() }
        try database.migrate(
            StoreMigrations.base + [
                Migration(
                    name: "rules",
                    sql: """
                        CREATE TABLE rules (id TEXT PRIMARY KEY, rule BLOB NOT NULL) STRICT;
                        CREATE TABLE rule_delays (member TEXT PRIMARY KEY, delay BLOB NOT NULL) STRICT;
                        CREATE TABLE rule_shields (
                            member TEXT NOT NULL, rule TEXT NOT NULL, \(column) BLOB NOT NULL,
                            PRIMARY KEY (member, rule)
                        ) STRICT;
                        CREATE TABLE shared_rules (
                            member TEXT NOT NULL, id TEXT NOT NULL, rule BLOB NOT NULL, PRIMARY KEY (member, id)
                        ) STRICT, WITHOUT ROWID;
                        """
                )
            ]
        )
        let day = #""start_ms":\#(RuleDesk.dayMs),"end_ms":\#(RuleDesk.nextMs)"#
        let chess =
            #"{"kind":"limit","name":"chess","member":"owner","targets":[{"kind":"application","id":"chess"}]"#
        for (id, rest) in [
            (
                "chess",
                #""closed":{"chess":{\#(day),"delivery":"e1","threshold_ms":2000,"zone":"Europe/Berlin"}}"#
            ),
            (
                "code",
                #""waiting":{"kind":"remove","asked_ms":1,"moment":{"wall_ms":\#(RuleDesk.nextMs),"boot_ms":9,"boot_id":"b","length_ms":9}}"#
            ),
            (
                "paused",
                #""paused_until_ms":\#(RuleDesk.nextMs),"pause_ends":{"wall_ms":\#(RuleDesk.nextMs),"boot_ms":9,"boot_id":"b","length_ms":9}"#
            ),
        ] {
            let spec = chess.replacing("chess", with: id) + #","duration_ms":2000,"then":"shield"}"#
            let row = #"{"id":"\#(id)","spec":\#(spec),"added_ms":1,"revision":3,"held":[],\#(rest)}"#
            try database.run("INSERT INTO rules VALUES (?, ?)", [.text(id), .blob(Array(row.utf8))])
        }
        let delay = Array(#"{"delay_ms":60000}"#.utf8)
        try database.run("INSERT INTO rule_delays VALUES ('owner', ?)", [.blob(delay)])
        let note = #"{"opens_ms":\#(RuleDesk.nextMs),"rule":"chess"}"#
        let settings = #"{"shield.applications":[{"id":"chess"}],"shield.note":\#(note)}"#
        let row = Array(#"{"settings":\#(settings),"cause":"e1"}"#.utf8)
        try database.run("INSERT INTO rule_shields VALUES ('owner', 'chess', ?)", [.blob(row)])
        try MetaTable(database).set("rules/epoch", "old")
    }

    private func open() throws -> StoreEngine<ActivityState> {
        let time = SimulatedTimeSource(wallMs: RuleDesk.noonMs, zone: "Europe/Berlin")
        return try StoreEngine(
            ActivityService.definition(),
            database: try Database(path: scratch.file("activity-center.sqlite"), options: Self.options),
            source: "/test/activity-center",
            time: time
        )
    }

    private func decisions(_ store: StoreEngine<ActivityState>) throws -> [String] {
        let database = try Database(
            path: store.path,
            options: DatabaseOptions(readOnly: true, applicationID: Self.options.applicationID)
        )
        defer { try? database.close() }
        return try database.query("SELECT subject FROM events WHERE stream = 'decision' ORDER BY sequence") {
            try $0.text(0)
        }
    }

    @Test(
        "Rules of monitor-runner are copied at the first start, and their decisions are published",
        arguments: ["decision", "asked"]
    )
    func moved(column: String) throws {
        try writeFormer(column: column)
        for _ in 0..<2 {
            let store = try open()
            let book = store.state.rules
            #expect(book.rules.keys.sorted() == ["chess", "code", "paused"])
            #expect(book.rules["chess"]?.closed?["chess"]?.delivery == "e1")
            #expect(book.rules["code"]?.waiting?.kind == .remove)
            #expect(book.rules["paused"]?.isPaused(now: WallTime(ms: RuleDesk.noonMs)) == true)
            #expect(book.delays["owner"]?.delayMs == 60_000)
            #expect(book.isShielding(try #require(book.rules["chess"])) == true)
            // The second start publishes nothing.
            #expect(try decisions(store) == ["rule/owner/chess"])
            try store.close()
        }
    }

    @Test("Rules of monitor-runner are also copied from a backup that it restores at its next start")
    func restored() throws {
        try writeFormer(column: "decision", "monitor-runner.sqlite.restore")
        let store = try open()
        #expect(store.state.rules.rules.count == 3)
        try store.close()
    }

    @Test("Unreadable rules of monitor-runner do not stop the ledger, and are copied at a later start")
    func unreadable() throws {
        try writeFormer(column: "decision")
        let former = try Database(path: scratch.file("monitor-runner.sqlite"), options: Self.options)
        try former.run("UPDATE rule_delays SET delay = ?", [.blob([1])])
        let store = try open()
        let rules = store.state.rules
        #expect(rules.rules.isEmpty && rules.moveProblem?.code == "rule.not_moved")
        #expect(throws: Problem.self) { try rules.requireCopiedRules() }
        try store.close()

        try former.run("DELETE FROM rule_delays")
        try former.close()
        let later = try open()
        #expect(later.state.rules.rules.count == 3 && later.state.rules.moveProblem == nil)
        try later.close()
    }

    @Test("Rules are copied at a later start if monitor-runner is still creating its database")
    func early() throws {
        let path = scratch.file("monitor-runner.sqlite")
        try AtomicFile.write([], to: path)
        let store = try open()
        #expect(store.state.rules.moveProblem == nil)
        try store.close()
        unlink(path)
        try writeFormer(column: "decision")
        let later = try open()
        #expect(later.state.rules.rules.count == 3)
        try later.close()
    }

    @Test("Without a database of monitor-runner, activity-center has no rules and decisions")
    func none() throws {
        let store = try open()
        #expect(try store.state.rules.rules.isEmpty && decisions(store).isEmpty)
        try store.close()
    }
}
