import Glibc
import STCSQLite
import STCSQLiteFaults
import STContracts
import STEngine
import STPlatform
import STStore
import STTestKit
import STTestSupport
import Testing

@testable import STActivityCore

/// The stored data of activity-center, as its routes return it.
private struct Told: Equatable {
    var rows: [Segment] = []
    var notifications: [NotificationCount] = []
    var verified: UsageVerify.Reply
    var head: StreamPoint
    /// The newest event of each subject, in order: number, type, subject and body.
    var events: [String] = []

    init(_ bench: CoreBench<ActivityState>) throws {
        var list = try bench.ask(UsageList.self, .init())
        rows = list.rows
        while let next = list.next {
            list = try bench.ask(UsageList.self, .init(next: next))
            rows += list.rows
        }
        notifications = try bench.ask(UsageNotifications.self, .init()).rows
        verified = try bench.ask(UsageVerify.self, .init())
        while let next = verified.next { verified = try bench.ask(UsageVerify.self, .init(next: next)) }
        var page = try bench.ask(EventsSnapshot.self, .init(stream: "usage"))
        head = page.head
        while true {
            events += page.events.map {
                "\($0.header.sequence) \($0.header.type) \($0.header.subject) \(String(decoding: $0.body, as: UTF8.self))"
            }
            guard let next = page.next else { break }
            page = try bench.ask(EventsSnapshot.self, .init(stream: "usage", next: next))
        }
    }
}

@Suite("Update of a version 0.5 ledger")
struct SmallLedgerTests {
    private static let applicationID: Int32 = 0x5354_0052
    /// The number of migrations since version 0.5.
    private static let newSteps = 9

    private let old: ScratchDirectory
    private let before: Told

    /// Creates a ledger with all kinds of rows in the format of version 0.5.
    init() throws {
        var desk = try LedgerDesk()
        var random = SeededRandom(seed: 7)
        for _ in 0..<30 {
            let seen = (0..<200).map { _ in
                if random.chance(percent: 3) { desk.watcher.time.suspend(forMs: 60_000) }
                if random.chance(percent: 2) { desk.watcher.time.stepWall(byMs: 5_000) }
                let app = random.pick(["editor", "browser", nil]) ?? nil
                return desk.watcher.sees(
                    app,
                    random.pick([.active, .active, .idle]) ?? .active,
                    domain: app == "browser" ? "site-\(random.number(1...9)).example" : nil,
                    member: random.pick(["owner", "child"]) ?? "owner",
                    afterMs: Int64(random.number(1...30)) * 1_000,
                    shielded: random.chance(percent: 10) ? true : nil
                )
            }
            _ = try desk.observe(seen)
        }
        let phone = ImportedDevice(device: "phone", name: "Phone", model: .iPhone, importedAt: "")
        let base = try desk.rows()
        let start = base[0].startWallMs - 86_400_000
        let past = (0..<20).map { number in
            var row = base[number]
            row.member = "owner"
            row.startWallMs = start + Int64(number) * 60_000
            row.startBootMs = Int64(number) * 60_000
            row.endBootMs = row.startBootMs + 30_000
            row.bootId = "phone-boot"
            return row
        }
        let shown = (0..<50).map { number in
            NotificationCount(
                member: "owner",
                app: "mail",
                count: 1,
                wallMs: start + Int64(number) * 1_000,
                zone: "UTC"
            )
        }
        _ = try desk.bench.ask(UsageImport.self, .init(device: phone, rows: past, notifications: shown))
        _ = try desk.bench.ask(
            UsageForget.self,
            .init(
                member: "owner",
                fromWallMs: base[100].startWallMs,
                toWallMs: base[300].startWallMs
            )
        )
        before = try Told(desk.bench)
        old = try ScratchDirectory()
        try Self.putBack(desk.bench, to: old.file("bench.sqlite"))
    }

