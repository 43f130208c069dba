import STContracts
import STStore

/// The tables of desktop-agent: the scripts under way, and the spool of what was seen but not yet accepted.
enum DesktopStore {
    static let migrations = [
        Migration(
            name: "spool",
            sql: """
                CREATE TABLE spool (
                    row INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, sequence INTEGER NOT NULL,
                    body BLOB NOT NULL, UNIQUE (run, sequence)
                ) STRICT;
                CREATE TABLE plays (run TEXT PRIMARY KEY, body BLOB NOT NULL) STRICT;
                """
        ),
        Migration(name: "scripts", sql: "CREATE TABLE scripts (digest TEXT PRIMARY KEY) STRICT;"),
        PolicyTable.migration,
    ]

    /// Whether the script was not known before; it is from now on.
    static func remember(script digest: String, _ database: Database) throws -> Bool {
        try database.run("INSERT OR IGNORE INTO scripts (digest) VALUES (?)", [.text(digest)]) == 1
    }

    static func load(_ database: Database) throws -> DesktopState {
        DesktopState(
            plays: try database.query("SELECT body FROM plays ORDER BY run") {
                try StoredPlay.decodedBody(try $0.blob(0)).play
            },
            waiting: try database.first("SELECT count(*) FROM spool") { try $0.int(0) } ?? 0,
            policy: try PolicyTable.load(database)
        )
    }

    static func save(_ play: ScriptPlay, _ database: Database) throws {
        try database.run(
            "INSERT INTO plays (run, body) VALUES (?, ?) ON CONFLICT (run) DO UPDATE SET body = excluded.body",
            [.text(play.run), .blob(try StoredPlay(play: play).encodedBody())]
        )
    }

    static func remove(_ play: ScriptPlay, _ database: Database) throws {
        try database.run("DELETE FROM plays WHERE run = ?", [.text(play.run)])
    }

    static func spool(_ seen: Observation, run: String, _ database: Database) throws {
        try database.run(
            "INSERT INTO spool (run, sequence, body) VALUES (?, ?, ?)",
            [.text(run), .integer(seen.sequence), .blob(try seen.encodedBody())]
        )
    }

    /// False when that number of the run waits already.
    static func spoolOnce(_ seen: Observation, run: String, _ database: Database) throws -> Bool {
        try database.run(
            "INSERT OR IGNORE INTO spool (run, sequence, body) VALUES (?, ?, ?)",
            [.text(run), .integer(seen.sequence), .blob(try seen.encodedBody())]
        ) == 1
    }

    static func next(except: [String], limit: Int, _ database: Database) throws -> SpoolNext.Reply {
        let places = Array(repeating: "?", count: except.count).joined(separator: ", ")
        let sql = "SELECT run FROM spool WHERE run NOT IN (\(places)) ORDER BY row LIMIT 1"
        guard let run = try database.first(sql, except.map { .text($0) }, { try $0.text(0) }) else {
            return SpoolNext.Reply(run: nil, observations: [])
        }
        let rows = try database.query(
            "SELECT sequence, body FROM spool WHERE run = ? ORDER BY sequence LIMIT ?",
            [.text(run), SQLValue(limit)]
        ) { row in
            var seen = try Observation.decodedBody(try row.blob(1))
            // The number is the row's: a renumbered run keeps its bodies.
            seen.sequence = try row.int(0)
            return seen
        }
        return SpoolNext.Reply(run: run, observations: rows)
    }

    static func letGo(run: String, through: Int64, _ database: Database) throws -> Int64 {
        Int64(
            try database.run(
                "DELETE FROM spool WHERE run = ? AND sequence <= ?",
                [.text(run), .integer(through)]
            )
        )
    }

    /// Says how many of the old run were gone already; nil when nothing of it waits.
    static func renumber(run: String, to newRun: String, _ database: Database) throws -> Int64? {
        let first = try database.first("SELECT min(sequence) FROM spool WHERE run = ?", [.text(run)]) {
            try $0.optionalInt(0)
        }
        guard let first, let lowest = first else { return nil }
        try database.run(
            "UPDATE spool SET run = ?, sequence = sequence - ? WHERE run = ?",
            [.text(newRun), .integer(lowest - 1), .text(run)]
        )
        return lowest - 1
    }
}

/// A play as it stands in a row.
private struct StoredPlay: WireBody, Codable {
    var play: ScriptPlay
}
