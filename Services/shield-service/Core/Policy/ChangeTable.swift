import STContracts
import STStore

/// What has changed, and what was before all that is written down.
enum ChangeTable {
    static let migration = Migration(
        name: "changes",
        sql: """
            CREATE TABLE changes (
                policy INTEGER PRIMARY KEY, subject TEXT NOT NULL, member TEXT NOT NULL, route TEXT NOT NULL,
                wall_ms INTEGER NOT NULL, cause TEXT, type TEXT NOT NULL, body BLOB NOT NULL
            ) STRICT;
            CREATE INDEX changes_of_member ON changes (member, subject, policy);
            CREATE INDEX changes_by_time ON changes (wall_ms, policy);
            CREATE TABLE base (
                subject TEXT PRIMARY KEY, member TEXT NOT NULL, policy INTEGER NOT NULL, route TEXT NOT NULL,
                wall_ms INTEGER NOT NULL, cause TEXT, type TEXT NOT NULL, body BLOB NOT NULL
            ) STRICT;
            """
    )

    static func load(into state: inout ShieldState, _ database: Database) throws {}
}
