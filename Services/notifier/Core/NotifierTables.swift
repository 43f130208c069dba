import STContracts
import STFollowing
import STPlatform
import STStore

enum NotifierTables {
    /// Upper bound on the notifications of one app, so that a busy app does not displace those of other apps.
    static let keptPerAppMax = 1_000
    /// Upper bound on the notifications of all apps together. It can be exceeded by `forgetEvery`.
    static let keptMax = 10_000
    /// Number of new notifications between two checks of `keptMax`, because counting all rows for each would be too slow.
    static let forgetEvery: Int64 = 100
    /// Upper bound on the waiting notifications of one app. A person does not read more of them when a desktop appears.
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
        Household.accountsMigration,
    ]

    /// The rare fields, stored in one column.
    private struct Detail: WireBody, Codable {
        var actions: [NotifyAction]?
        var urgency: NotifyUrgency?
        var hasSound: Bool?
        var trigger: NotifyTrigger?
        var answer: NotifyAnswered?
        var lastMs: Int64?
        /// A note with a translation. The column `note` has its English text.
        var note: Message?

        init(_ notice: Notice) {
            let posted = notice.posted
            lastMs = notice.due?.last?.ms
            actions = posted.actions
            urgency = posted.urgency
            hasSound = posted.hasSound
            trigger = posted.trigger
            answer = posted.answer
            note = posted.note.flatMap { $0.key.isEmpty ? nil : $0 }
        }

        /// The value of the column, which is null in most rows.
        var value: SQLValue {
            get throws {
                let isEmpty =
                    actions == nil && urgency == nil && hasSound == nil && trigger == nil && answer == nil
                    && note == nil
                return isEmpty ? .null : .blob(try encodedBody())
            }
        }
    }

    static let columns = """
        number, app, member, id, title, body, cause, posted_ms, state, note, detail, due_ms, due_boot_ms, boot_id, \
        waiting_ms, shown_ms, via, attempts, screen, screen_owner, is_closing, replaced
        """

    // MARK: - One

    /// Inserts a notification and returns its number.
    static func insert(_ notice: Notice, _ database: Database) throws -> Int64 {
        let posted = notice.posted
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
            throw Problem(
                "internal",
                "A notification got no number; please report this.",
                key: "internal.a-notification-got"
            )
        }
        var saved = notice
        saved.posted.number = number
        try save(saved, database)
        return number
    }

    /// Saves everything except the text, which never changes.
    static func save(_ notice: Notice, _ database: Database) throws {
        let posted = notice.posted
        try database.run(
            """
            UPDATE notifications SET state = ?, note = ?, detail = ?, due_ms = ?, due_boot_ms = ?, boot_id = ?,
                waiting_ms = ?, shown_ms = ?, via = ?, attempts = ?, screen = ?, screen_owner = ?, is_closing = ?,
                replaced = ? WHERE number = ?
            """,
            [
                .text(notice.state.rawValue), SQLValue(posted.note?.english),
                try Detail(notice).value, SQLValue(notice.due?.wall.ms),
                SQLValue(notice.due?.boot?.ms), SQLValue(notice.due?.bootID),
                SQLValue(notice.waitingSince?.ms),
                SQLValue(posted.shownAt.flatMap(RFC3339.wallMs)), SQLValue(posted.via?.rawValue),
                .integer(posted.attempts ?? 0), SQLValue(notice.screen?.id), SQLValue(notice.screen?.owner),
                SQLValue(notice.isClosing), SQLValue(notice.replaced), .integer(posted.number),
            ]
        )
    }

    static func remove(_ number: Int64, _ database: Database) throws {
        try database.run("DELETE FROM notifications WHERE number = ?", [.integer(number)])
    }

    static func find(_ number: Int64, _ database: Database) throws -> Notice? {
        try first("number = ?", values: [.integer(number)], database: database)
    }

    /// Finds the notification with the same app, person and id.
    static func find(like posted: PostedNotification, _ database: Database) throws -> Notice? {
        try first(
            "app = ? AND member = ? AND id = ?",
            values: [.text(posted.app), .text(posted.member), .text(posted.id)],
            database: database
        )
    }

    static func find(_ screen: NoticeScreen, _ database: Database) throws -> Notice? {
        try first(
            "screen = ? AND screen_owner = ? ORDER BY number DESC",
            values: [.integer(screen.id), .text(screen.owner)],
            database: database
        )
    }

    static func find(replacing number: Int64, _ database: Database) throws -> Notice? {
        try first("replaced = ? ORDER BY number DESC", values: [.integer(number)], database: database)
    }

    private static func first(_ condition: String, values: [SQLValue], database: Database) throws
        -> Notice?
    {
        // Rows: as many as an index of what is asked for holds, at most the 1,000 of an app; the callers take the first.
        try database.first("SELECT \(columns) FROM notifications WHERE \(condition)", values) {
            try notice($0)
        }
    }

    // MARK: - Many

    static func all(_ state: NotifyState, _ database: Database) throws -> [Notice] {
        try list("state = ? ORDER BY number", values: [.text(state.rawValue)], database: database)
    }

    /// Returns a waiting notification that exceeds the limit, because the app has `waitingPerAppMax` newer ones.
    static func surplus(of app: String, _ database: Database) throws -> Notice? {
        try first(
            "state = 'waiting' AND app = ? ORDER BY number DESC LIMIT 1 OFFSET ?",
            values: [.text(app), SQLValue(NotifierTables.waitingPerAppMax)],
            database: database
        )
    }

    static func withDue(_ database: Database) throws -> [Notice] {
        try list("due_ms IS NOT NULL ORDER BY +number", values: [], database: database)
    }

    static func scheduledCount(of app: String, _ database: Database) throws -> Int64 {
        try database.first(
            // Rows: the scheduled ones of an app.
            "SELECT count(*) FROM notifications WHERE due_ms IS NOT NULL AND app = ?",
            [.text(app)]
        ) { try $0.int(0) } ?? 0
    }

    static func of(app: String, member: String, _ database: Database) throws -> [Notice] {
        try list(
            "app = ? AND member = ? ORDER BY number",
            values: [.text(app), .text(member)],
            database: database
        )
    }

    /// Returns the first waiting notification that is not in `except`.
    static func nextWaiting(except: Set<Int64>, _ database: Database) throws -> Int64? {
        var found: Int64?
        // Rows: the waiting ones that are under way, and one more.
        try database.scan("SELECT number FROM notifications WHERE state = 'waiting' ORDER BY number", []) {
            row in
            let number = try row.int(0)
            if except.contains(number) { return true }
            found = number
            return false
        }
        return found
    }

    /// Returns the moment since which the oldest waiting notification waits.
    static func oldestWaiting(_ database: Database) throws -> WallTime? {
        // Rows: the waiting ones, at most 100 of an app.
        try database.first("SELECT min(waiting_ms) FROM notifications WHERE state = 'waiting'") {
            try $0.optionalInt(0).map(WallTime.init)
        } ?? nil
    }

    static func nextClosing(on owner: String, _ database: Database) throws -> Notice? {
        try first(
            "screen IS NOT NULL AND is_closing = 1 AND screen_owner = ?",
            values: [.text(owner)],
            database: database
        )
    }

    /// Removes the screen places of other desktops, whose notifications are no longer shown.
    static func forgetScreens(except owner: String, _ database: Database) throws {
        try database.run(
            // Rows: those on the screen.
            """
            UPDATE notifications SET screen = NULL, screen_owner = NULL, is_closing = 0
            WHERE screen IS NOT NULL AND screen_owner <> ?
            """,
            [.text(owner)]
        )
    }

    static func counts(_ database: Database) throws -> [NotifyState: Int64] {
        let rows = try database.query(
            // Rows: at most the 10,000 that are kept, on a person's question.
            """
            SELECT state, count(*) FROM notifications WHERE state IN ('waiting', 'failed', 'uncertain') GROUP BY state
            """
        ) { (NotifyState(rawValue: try $0.text(0)) ?? .unknown, try $0.int(1)) }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    /// Deletes the oldest notifications that are over. Never deletes one that is still to be shown.
    static func forgetOldest(after posted: PostedNotification, _ database: Database) throws {
        let isOpen = "(state IN ('scheduled', 'waiting', 'sending') OR due_ms IS NOT NULL)"
        try database.run(
            // Rows: the 1,000 that are kept of an app.
            """
            DELETE FROM notifications WHERE app = ?1 AND NOT \(isOpen) AND number <= (
                SELECT number FROM notifications WHERE app = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2
            )
            """,
            [.text(posted.app), SQLValue(NotifierTables.keptPerAppMax)]
        )
        guard posted.number % NotifierTables.forgetEvery == 0 else { return }
        try database.run(
            // Rows: the 10,000 that are kept, now and then.
            """
            DELETE FROM notifications WHERE NOT \(isOpen) AND number <= (
                SELECT number FROM notifications ORDER BY number DESC LIMIT 1 OFFSET ?
            )
            """,
            [SQLValue(NotifierTables.keptMax)]
        )
    }

    private static func list(_ condition: String, values: [SQLValue], database: Database) throws
        -> [Notice]
    {
        // Rows: those that wait or are scheduled, or the 1,000 of an app.
        try database.query("SELECT \(columns) FROM notifications WHERE \(condition)", values) {
            try notice($0)
        }
    }

    static func notice(_ row: borrowing Row) throws -> Notice {
        let detail = try row.optionalBlob(10).map { try Detail.decodedBody($0) }
        let dueMs = try row.optionalInt(11)
        let attempts = try row.int(17)
        let note = try row.optionalText(9)
        let posted = PostedNotification(
            number: try row.int(0),
            app: try row.text(1),
            member: try row.text(2),
            id: try row.text(3),
            title: try row.text(4),
            body: try row.text(5),
            cause: try row.optionalText(6),
            postedAt: RFC3339.text(wallMs: try row.int(7)),
            actions: detail?.actions,
            urgency: detail?.urgency,
            hasSound: detail?.hasSound,
            state: NotifyState(rawValue: try row.text(8)) ?? .unknown,
            note: detail?.note ?? note.map { Message(verbatim: $0) },
            dueAt: dueMs.map { RFC3339.text(wallMs: $0) },
            shownAt: try row.optionalInt(15).map { RFC3339.text(wallMs: $0) },
            via: try row.optionalText(16).flatMap(NotifyVia.init(rawValue:)),
            attempts: attempts > 0 ? attempts : nil,
            answer: detail?.answer,
            trigger: detail?.trigger
        )
        var notice = Notice(posted: posted)
        let due = (boot: try row.optionalInt(12).map(BootTime.init), bootID: try row.optionalText(13))
        let last = detail?.lastMs.map(WallTime.init)
        notice.due = dueMs.map {
            NoticeDue(wall: WallTime(ms: $0), boot: due.boot, bootID: due.bootID, last: last)
        }
        notice.waitingSince = try row.optionalInt(14).map(WallTime.init)
        if let id = try row.optionalInt(18), let owner = try row.optionalText(19) {
            notice.screen = NoticeScreen(id: id, owner: owner)
        }
        notice.isClosing = try row.bool(20)
        notice.replaced = try row.optionalInt(21)
        return notice
    }

    static func page(_ request: NotifyList.Request, waitingNote: Message?, database: Database) throws
        -> NotifyList.Reply
    {
        guard let before = request.next.map({ Int64($0) }) ?? .max, before > 0 else {
            throw Problem("page.invalid", "Send `next` exactly as it was in the reply.", field: "/next")
        }
        guard (request.limit ?? 1) > 0 else {
            throw Problem(
                "body.invalid",
                "The limit must be at least 1.",
                key: "body.invalid.a-limit-is",
                field: "/limit"
            )
        }
        let count = min(request.limit ?? Int64(BusLimits.pageRows), Int64(BusLimits.pageRows))
        let state = try request.state?.required("/state")
        var bytes = 0
        var isMore = false
        var rows: [PostedNotification] = []
        // One more than requested, to find out if there are more.
        try database.scan(
            // Rows: a page, and those between, at most the 10,000 that are kept, on a person's question.
            """
            SELECT \(columns) FROM notifications
            WHERE number < ?1 AND (?2 IS NULL OR app = ?2) AND (?3 IS NULL OR member = ?3)
                AND (?4 IS NULL OR (?4 <> 'scheduled' AND state = ?4) OR (?4 = 'scheduled' AND due_ms IS NOT NULL))
                AND (?5 IS NULL OR number = ?5)
            ORDER BY number DESC LIMIT ?6
            """,
            [
                .integer(before), SQLValue(request.app), SQLValue(request.member), SQLValue(state?.rawValue),
                SQLValue(request.number), .integer(count + 1),
            ]
        ) { row in
            var posted = try notice(row).posted
            if posted.state == .waiting, posted.note == nil { posted.note = waitingNote }
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
}
