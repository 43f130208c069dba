import STContracts
import STDomain
import STPlatform
import STStore

/// Stores the watched activities, and the clock to which they were last advanced.
enum WatchedActivityTable {
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

    static let countsMigration = Migration(
        name: "activity counts",
        sql: """
            CREATE TABLE activity_counts (
                app TEXT NOT NULL, member TEXT NOT NULL, activity TEXT NOT NULL, body BLOB NOT NULL,
                PRIMARY KEY (app, member, activity)
            ) STRICT, WITHOUT ROWID;
            """
    )

    /// The drift from which the clock is saved again. A step of the clock is larger.
    private static let drift = Duration.milliseconds(250)

    static func load(_ database: Database) throws -> WatchedActivities {
        let sql = """
            SELECT activities.body, activity_counts.body FROM activities
            LEFT JOIN activity_counts USING (app, member, activity)
            """
        return WatchedActivities(
            try database.query(sql) { row in
                var activity = try WatchedActivity.decodedBody(try row.blob(0))
                if let counts = try row.optionalBlob(1) {
                    try ActivityCounts.decodedBody(counts).restore(&activity.events)
                }
                return activity
            },
            clock: try database.first("SELECT body FROM book_clock") {
                try ActivityClock.decodedBody(try $0.blob(0))
            }
        )
    }

    static func save(_ book: inout WatchedActivities, _ database: Database) throws {
        for (key, isCountOnly) in book.drainChanges() {
            guard let activity = book[key] else {
                for table in ["activities", "activity_counts"] {
                    try database.run(
                        "DELETE FROM \(table) WHERE app = ? AND member = ? AND activity = ?",
                        keyValues(key)
                    )
                }
                continue
            }
            let counts = ActivityCounts(activity.events)
            try upsert("activity_counts", key: key, body: try counts.encodedBody(), database: database)
            if !isCountOnly {
                try upsert("activities", key: key, body: try activity.encodedBody(), database: database)
            }
        }
        try saveClock(&book, database)
    }

    private static func keyValues(_ key: ActivityKey) -> [SQLValue] {
        [.text(key.app), .text(key.member), .text(key.activity)]
    }

    private static func upsert(_ table: String, key: ActivityKey, body: [UInt8], database: Database) throws {
        try database.run(
            """
            INSERT INTO \(table) (app, member, activity, body) VALUES (?, ?, ?, ?)
            ON CONFLICT (app, member, activity) DO UPDATE SET body = excluded.body
            """,
            keyValues(key) + [.blob(body)]
        )
    }

    private static func saveClock(_ book: inout WatchedActivities, _ database: Database) throws {
        guard let clock = book.clock, book.activities.isEmpty == false || book.savedClock != nil else {
            return
        }
        if let saved = book.savedClock, saved.bootId == clock.bootId, saved.zone == clock.zone,
            abs(saved.offsetMs - clock.offsetMs) < drift.ms
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

/// The counted usage of one activity's events, in the order of its events.
///
/// Each observation saves it, so it is small: it has columns, is separate from the activity, and stores equal evidence of several
/// events once.
struct ActivityCounts: WireBody, Codable, Equatable {
    /// The evidence of the usage that an event has counted.
    struct Shown: Codable, Equatable {
        var parts: [EvidencePart]
        var more: Int64
    }

    private var usedMs: [Int64] = []
    private var carriedMs: [Int64] = []
    private var marks: [Int64] = []
    /// The index in `shown` of each event's evidence.
    private var place: [Int] = []
    private var shown: [Shown] = []
    /// By the index of the event. `nil` in rows of an older version, and if no event needs it.
    private var counted: [Int: CountedUntil]?

    private static let reached: Int64 = 1
    private static let warned: Int64 = 2
    private static let comparedSelections = 4

    init(_ events: [WatchedEvent]) {
        for (index, event) in events.enumerated() {
            if let until = event.counted { counted = (counted ?? [:]).merging([index: until]) { $1 } }
            usedMs.append(event.progress.usedMs)
            carriedMs.append(event.carried.ms)
            marks.append(
                (event.progress.reached ? Self.reached : 0) + (event.progress.warned ? Self.warned : 0)
            )
            let own = Shown(parts: event.parts, more: event.more)
            // Usually several thresholds have the same selection, and are next to each other.
            if let known = shown.indices.suffix(Self.comparedSelections).last(where: { shown[$0] == own }) {
                place.append(known)
            } else {
                place.append(shown.count)
                shown.append(own)
            }
        }
    }

    /// Restores the counted usage of events that were read without it.
    func restore(_ events: inout [WatchedEvent]) throws {
        let isWhole = [usedMs.count, carriedMs.count, marks.count, place.count].allSatisfy {
            $0 == events.count
        }
        guard isWhole, place.allSatisfy(shown.indices.contains) else {
            throw Problem(
                "store.corrupt",
                """
                The stored usage of an activity does not match its events. Restore a backup with `screentime \
                data restore FOLDER`.
                """
            )
        }
        for index in events.indices {
            let own = shown[place[index]]
            events[index].restore(
                BudgetProgress(
                    usedMs: usedMs[index],
                    reached: marks[index] & Self.reached != 0,
                    warned: marks[index] & Self.warned != 0
                ),
                carried: .milliseconds(carriedMs[index]),
                parts: own.parts,
                more: own.more,
                counted: counted?[index]
            )
        }
    }
}
