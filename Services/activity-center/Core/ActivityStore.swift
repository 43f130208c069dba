import STContracts
import STPlatform
import STStore

/// The tables of activity-center.
enum ActivityStore {
    static let migrations = [ledger, ActivityTable.migration, CategoryTable.migration]

    private static let ledger =
        Migration(
            name: "ledger",
            sql: """
                CREATE TABLE ledger (
                    row INTEGER PRIMARY KEY AUTOINCREMENT, segment TEXT NOT NULL UNIQUE, agent TEXT NOT NULL,
                    run TEXT NOT NULL, sequence INTEGER NOT NULL, member TEXT NOT NULL, presence TEXT NOT NULL,
                    app TEXT, domain TEXT, boot_id TEXT NOT NULL, start_boot_ms INTEGER NOT NULL,
                    end_boot_ms INTEGER NOT NULL, start_wall_ms INTEGER NOT NULL, zone TEXT NOT NULL
                ) STRICT;
                CREATE TABLE timelines (
                    agent TEXT NOT NULL, member TEXT NOT NULL, suspended_ms INTEGER NOT NULL, open BLOB,
                    PRIMARY KEY (agent, member)
                ) STRICT;
                CREATE TABLE runs (
                    agent TEXT NOT NULL, run TEXT NOT NULL, last_sequence INTEGER NOT NULL, PRIMARY KEY (agent, run)
                ) STRICT;
                CREATE TABLE members (name TEXT PRIMARY KEY) STRICT;
                """
        )

    static func load(_ database: Database) throws -> ActivityState {
        var state = ActivityState()
        state.book = try ActivityTable.load(database)
        state.categories = CategoryBook(try CategoryTable.load(database))
        let members = try database.query("SELECT name FROM members ORDER BY rowid") { try $0.text(0) }
        state.members = Set(members)
        state.owner = members.first
        try database.query("SELECT agent, member, suspended_ms, open FROM timelines") { row in
            let key = ActivityState.Key(agent: try row.text(0), member: try row.text(1))
            let open = try row.optionalBlob(3).map { try Segment.decodedBody($0) }
            state.timelines[key] = Timeline(open: open, suspendedMs: try row.int(2))
            state.toldBootMs[key] = open?.endBootMs
        }
        try database.query("SELECT agent, run, last_sequence FROM runs") { row in
            state.lastSequence[.init(agent: try row.text(0), run: try row.text(1))] = try row.int(2)
        }
        return state
    }

    static func append(_ segment: Segment, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO ledger (segment, agent, run, sequence, member, presence, app, domain, boot_id,
                start_boot_ms, end_boot_ms, start_wall_ms, zone)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(segment.segment), .text(segment.agent), .text(segment.run), .integer(segment.sequence),
                .text(segment.member), .text(segment.presence.rawValue), SQLValue(segment.app),
                SQLValue(segment.domain), .text(segment.bootId), .integer(segment.startBootMs),
                .integer(segment.endBootMs), .integer(segment.startWallMs), .text(segment.zone),
            ]
        )
    }

    static func save(_ key: ActivityState.Key, _ timeline: Timeline, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO timelines (agent, member, suspended_ms, open) VALUES (?, ?, ?, ?)
            ON CONFLICT (agent, member) DO UPDATE SET suspended_ms = excluded.suspended_ms, open = excluded.open
            """,
            [
                .text(key.agent), .text(key.member), .integer(timeline.lastSuspendedMs),
                SQLValue(try timeline.open?.encodedBody()),
            ]
        )
    }

    static func save(_ run: ActivityState.Run, _ last: Int64, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO runs (agent, run, last_sequence) VALUES (?, ?, ?)
            ON CONFLICT (agent, run) DO UPDATE SET last_sequence = excluded.last_sequence
            """,
            [.text(run.agent), .text(run.run), .integer(last)]
        )
    }

    /// Deletes all but the latest runs of an agent and says which ones.
    static func forgetRuns(of agent: String, keep: Int, _ database: Database) throws -> [ActivityState.Run] {
        try database.query(
            """
            DELETE FROM runs WHERE agent = ?1 AND rowid NOT IN (
                SELECT rowid FROM runs WHERE agent = ?1 ORDER BY rowid DESC LIMIT ?2
            ) RETURNING run
            """,
            [.text(agent), SQLValue(keep)]
        ) { .init(agent: agent, run: try $0.text(0)) }
    }

    static func insert(member: String, _ database: Database) throws {
        try database.run("INSERT OR IGNORE INTO members (name) VALUES (?)", [.text(member)])
    }

    static func forgetMembers(_ database: Database) throws { try database.run("DELETE FROM members") }

    static func rows(after next: String?, limit: Int64?, _ database: Database) throws -> UsageList.Reply {
        guard let start = Int64(next ?? "0"), start >= 0 else {
            throw Problem("page.invalid", "Send back `next` exactly as the reply had it.", field: "/next")
        }
        guard (limit ?? 1) > 0 else {
            throw Problem("body.invalid", "A limit is at least 1.", field: "/limit")
        }
        let count = min(limit ?? Int64(BusLimits.pageRows), Int64(BusLimits.pageRows))
        var last = start
        var isMore = false
        var bytes = 0
        var rows: [Segment] = []
        // One more than asked for, to know whether there is more.
        try database.scan(
            """
            SELECT row, segment, agent, run, sequence, member, presence, app, domain, boot_id, start_boot_ms,
                end_boot_ms, start_wall_ms, zone
            FROM ledger WHERE row > ? ORDER BY row LIMIT ?
            """,
            [.integer(start), .integer(count + 1)]
        ) { row in
            let segment = try segment(row)
            bytes += try segment.encodedBody().count
            isMore = Int64(rows.count) == count || !rows.isEmpty && bytes > BusLimits.pageBytes
            guard !isMore else { return false }
            rows.append(segment)
            last = try row.int(0)
            return true
        }
        return UsageList.Reply(rows: rows, next: isMore ? String(last) : nil)
    }

    private static func segment(_ row: borrowing Row) throws -> Segment {
        Segment(
            segment: try row.text(1),
            agent: try row.text(2),
            run: try row.text(3),
            sequence: try row.int(4),
            member: try row.text(5),
            presence: Presence(rawValue: try row.text(6)) ?? .unknown,
            app: try row.optionalText(7),
            domain: try row.optionalText(8),
            bootId: try row.text(9),
            startBootMs: try row.int(10),
            endBootMs: try row.int(11),
            startWallMs: try row.int(12),
            zone: try row.text(13)
        )
    }
}
