import STContracts
import STFollowing
import STPlatform
import STStore

/// The tables of activity-center.
enum ActivityTables {
    static let migrations = [
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
        ),
        LedgerTable.migration, WatchedActivityTable.migration, CategoryTable.migration,
        WatchedActivityTable.countsMigration, LedgerTable.shieldedMigration, CategoryTable.factsMigration,
        LedgerListing.migration, LedgerTable.importedMigration, NotificationTable.migration,
        Household.migration(
            former: "SELECT name, coalesce(role, '') FROM members ORDER BY rowid",
            table: "members"
        ),
        LedgerListing.devicesMigration, EventLog.derivedMigration, LedgerTable.smallMigration,
        NotificationTable.retoldMigration, HistoryLog.migration, Household.accountsMigration,
        LedgerListing.longestMigration, RemoteUsageTracker.migration, AgreedSettings.migration,
        RuleTables.migration,
    ]

    static func load(_ database: Database) throws -> ActivityState {
        var state = ActivityState()
        state.activities = try WatchedActivityTable.load(database)
        state.categories = try CategoryTable.load(database)
        state.household = try Household(database)
        state.timelines = try TimelineTable.load(database)
        // Rows: all, 64 of an agent, at the start.
        try database.query("SELECT agent, run, last_sequence FROM runs") { row in
            state.lastSequence[.init(agent: try row.text(0), run: try row.text(1))] = try row.int(2)
        }
        // Rows: all, at most 64, at the start.
        try database.query("SELECT agent, first_wall_ms FROM agents") { row in
            state.agents[try row.text(0)] = WallTime(ms: try row.int(1))
        }
        state.devices = try ImportedDeviceTable.load(database)
        state.remoteUsage = try RemoteUsageTracker(database)
        state.agreed = try AgreedSettings(database)
        state.chain = try LedgerTable.head(database) ?? LedgerChain()
        state.history = try HistoryLog(database)
        state.rules = try RuleTables.load(database)
        state.rules.deriveWatches(from: state.activities)
        return state
    }

    /// Saves the data that changes with every observation, once per transaction.
    static func save(_ state: inout ActivityState, _ database: Database) throws {
        try WatchedActivityTable.save(&state.activities, database)
        for member in state.unsaved.sorted() {
            guard let timeline = state.timelines[member] else { continue }
            try TimelineTable.save(timeline, of: member, database)
        }
        state.unsaved = []
    }

    static func save(_ run: ActivityState.Run, last: Int64, database: Database) throws {
        try database.run(
            """
            INSERT INTO runs (agent, run, last_sequence) VALUES (?, ?, ?)
            ON CONFLICT (agent, run) DO UPDATE SET last_sequence = excluded.last_sequence
            """,
            [.text(run.agent), .text(run.run), .integer(last)]
        )
    }

    /// Deletes all but the latest runs of an agent. Returns the deleted runs.
    static func deleteRuns(of agent: String, keep: Int, _ database: Database) throws -> [ActivityState.Run] {
        try database.query(
            // Rows: the runs of an agent, at most 65.
            """
            DELETE FROM runs WHERE agent = ?1 AND rowid NOT IN (
                SELECT rowid FROM runs WHERE agent = ?1 ORDER BY rowid DESC LIMIT ?2
            ) RETURNING run
            """,
            [.text(agent), SQLValue(keep)]
        ) { .init(agent: agent, run: try $0.text(0)) }
    }

    static func insert(agent: String, first wall: WallTime, _ database: Database) throws {
        try database.run(
            "INSERT INTO agents (agent, first_wall_ms) VALUES (?, ?)",
            [.text(agent), .integer(wall.ms)]
        )
    }
}

/// The table of timelines.
enum TimelineTable {
    private struct Lanes: WireBody, Codable {
        var lanes: [BootTimeline]
    }

    private struct Boots: WireBody, Codable {
        var boots: [String]
    }

    static func load(_ database: Database) throws -> [String: Timeline] {
        var timelines: [String: Timeline] = [:]
        try database.query(
            "SELECT member, lanes, boots FROM timelines LEFT JOIN past_boots USING (member)"
        ) { row in
            timelines[try row.text(0)] = Timeline(
                lanes: try Lanes.decodedBody(try row.blob(1)).lanes,
                past: try row.optionalBlob(2).map { try Boots.decodedBody($0).boots } ?? []
            )
        }
        return timelines
    }

    static func save(_ timeline: Timeline, of member: String, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO timelines (member, lanes) VALUES (?, ?)
            ON CONFLICT (member) DO UPDATE SET lanes = excluded.lanes
            """,
            [.text(member), .blob(try Lanes(lanes: timeline.lanes).encodedBody())]
        )
    }

    static func savePast(_ timeline: Timeline, of member: String, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO past_boots (member, boots) VALUES (?, ?)
            ON CONFLICT (member) DO UPDATE SET boots = excluded.boots
            """,
            [.text(member), .blob(try Boots(boots: timeline.past).encodedBody())]
        )
    }
}
