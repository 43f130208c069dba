import STContracts
import STDomain
import STPlatform
import STStore

/// The saved changes of policy, and the base: the last change of each subject before the oldest saved one.
enum ChangeTable {
    private static let columns = "policy, subject, member, route, wall_ms, cause, type, body, is_gone"
    private static let sinceMark = "changes_since"

    static let migration = Migration(
        name: "changes",
        sql: """
            CREATE TABLE changes (
                policy INTEGER PRIMARY KEY, subject TEXT NOT NULL, member TEXT NOT NULL, route TEXT NOT NULL,
                wall_ms INTEGER NOT NULL, cause TEXT, type TEXT NOT NULL, body BLOB NOT NULL,
                is_gone INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX changes_of_member ON changes (member, subject, policy);
            CREATE INDEX changes_by_time ON changes (wall_ms, policy);
            CREATE TABLE base (
                policy INTEGER NOT NULL, subject TEXT PRIMARY KEY, member TEXT NOT NULL, route TEXT NOT NULL,
                wall_ms INTEGER NOT NULL, cause TEXT, type TEXT NOT NULL, body BLOB NOT NULL,
                is_gone INTEGER NOT NULL
            ) STRICT;
            CREATE TABLE allowed (member TEXT PRIMARY KEY, items BLOB NOT NULL) STRICT;
            """
    )

    static func load(into state: inout ShieldState, _ database: Database) throws {
        try database.query(
            // Rows: all, at most 20,000, at the start.
            """
            SELECT max(ifnull((SELECT max(policy) FROM changes), 0), ifnull((SELECT max(policy) FROM base), 0)),
                (SELECT count(*) FROM changes), (SELECT ifnull(sum(length(body)), 0) FROM changes)
            """
        ) {
            state.policy.advance(try $0.int(0))
            state.changes.rows = try $0.int(1)
            state.changes.bytes = try $0.int(2)
        }
        state.changes.since = WallTime(ms: try MetaTable(database).get(sinceMark).flatMap(Int64.init) ?? 0)
        try database.query("SELECT items FROM allowed") {
            let body = try PolicyAllowed.decodedBody(try $0.blob(0))
            state.allowed[body.member] = body.items
            state.policy.allow(SubjectSet(body.items), member: body.member)
        }
    }

    static func insert(_ row: ChangeRow, _ database: Database) throws {
        try database.run(
            "INSERT INTO changes (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                .integer(row.policy), .text(row.subject), .text(row.member), .text(row.route),
                .integer(row.wall.ms), SQLValue(row.cause), .text(row.type), .blob(row.body),
                SQLValue(row.isGone),
            ]
        )
        guard row.type == PolicyAllowedChanged.type else { return }
        try database.run(
            "INSERT OR REPLACE INTO allowed (member, items) VALUES (?, ?)",
            [.text(row.member), .blob(row.body)]
        )
    }

    static func set(since wall: WallTime, _ database: Database) throws {
        try MetaTable(database).set(sinceMark, String(wall.ms))
    }

    /// Folds the oldest `count` rows into the base, which keeps only the last change of each subject.
    static func fold(_ size: inout ChangeLogSize, count: Int64, database: Database) throws {
        let last = try database.first(
            // Rows: the folded ones.
            "SELECT policy FROM changes ORDER BY policy LIMIT 1 OFFSET ?",
            [.integer(count - 1)]
        ) { try $0.int(0) }
        guard let last else { return }
        try database.query(
            // Rows: the folded ones.
            "SELECT count(*), sum(length(body)), max(wall_ms) FROM changes WHERE policy <= ?",
            [.integer(last)]
        ) {
            size.rows -= try $0.int(0)
            size.bytes -= try $0.int(1)
            size.since = max(size.since, WallTime(ms: try $0.int(2)))
        }
        try database.run(
            // Rows: the folded ones.
            """
            INSERT OR REPLACE INTO base (\(columns))
            SELECT \(columns) FROM changes WHERE policy IN (
                SELECT max(policy) FROM changes WHERE policy <= ? GROUP BY subject
            )
            """,
            [.integer(last)]
        )
        try database.run("DELETE FROM base WHERE is_gone = 1")
        // Rows: the folded ones.
        try database.run("DELETE FROM changes WHERE policy <= ?", [.integer(last)])
        try set(since: size.since, database)
    }

    // MARK: - Reading

    /// Returns the number of the last change at or before `wall`.
    static func last(at wall: WallTime, _ database: Database) throws -> Int64? {
        try database.first(
            // Rows: those before the moment, at most 20,000.
            """
            SELECT max(ifnull((SELECT max(policy) FROM changes WHERE wall_ms <= ?1), 0),
                ifnull((SELECT max(policy) FROM base), 0))
            """,
            [.integer(wall.ms)]
        ) { try $0.int(0) }
    }

    /// Returns the last change of each subject of a member, up to `policy`.
    static func currentChanges(member: String, until policy: Int64, _ database: Database) throws
        -> [ChangeRow]
    {
        var rows = try database.query(
            // Rows: the changes of a member, at most 20,000.
            """
            SELECT \(columns) FROM changes WHERE policy IN (
                SELECT max(policy) FROM changes WHERE member = ?1 AND policy <= ?2 GROUP BY subject
            )
            """,
            [.text(member), .integer(policy)]
        ) { try row($0) }
        let later = Set(rows.map(\.subject))
        rows += try database.query("SELECT \(columns) FROM base WHERE member = ?", [.text(member)]) {
            try row($0)
        }
        .filter { !later.contains($0.subject) }
        return rows.sorted { $0.policy < $1.policy }
    }

    /// Visits the changes of one subject up to `policy`, the latest first and the base last.
    static func forEachEarlier(
        _ subject: String,
        member: String,
        until policy: Int64,
        limit: Int,
        database: Database,
        visit: (ChangeRow) throws -> Bool
    ) throws {
        var goesOn = true
        try database.scan(
            // Rows: the changes of one subject until the wanted one, at most 20,000.
            """
            SELECT \(columns) FROM changes WHERE member = ? AND subject = ? AND policy <= ?
            ORDER BY policy DESC LIMIT ?
            """,
            [.text(member), .text(subject), .integer(policy), SQLValue(limit)]
        ) {
            goesOn = try visit(try row($0))
            return goesOn
        }
        guard goesOn else { return }
        try database.scan("SELECT \(columns) FROM base WHERE subject = ?", [.text(subject)]) {
            try visit(try row($0))
        }
    }

    private static func row(_ row: borrowing Row) throws -> ChangeRow {
        ChangeRow(
            policy: try row.int(0),
            subject: try row.text(1),
            member: try row.text(2),
            route: try row.text(3),
            wall: WallTime(ms: try row.int(4)),
            cause: try row.optionalText(5),
            type: try row.text(6),
            body: try row.blob(7),
            isGone: try row.bool(8)
        )
    }
}

/// One saved change of policy.
struct ChangeRow {
    var policy: Int64
    /// The subject of its event. A later event with the same subject replaces it.
    var subject: String
    var member: String
    var route: String
    var wall: WallTime
    var cause: String?
    var type: String
    var body: [UInt8]
    /// True if the change removes its subject, so that folding can delete it.
    var isGone = false
}
