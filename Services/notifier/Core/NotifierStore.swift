import STFollowing
import STStore

/// The tables of the notifier, and who can be told.
enum NotifierStore {
    /// One app that talks all day must not push out what the others said.
    static let keptPerAppMax = 1_000
    /// Of all apps together, give or take `forgetEvery`.
    static let keptMax = 10_000
    /// Counting all of them costs too much to be done for each.
    static let forgetEvery: Int64 = 100
    /// Of one app that wait to be shown: nobody reads more than that at once, when a desktop comes.
    static let waitingPerAppMax = 100

    static let migrations = [
        Migration(
            name: "notifications",
            sql: """
                CREATE TABLE notifications (
                    -- Never given twice, or a reader who goes on from a number could miss one.
                    number INTEGER PRIMARY KEY AUTOINCREMENT, app TEXT NOT NULL,
                    member TEXT NOT NULL, id TEXT NOT NULL, title TEXT NOT NULL, body TEXT NOT NULL, cause TEXT,
                    posted_ms INTEGER NOT NULL, UNIQUE (app, member, id)
                ) STRICT;
                CREATE TABLE members (
                    position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, role TEXT NOT NULL
                ) STRICT;
                CREATE INDEX notifications_of_app ON notifications (app, number);
                """
        ),
        Migration(
            name: "delivery",
            sql: """
                -- What was posted before there was a delivery has been told where it was told: nobody tells it again.
                ALTER TABLE notifications ADD COLUMN state TEXT NOT NULL DEFAULT 'shown';
                ALTER TABLE notifications ADD COLUMN note TEXT;
                ALTER TABLE notifications ADD COLUMN detail BLOB;
                ALTER TABLE notifications ADD COLUMN due_ms INTEGER;
                ALTER TABLE notifications ADD COLUMN due_boot_ms INTEGER;
                ALTER TABLE notifications ADD COLUMN boot_id TEXT;
                ALTER TABLE notifications ADD COLUMN waiting_ms INTEGER;
                ALTER TABLE notifications ADD COLUMN shown_ms INTEGER;
                ALTER TABLE notifications ADD COLUMN via TEXT;
                ALTER TABLE notifications ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE notifications ADD COLUMN screen INTEGER;
                ALTER TABLE notifications ADD COLUMN screen_owner TEXT;
                ALTER TABLE notifications ADD COLUMN is_closing INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE notifications ADD COLUMN replaced INTEGER;
                CREATE INDEX notifications_by_state ON notifications (state, number);
                CREATE INDEX notifications_waiting ON notifications (app, number) WHERE state = 'waiting';
                CREATE INDEX notifications_due ON notifications (app) WHERE due_ms IS NOT NULL;
                CREATE INDEX notifications_on_screen ON notifications (screen) WHERE screen IS NOT NULL;
                CREATE INDEX notifications_replacing ON notifications (replaced) WHERE replaced IS NOT NULL;
                """
        ),
        Household.migration(former: "SELECT name, role FROM members ORDER BY position", table: "members"),
    ]
}