    private static func putBack(_ bench: CoreBench<ActivityState>, to path: String) throws {
        let all = StoreMigrations.base + ActivityTables.migrations
        #expect(all.suffix(newSteps).first?.name == EventLog.derivedMigration.name)
        let database = try Database(
            path: path,
            options: DatabaseOptions(synchronous: .off, applicationID: applicationID)
        )
        try database.migrate(Array(all.dropLast(newSteps)))
        let tables = try database.query("SELECT name FROM sqlite_schema WHERE type = 'table'") {
            try $0.text(0)
        }
        try database.run("ATTACH ? AS new", [.text(bench.database.path)])
        for table in tables
        where !["ledger", "schema_migrations", "streams", "household"].contains(table)
            && !table.hasPrefix("sqlite_")
        {
            try database.execute(
                "DELETE FROM main.\(table); INSERT INTO main.\(table) SELECT * FROM new.\(table)"
            )
        }
        try database.execute("INSERT INTO household SELECT place, name, role FROM new.household")
        // Version 0.5 had no history. The next start creates its stream.
        try database.execute(
            "INSERT INTO streams SELECT * FROM new.streams WHERE stream IN ('usage', 'activity')"
        )
        try database.execute("DETACH new; DELETE FROM meta WHERE name IN ('expire/usage', 'history_head')")
        try putBackEvents(bench, to: database)
        try database.transaction {
            try bench.database.query(
                "SELECT \(LedgerTable.columns) FROM ledger \(LedgerTable.textJoins) ORDER BY row"
            ) { row in
                let values: [SQLValue]
                let hashes: (content: [UInt8], link: [UInt8])
                if let content = try row.optionalBlob(19) {
                    values = Array(repeating: .null, count: 16) + [.integer(1)]
                    hashes = (content, try row.blob(20))
                } else {
                    let segment = try LedgerTable.segment(row)
                    values = [
                        .text(segment.segment), .text(segment.agent), .text(segment.run),
                        .integer(segment.sequence), .text(segment.member), .text(segment.presence.rawValue),
                        SQLValue(segment.app), SQLValue(segment.domain), SQLValue(segment.category),
                        .text(segment.bootId), .integer(segment.startBootMs), .integer(segment.endBootMs),
                        .integer(segment.startWallMs), .text(segment.zone),
                        SQLValue(segment.knownBy?.rawValue),
                        SQLValue(segment.stepMs), .integer(0),
                    ]
                    hashes = (LedgerChain.content(segment), try row.blob(20))
                }
                try database.run(
                    "INSERT INTO ledger VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    [.integer(try row.int(0))] + values + [
                        .blob(hashes.content), .blob(hashes.link),
                        row.isNull(17) ? .null : .integer(1), SQLValue(try row.optionalText(18)),
                    ]
                )
            }
        }
        try database.close()
    }

    /// Inserts the events that are now recreated from rows. Version 0.5 stored them in its log.
    private static func putBackEvents(_ bench: CoreBench<ActivityState>, to database: Database) throws {
        var next: String?
        repeat {
            let page = try bench.ask(EventsSnapshot.self, .init(stream: "usage", next: next))
            next = page.next
            for event in page.events where event.header.id.hasPrefix("retold-") {
                try database.run(
                    """
                    INSERT INTO events (stream, sequence, id, type, time_ms, subject, schema, body)
                    VALUES ('usage', ?, ?, ?, ?, ?, ?, ?)
                    """,
                    [
                        .integer(event.header.sequence), .text(event.header.id), .text(event.header.type),
                        .integer(event.header.timeMs), .text(event.header.subject),
                        .integer(event.header.schema), .blob(event.body),
                    ]
                )
            }
        } while next != nil
    }

    @Test("An updated ledger returns the same rows, notifications and events, and continues")
    func same() throws {
        let later = SimulatedTimeSource(wallMs: 1_800_000_000_000)
        let bench = try CoreBench(ActivityService.definition(), scratch: old, time: later)
        let after = try Told(bench)

        #expect(after.verified.fault == nil && after.verified.forgotten > 50)
        #expect(after == before)
        #expect(try bench.database.query("SELECT count(*) FROM event_rows") { try $0.int(0) }[0] > 3_000)
        #expect(
            try bench.database.query(
                "SELECT count(*) FROM ledger WHERE segment IS NULL AND content_hash IS NULL"
            ) { try $0.int(0) }[0] > 3_000
        )
        // An import recognises the rows of both formats.
        let again = try bench.ask(
            UsageImport.self,
            .init(rows: Array(after.rows.prefix(50)), notifications: [])
        )
        #expect(again.duplicates == 50)
        let named = try bench.ask(UsageSegment.self, .init(segment: after.rows[200].segment))
        #expect(named.segment == after.rows[200])
    }

    @Test("Events that the log has deleted are recreated from the ledger's rows")
    func told() throws {
        let bench = try CoreBench(ActivityService.definition(), scratch: old)
        let log = EventLog(
            bench.database,
            retold: [LedgerTable.rebuiltEvents, NotificationTable.rebuiltEvents]
        )
        var random = SeededRandom(seed: 9)
        var through: Int64 = 0
        while through < before.head.sequence - 1 {
            let last = min(before.head.sequence - 1, through + Int64(random.number(1...6_000)))
            through = try bench.database.transaction {
                try log.expire(
                    "usage",
                    types: [SegmentClosed.type, UsageNotified.type],
                    through: last,
                    window: 1_000
                )
            }
            #expect(try Told(bench) == before)
        }
        let left = try bench.database.query(
            "SELECT count(*) FROM events WHERE type = ?",
            [.text(SegmentClosed.type)]
        ) {
            try $0.int(0)
        }
        #expect(left[0] <= 1)
    }

    @Test("An update that a full disk or a power cut interrupts is completed at the next start")
    func cutOff() throws {
        var random = SeededRandom(seed: 3)
        let whole = ActivityService.definition()
        var isCutOff = 0
        for round in 0..<12 {
            let disk = try FaultySystem("st-small-ledger-\(round)")
            let database = try Database(
                path: old.file("bench.sqlite"),
                options: DatabaseOptions(
                    synchronous: .full,
                    applicationID: Self.applicationID,
                    vfs: disk.name
                )
            )
            let nth = random.number(1...400)
            if round % 2 == 0 {
                disk.fill(after: nth)
            } else {
                disk.arm(ST_FAULTS_ALL, nth: nth, mode: ST_FAULTS_CRASH, result: SQLITE_IOERR)
            }
            do {
                _ = try StoreEngine(
                    whole,
                    database: database,
                    source: "/test/bench",
                    time: SimulatedTimeSource(wallMs: 1_790_000_000_000)
                )
            } catch let problem as Problem {
                isCutOff += 1
                if round % 2 == 0 { #expect(problem.code == "store.disk_full") }
            }
            try? database.close()
        }
        #expect(isCutOff > 3)
        #expect(try Told(CoreBench(whole, scratch: old)) == before)
    }

    @Test("An update whose process is killed at random moments loses nothing")
    func killed() throws {
        // Each process lives longer than the one before, so a kill interrupts the update on any machine.
        let growth = TestScale.isSoak ? 1.02 : 1.2
        let directories = old.directories
        let path = directories.database(service: "activity-center")
        try Directories.prepare(directories.state)
        try Directories.prepare(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]))
        try Self.rename(old.file("bench.sqlite"), path, as: 0x5354_5376)
        var lifeMs = 10.0
        var isCutOff = 0
        while try !Self.isUpdated(path) {
            let service = try LoneService(.activity, directories, logPath: old.file("log"))
            lifeMs *= growth
            if let status = service.process.wait(deadlineMs: Int64(lifeMs)) {
                Issue.record("it ended by itself: \(status)\n\(service.log)")
            }
            service.process.signal(SIGKILL)
            _ = try service.waitForExit()
            if try Self.hasTable("ledger_2", path), try Self.look(path, "SELECT count(*) FROM ledger") > 0 {
                isCutOff += 1
            }
        }
        let service = try LoneService(.activity, directories, logPath: old.file("log"))
        _ = try service.waitUntilItAnswers()
        #expect(try service.stop() == .exited(0))
        try Self.rename(path, old.file("bench.sqlite"), as: Self.applicationID)
        let after = try Told(CoreBench(ActivityService.definition(), scratch: old))
        #expect(after == before)
        #expect(isCutOff > 0, "no kill met the update")
    }

    private static func rename(_ path: String, _ other: String, as applicationID: Int32) throws {
        let found = applicationID == Self.applicationID ? 0x5354_5376 : Self.applicationID
        let database = try Database(
            path: path,
            options: DatabaseOptions(synchronous: .off, applicationID: found)
        )
        try database.execute("PRAGMA application_id = \(applicationID)")
        try database.close()
        guard Glibc.rename(path, other) == 0 else { throw SystemError.last("rename") }
    }

    private static func isUpdated(_ path: String) throws -> Bool {
        try hasTable("ledger_members", path) && !hasTable("ledger_2", path)
    }

    private static func hasTable(_ name: String, _ path: String) throws -> Bool {
        try look(path, "SELECT count(*) FROM sqlite_schema WHERE name = '\(name)'") == 1
    }

    private static func look(_ path: String, _ sql: String) throws -> Int64 {
        var options = DatabaseOptions(synchronous: .off, applicationID: 0x5354_5376)
        options.readOnly = true
        return try Database(path: path, options: options).query(sql) { try $0.int(0) }[0]
    }
}
