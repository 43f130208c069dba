import STContracts
import STDomain
import STFollowing
import STStore

/// The tables of desktop-agent: the scripts under way, the spool of observations that were not accepted yet, and the policy, apps
/// and people. With the policy the agent applies shields after a start without a request.
enum DesktopTables {
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
        Migration(
            name: "policy",
            sql: """
                CREATE TABLE policy_words (subject TEXT PRIMARY KEY, type TEXT NOT NULL, body BLOB NOT NULL) STRICT;
                CREATE TABLE policy_facts (subject TEXT PRIMARY KEY, body BLOB NOT NULL) STRICT;
                CREATE TABLE policy_lists (
                    name TEXT NOT NULL, part INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (name, part)
                ) STRICT;
                CREATE TABLE policy_people (
                    place INTEGER PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL
                ) STRICT;
                """
        ),
        Household.migration(
            former: "SELECT name, role FROM policy_people ORDER BY place",
            table: "policy_people"
        ),
        Migration(
            name: "facts",
            sql: """
                ALTER TABLE policy_facts RENAME COLUMN body TO facts;
                ALTER TABLE policy_facts RENAME TO facts;
                ALTER TABLE policy_lists RENAME TO domain_lists;
                """
        ),
        Household.accountsMigration,
    ]

    static func load(_ database: Database) throws -> DesktopState {
        DesktopState(
            plays: try database.query("SELECT body FROM plays ORDER BY run") {
                try StoredPlay.decodedBody(try $0.blob(0)).play
            },
            // Rows: the whole spool, at most 200,000, once at the start.
            waiting: try database.first("SELECT count(*) FROM spool") { try $0.int(0) } ?? 0,
            policy: ShieldPolicy(
                book: try loadPolicies(database),
                facts: try SubjectFactStore.load(database),
                household: try Household(database)
            )
        )
    }

    // MARK: - Scripts

    /// Records the digest of a script file. Returns false if it was recorded before.
    static func recordScript(script digest: String, _ database: Database) throws -> Bool {
        try database.run("INSERT OR IGNORE INTO scripts (digest) VALUES (?)", [.text(digest)]) == 1
    }

    private struct StoredPlay: WireBody, Codable {
        var play: ScriptPlay
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

    // MARK: - The spool

    static func spool(_ seen: Observation, run: String, _ database: Database) throws {
        try database.run(
            "INSERT INTO spool (run, sequence, body) VALUES (?, ?, ?)",
            [.text(run), .integer(seen.sequence), .blob(try seen.encodedBody())]
        )
    }

    /// Adds an observation to the spool. Returns false if its number is already in the spool.
    static func spoolOnce(_ seen: Observation, run: String, _ database: Database) throws -> Bool {
        try database.run(
            "INSERT OR IGNORE INTO spool (run, sequence, body) VALUES (?, ?, ?)",
            [.text(run), .integer(seen.sequence), .blob(try seen.encodedBody())]
        ) == 1
    }

    static func next(except: [String], limit: Int, _ database: Database) throws -> DesktopSteps.Batch? {
        let places = Array(repeating: "?", count: except.count).joined(separator: ", ")
        // Rows: the runs that cannot be sent now, and one more.
        let sql = "SELECT run FROM spool WHERE run NOT IN (\(places)) ORDER BY row LIMIT 1"
        guard let run = try database.first(sql, except.map { .text($0) }, value: { try $0.text(0) }) else {
            return nil
        }
        let rows = try database.query(
            // Rows: one page.
            "SELECT sequence, body FROM spool WHERE run = ? ORDER BY sequence LIMIT ?",
            [.text(run), SQLValue(limit)]
        ) { row in
            var seen = try Observation.decodedBody(try row.blob(1))
            // A renumbered run keeps its bodies, so the number comes from the row.
            seen.sequence = try row.int(0)
            return seen
        }
        return DesktopSteps.Batch(run: run, observations: rows)
    }

    static func discard(run: String, through: Int64, _ database: Database) throws -> Int64 {
        Int64(
            try database.run(
                // Rows: the accepted observations.
                "DELETE FROM spool WHERE run = ? AND sequence <= ?",
                [.text(run), .integer(through)]
            )
        )
    }

    /// Moves the observations of a run to a new run and numbers them from 1. Returns the number of observations that the old run
    /// had already sent, or nil if none of it waits.
    static func renumber(run: String, to newRun: String, _ database: Database) throws -> Int64? {
        // Rows: one.
        let first = try database.first("SELECT min(sequence) FROM spool WHERE run = ?", [.text(run)]) {
            try $0.optionalInt(0)
        }
        guard let first, let lowest = first else { return nil }
        try database.run(
            // Rows: the whole run, once after activity-center has lost the run.
            "UPDATE spool SET run = ?, sequence = sequence - ? WHERE run = ?",
            [.text(newRun), .integer(lowest - 1), .text(run)]
        )
        return lowest - 1
    }

    // MARK: - Policy

    private static func loadPolicies(_ database: Database) throws -> Policies {
        var book = Policies()
        try database.query("SELECT type, body FROM policy_words") { row in
            let body = try row.blob(1)
            switch try row.text(0) {
            case PolicyStoreChanged.type: book.apply(try PolicyStore.decodedBody(body))
            case PolicyAllowedChanged.type: book.apply(try PolicyAllowed.decodedBody(body))
            case PolicyGrantChanged.type: book.apply(try PolicyGrant.decodedBody(body))
            default: break
            }
        }
        return book
    }

    static func set<Body: WireBody>(_ subject: String, type: String, body: Body, database: Database)
        throws
    {
        try database.run(
            """
            INSERT INTO policy_words (subject, type, body) VALUES (?, ?, ?)
            ON CONFLICT (subject) DO UPDATE SET type = excluded.type, body = excluded.body
            """,
            [.text(subject), .text(type), .blob(try body.encodedBody())]
        )
    }

    static func removePolicyStore(word subject: String, _ database: Database) throws {
        try database.run("DELETE FROM policy_words WHERE subject = ?", [.text(subject)])
    }

    static func clearPolicyStores(_ database: Database) throws {
        try database.run("DELETE FROM policy_words")
    }
}
