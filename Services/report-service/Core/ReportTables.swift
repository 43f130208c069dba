import STContracts
import STStore

/// The migrations of the database.
enum ReportTables {
    static let migrations = [
        Migration(
            name: "days",
            sql: """
                CREATE TABLE day_use (
                    day TEXT NOT NULL, member TEXT NOT NULL, presence TEXT NOT NULL, app TEXT NOT NULL,
                    domain TEXT NOT NULL, ms INTEGER NOT NULL, PRIMARY KEY (day, member, presence, app, domain)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE open_use (
                    agent TEXT NOT NULL, member TEXT NOT NULL, segment BLOB NOT NULL, PRIMARY KEY (agent, member)
                ) STRICT;
                CREATE TABLE first_seen (only INTEGER PRIMARY KEY CHECK (only = 1), wall_ms INTEGER NOT NULL) STRICT;
                """
        ),
        Migration(
            name: "one timeline for each member",
            sql: """
                ALTER TABLE open_use RENAME TO open_use_1;
                -- A member has one stretch under way for each start of the machine that is told of.
                CREATE TABLE open_use (
                    member TEXT NOT NULL, boot_id TEXT NOT NULL, segment BLOB NOT NULL, PRIMARY KEY (member, boot_id)
                ) STRICT;
                INSERT OR REPLACE INTO open_use (member, boot_id, segment)
                    SELECT member, json_extract(CAST(segment AS TEXT), '$.boot_id'), segment FROM open_use_1;
                DROP TABLE open_use_1;
                """
        ),
        hours,
    ]

    /// The migrations that follow those of `Hosting`.
    static let later = [unwritten, years]

    /// A member can have several intervals that are not yet in the ledger.
    private static let unwritten = Migration(
        name: "stretches that may be taken back",
        sql: """
            ALTER TABLE open_use RENAME TO open_use_2;
            CREATE TABLE open_use (
                device TEXT NOT NULL, name TEXT NOT NULL, segment BLOB NOT NULL, PRIMARY KEY (device, name)
            ) STRICT;
            INSERT INTO open_use SELECT device, json_extract(CAST(segment AS TEXT), '$.segment'), segment FROM open_use_2;
            DROP TABLE open_use_2;
            """
    )

    /// Adds sums by years. Sorts sums by months in the order in which months are read.
    private static let years = Migration(
        name: "years",
        sql: """
            ALTER TABLE month_use RENAME TO month_use_1;
            CREATE TABLE month_use (
                who INTEGER NOT NULL, month INTEGER NOT NULL, thing INTEGER NOT NULL,
                \(UsageTables.sums), PRIMARY KEY (who, month, thing)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE year_use (
                who INTEGER NOT NULL, year INTEGER NOT NULL, thing INTEGER NOT NULL,
                \(UsageTables.sums), PRIMARY KEY (who, year, thing)
            ) STRICT, WITHOUT ROWID;
            INSERT INTO month_use SELECT who, month, thing, ms, pickups, notifications FROM month_use_1
                ORDER BY who, month, thing;
            INSERT INTO year_use SELECT who, month / 12, thing, sum(ms), sum(pickups), sum(notifications)
                FROM month_use GROUP BY who, month / 12, thing;
            DROP TABLE month_use_1;
            """
    )

    /// Sums by days cannot be split into hours. The cursor therefore requests the whole stream again.
    private static let hours = Migration(
        name: "hours",
        sql: """
            DROP TABLE day_use;
            DROP TABLE open_use;
            DROP TABLE first_seen;
            \(ReportNames.tables)
            \(SpanBuffer.tables)
            \(UsageAggregator.tables)
            CREATE TABLE open_use (
                device TEXT NOT NULL, member TEXT NOT NULL, boot_id TEXT NOT NULL, segment BLOB NOT NULL,
                PRIMARY KEY (device, member, boot_id)
            ) STRICT;
            CREATE TABLE devices (device TEXT PRIMARY KEY, body BLOB NOT NULL) STRICT;
            CREATE TABLE facts (subject TEXT PRIMARY KEY, facts BLOB NOT NULL) STRICT;
            UPDATE cursors SET epoch = '', sequence = 0, event_id = NULL
                WHERE source = 'activity-center' AND stream = 'usage';
            """
    )
}

/// The members, apps and permissions.
enum ReportAppTable {
    static let migration = Migration(
        name: "apps",
        sql: """
            CREATE TABLE report_members (name TEXT PRIMARY KEY, is_child INTEGER NOT NULL) STRICT;
            CREATE TABLE report_apps (app TEXT PRIMARY KEY, body BLOB NOT NULL) STRICT;
            CREATE TABLE report_words (
                app TEXT NOT NULL, member TEXT NOT NULL, PRIMARY KEY (app, member)
            ) STRICT;
            """
    )

    static func load(_ database: Database) throws -> ReportApps {
        var apps = ReportApps()
        try database.query("SELECT name, is_child FROM report_members") {
            apps.children[try $0.text(0)] = try $0.bool(1)
        }
        try database.query("SELECT app, body FROM report_apps") {
            apps.installed[try $0.text(0)] = ReportApps.App(try InstalledApp.decodedBody(try $0.blob(1)))
        }
        try database.query("SELECT app, member FROM report_words") {
            apps.approved.insert(ReportApps.Permission(app: try $0.text(0), member: try $0.text(1)))
        }
        return apps
    }

    static func set(_ member: Member, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO report_members (name, is_child) VALUES (?, ?)
            ON CONFLICT (name) DO UPDATE SET is_child = excluded.is_child
            """,
            [.text(member.name), SQLValue(member.role == .child)]
        )
    }

    static func set(_ app: InstalledApp, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO report_apps (app, body) VALUES (?, ?)
            ON CONFLICT (app) DO UPDATE SET body = excluded.body
            """,
            [.text(app.manifest.id), .blob(try app.encodedBody())]
        )
    }

    static func remove(member: String, _ database: Database) throws {
        try database.run("DELETE FROM report_members WHERE name = ?", [.text(member)])
    }

    static func remove(app: String, _ database: Database) throws {
        try database.run("DELETE FROM report_apps WHERE app = ?", [.text(app)])
        try database.run("DELETE FROM report_words WHERE app = ?", [.text(app)])
    }

    static func set(_ permission: ReportApps.Permission, isApproved: Bool, _ database: Database) throws {
        try database.run(
            isApproved
                ? "INSERT OR IGNORE INTO report_words (app, member) VALUES (?, ?)"
                : "DELETE FROM report_words WHERE app = ? AND member = ?",
            [.text(permission.app), .text(permission.member)]
        )
    }

    static func clear(_ database: Database) throws {
        try database.execute("DELETE FROM report_members; DELETE FROM report_apps; DELETE FROM report_words;")
    }
}
