import STContracts
import STPlatform
import STStore

/// The history of notifications.
enum NotifierStore {
    /// One app that talks all day must not push out what the others said.
    static let keptPerAppMax = 1_000
    /// Of all apps together, give or take `forgetEvery`.
    static let keptMax = 10_000
    /// Counting all of them costs too much to be done for each.
    private static let forgetEvery: Int64 = 100

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
        )
    ]

    private static let columns = "number, app, member, id, title, body, cause, posted_ms"

    static func members(_ database: Database) throws -> [Member] {
        try database.query("SELECT name, role FROM members ORDER BY position") { row in
            Member(name: try row.text(0), role: MemberRole(rawValue: try row.text(1)) ?? .unknown)
        }
    }

    static func save(_ member: Member, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO members (name, role) VALUES (?, ?)
            ON CONFLICT (name) DO UPDATE SET role = excluded.role
            """,
            [.text(member.name), .text(member.role.rawValue)]
        )
    }

    static func forgetMembers(_ database: Database) throws { try database.run("DELETE FROM members") }

    /// The one of the same app, person and id.
    static func find(like posted: PostedNotification, _ database: Database) throws -> PostedNotification? {
        try database.first(
            "SELECT \(columns) FROM notifications WHERE app = ? AND member = ? AND id = ?",
            [.text(posted.app), .text(posted.member), .text(posted.id)]
        ) { try notification($0) }
    }

    static func remove(_ number: Int64, _ database: Database) throws {
        try database.run("DELETE FROM notifications WHERE number = ?", [.integer(number)])
    }

    static func insert(_ posted: PostedNotification, _ database: Database) throws -> Int64 {
        let number = try database.first(
            """
            INSERT INTO notifications (app, member, id, title, body, cause, posted_ms)
            VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING number
            """,
            [
                .text(posted.app), .text(posted.member), .text(posted.id), .text(posted.title),
                .text(posted.body), SQLValue(posted.cause),
                .integer(RFC3339.wallMs(posted.postedAt) ?? 0),
            ]
        ) { try $0.int(0) }
        guard let number else {
            throw Problem("internal", "A notification got no number, please report this.")
        }
        return number
    }

    static func forgetOldest(after posted: PostedNotification, _ database: Database) throws {
        try database.run(
            """
            DELETE FROM notifications WHERE app = ?1 AND number <= (
                SELECT number FROM notifications WHERE app = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2
            )
            """,
            [.text(posted.app), SQLValue(keptPerAppMax)]
        )
        guard posted.number % forgetEvery == 0 else { return }
        try database.run(
            """
            DELETE FROM notifications WHERE number <= (
                SELECT number FROM notifications ORDER BY number DESC LIMIT 1 OFFSET ?
            )
            """,
            [SQLValue(keptMax)]
        )
    }

    static func list(_ request: NotifyList.Request, _ database: Database) throws -> NotifyList.Reply {
        guard let before = request.next.map({ Int64($0) }) ?? .max, before > 0 else {
            throw Problem("page.invalid", "Send back `next` exactly as the reply had it.", field: "/next")
        }
        guard (request.limit ?? 1) > 0 else {
            throw Problem("body.invalid", "A limit is at least 1.", field: "/limit")
        }
        let count = min(request.limit ?? Int64(BusLimits.pageRows), Int64(BusLimits.pageRows))
        var bytes = 0
        var isMore = false
        var rows: [PostedNotification] = []
        // One more than asked for, to know whether there is more.
        try database.scan(
            """
            SELECT \(columns) FROM notifications
            WHERE number < ?1 AND (?2 IS NULL OR app = ?2) AND (?3 IS NULL OR member = ?3)
            ORDER BY number DESC LIMIT ?4
            """,
            [.integer(before), SQLValue(request.app), SQLValue(request.member), .integer(count + 1)]
        ) { row in
            let posted = try notification(row)
            bytes += try posted.encodedBody().count
            isMore = Int64(rows.count) == count || !rows.isEmpty && bytes > BusLimits.pageBytes
            guard !isMore else { return false }
            rows.append(posted)
            return true
        }
        return NotifyList.Reply(
            notifications: rows,
            next: isMore ? rows.last.map { String($0.number) } : nil
        )
    }

    private static func notification(_ row: borrowing Row) throws -> PostedNotification {
        PostedNotification(
            number: try row.int(0),
            app: try row.text(1),
            member: try row.text(2),
            id: try row.text(3),
            title: try row.text(4),
            body: try row.text(5),
            cause: try row.optionalText(6),
            postedAt: RFC3339.text(wallMs: try row.int(7))
        )
    }
}
