import STContracts
import STStore

/// The activities watched, and the clock they were last brought up to.
enum ActivityTable {
    static let migration = Migration(
        name: "activities",
        sql: """
            CREATE TABLE activities (
                app TEXT NOT NULL, member TEXT NOT NULL, activity TEXT NOT NULL, body BLOB NOT NULL,
                PRIMARY KEY (app, member, activity)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE book_clock (only INTEGER PRIMARY KEY CHECK (only = 1), body BLOB NOT NULL) STRICT;
            """
    )

    /// How far the stored clock may be behind before it is written again: a step is told from less than this anyway.
    private static let driftMs: Int64 = 250

    static func load(_ database: Database) throws -> ActivityBook {
        ActivityBook(
            try database.query("SELECT body FROM activities") {
                try WatchedActivity.decodedBody(try $0.blob(0))
            },
            clock: try database.first("SELECT body FROM book_clock") {
                try BookClock.decodedBody(try $0.blob(0))
            }
        )
    }

    static func save(_ book: inout ActivityBook, _ database: Database) throws {
        for key in book.takeChanged() {
            let names: [SQLValue] = [.text(key.app), .text(key.member), .text(key.activity)]
            guard let activity = book[key] else {
                try database.run(
                    "DELETE FROM activities WHERE app = ? AND member = ? AND activity = ?",
                    names
                )
                continue
            }
            try database.run(
                """
                INSERT INTO activities (app, member, activity, body) VALUES (?, ?, ?, ?)
                ON CONFLICT (app, member, activity) DO UPDATE SET body = excluded.body
                """,
                names + [.blob(try activity.encodedBody())]
            )
        }
        try saveClock(&book, database)
    }

    private static func saveClock(_ book: inout ActivityBook, _ database: Database) throws {
        guard let clock = book.clock, book.activities.isEmpty == false || book.savedClock != nil else {
            return
        }
        if let saved = book.savedClock, saved.bootId == clock.bootId, saved.zone == clock.zone,
            abs(saved.offsetMs - clock.offsetMs) < driftMs
        {
            return
        }
        book.savedClock = clock
        try database.run(
            """
            INSERT INTO book_clock (only, body) VALUES (1, ?)
            ON CONFLICT (only) DO UPDATE SET body = excluded.body
            """,
            [.blob(try clock.encodedBody())]
        )
    }
}
