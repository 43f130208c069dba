import STStore

/// The schema, step by step.
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

    /// Sums by days cannot be taken apart into hours: all is read again from the stream, whose cursor says so.
    private static let hours = Migration(
        name: "hours",
        sql: """
            DROP TABLE day_use;
            DROP TABLE open_use;
            DROP TABLE first_seen;
            \(ReportNames.tables)
            \(SpanBook.tables)
            \(UsageFold.tables)
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
