import STContracts
import STEngine
import STFollowing
import STPlatform
import STStore

/// The numbers of notifications that apps have shown, and their times.
///
/// There is one row per member, app, device and moment, so that a repeated import finds it.
enum NotificationTable {
    static let migration = Migration(
        name: "notifications",
        sql: """
            CREATE TABLE notifications (
                number INTEGER PRIMARY KEY AUTOINCREMENT, member TEXT NOT NULL, app TEXT NOT NULL,
                count INTEGER NOT NULL, wall_ms INTEGER NOT NULL, zone TEXT NOT NULL, device TEXT NOT NULL
            ) STRICT;
            CREATE UNIQUE INDEX notifications_by_time ON notifications (member, wall_ms, app, device);
            """
    )

    static let retoldMigration = Migration(
        name: "notifications told by rows",
        sql: """
            INSERT INTO event_rows (event, source, row)
                SELECT sequence, 1, CAST(substr(subject, 10) AS INTEGER) FROM events
                WHERE stream = 'usage' AND type = 'usage.notified';
            """
    )

    /// Rebuilds the old events about rows from the rows.
    static let rebuiltEvents = DerivedEvents(UsageNotified.self) { database, first, last in
        try database.query(
            // Rows: a page.
            "SELECT \(columns) FROM notifications WHERE number BETWEEN ? AND ? ORDER BY number",
            [.integer(first), .integer(last)]
        ) { row in
            let number = try row.int(0)
            let count = try Self.row(row)
            return DerivedEvents.Row(
                row: number,
                subject: subject(number),
                timeMs: count.wallMs,
                body: try count.encodedBody()
            )
        }
    }

    /// Upper bound on the shift between counts of one app in the same millisecond, which are stored one after the other.
    private static let apartMsMax: Int64 = 1_000

    private static let columns = "number, member, app, count, wall_ms, zone, device"

    /// Adds the counts of an observation.
    static func record(_ seen: Observation, _ change: StoreTransaction) throws {
        for (app, count) in (seen.notifications ?? [:]).sorted(by: { $0.key < $1.key }) {
            var row = NotificationCount(
                member: seen.member,
                app: app,
                count: count,
                wallMs: seen.wallMs,
                zone: seen.zone
            )
            if try add(row, change) { continue }
            row.wallMs = try nextFree(row, change.database)
            _ = try add(row, change)
        }
    }

    /// Adds a row. Returns false if it already exists.
    static func add(_ row: NotificationCount, _ change: StoreTransaction) throws -> Bool {
        let number = try change.database.first(
            """
            INSERT INTO notifications (member, app, count, wall_ms, zone, device) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING RETURNING number
            """,
            [
                .text(row.member), .text(row.app), .integer(row.count), .integer(row.wallMs),
                .text(row.zone), .text(row.device ?? ""),
            ]
        ) { try $0.int(0) }
        guard let number else { return false }
        try change.emit(UsageNotified.self, subject: subject(number), row: number, row)
        return true
    }

    static func contains(_ row: NotificationCount, _ database: Database) throws -> Bool {
        try database.first(
            "SELECT 1 FROM notifications WHERE member = ? AND wall_ms = ? AND app = ? AND device = ?",
            [.text(row.member), .integer(row.wallMs), .text(row.app), .text(row.device ?? "")]
        ) { try $0.int(0) } != nil
    }

    static func page(_ request: UsageNotifications.Request, state: ActivityState, database: Database)
        throws
        -> UsageNotifications.Reply
    {
        guard let start = Int64(request.next ?? "0"), start >= 0 else {
            throw Problem("page.invalid", "Send `next` exactly as it was in the reply.", field: "/next")
        }
        if let member = request.member, !state.household.contains(member) {
            throw Household.unknownMemberProblem(member)
        }
        var rows: [NotificationCount] = []
        var last = start
        var bytes = 0
        var isMore = false
        try database.scan(
            // Rows: a page; of a member also those of the others between.
            """
            SELECT \(columns) FROM notifications WHERE number > ?1 AND (?2 IS NULL OR member = ?2)
            ORDER BY number LIMIT ?3
            """,
            [.integer(start), SQLValue(request.member), SQLValue(BusLimits.pageRows + 1)]
        ) { row in
            let count = try Self.row(row)
            bytes += try count.encodedBody().count
            isMore = rows.count == BusLimits.pageRows || !rows.isEmpty && bytes > BusLimits.pageBytes
            guard !isMore else { return false }
            rows.append(count)
            last = try row.int(0)
            return true
        }
        return UsageNotifications.Reply(rows: rows, next: isMore ? String(last) : nil)
    }

    struct Deletion {
        /// The subjects of the deleted rows' events.
        var subjects: [String]
        var devices: [String]
        var more: Bool
    }

    /// Deletes the counts in a range of time.
    static func delete(
        of member: String,
        _ range: Range<Int64>,
        limit: Int,
        _ database: Database
    ) throws -> Deletion {
        let found = try database.query(
            // Rows: those of the range that a person deletes, a page at a time.
            "SELECT number, device FROM notifications WHERE member = ? AND wall_ms >= ? AND wall_ms < ? LIMIT ?",
            [.text(member), .integer(range.lowerBound), .integer(range.upperBound), SQLValue(limit + 1)]
        ) { (number: try $0.int(0), device: try $0.text(1)) }
        let those = found.prefix(limit)
        for each in those {
            try database.run("DELETE FROM notifications WHERE number = ?", [.integer(each.number)])
        }
        return Deletion(
            subjects: those.map { subject($0.number) },
            devices: those.map(\.device).filter { !$0.isEmpty },
            more: found.count > limit
        )
    }

    private static func nextFree(_ row: NotificationCount, _ database: Database) throws -> Int64 {
        let latest = try database.first(
            // Rows: those of the time by which one import moves them.
            """
            SELECT max(wall_ms) FROM notifications
            WHERE member = ?1 AND wall_ms BETWEEN ?2 AND ?3 AND app = ?4 AND device = ''
            """,
            [
                .text(row.member), .integer(row.wallMs), .integer(row.wallMs + apartMsMax), .text(row.app),
            ]
        ) { try $0.int(0) }
        return (latest ?? row.wallMs) + 1
    }

    /// Returns the subject of a row's event. Numbers are not reused, and no segment has a name of two parts.
    private static func subject(_ number: Int64) -> String { "notified/\(number)" }

    private static func row(_ row: borrowing Row) throws -> NotificationCount {
        let device = try row.text(6)
        return NotificationCount(
            member: try row.text(1),
            app: try row.text(2),
            count: try row.int(3),
            wallMs: try row.int(4),
            zone: try row.text(5),
            device: device.isEmpty ? nil : device
        )
    }
}
