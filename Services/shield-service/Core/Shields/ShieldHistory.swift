import STContracts
import STEngine
import STPlatform
import STStore

/// A shield that was shown, with the data that its buttons need.
struct ShieldRecord {
    var number: Int64 = 0
    var shown: ShownShield
    /// The app that owns the shield.
    var app: String
    /// True if the buttons belong to the app, false if they belong to the system.
    var hasOwnButtons: Bool
    var target: ShieldTarget
    var buttons: Set<ShieldButton>
    /// Number of the last press. 0 if there was none.
    var press: Int64 = 0
    var attempt: Int64 = 0
    /// The reply to the last press. `nil` before the reply, and after it was deleted.
    var answer: ShieldPress.Reply?

    /// Returns the buttons that a person sees.
    static func buttons(of look: ShieldAppearance) -> Set<ShieldButton> {
        var buttons: Set<ShieldButton> = []
        if look.primary != nil { buttons.insert(.primary) }
        guard look.secondary != nil else { return buttons }
        buttons.insert(.secondary)
        return buttons.union(ShieldButton.menu.prefix(look.submenu.count))
    }

    /// Returns true if this press already has an answer.
    ///
    /// Throws if the press does not fit this shield.
    func isAnswered(_ request: ShieldPress.Request) throws -> Bool {
        let button = try request.button.required("/button")
        guard request.press > press || (request.press == press && shown.button == button) else {
            throw Problem(
                "shield.answered",
                """
                Press \(request.press, "press") of this shield was already answered. Continue counting from \
                \(press, "press2").
                """,
                field: "/press",
                details: ["press": String(press)]
            )
        }
        guard request.press > press else {
            if answer == nil, shown.response != nil {
                throw Problem(
                    "shield.answered",
                    "The answer to that press is no longer stored. Continue counting from \(press, "press").",
                    key: "shield.answered.the-answer-to",
                    field: "/press"
                )
            }
            return answer != nil
        }
        guard request.press <= Self.pressMax else {
            throw Problem(
                "body.invalid",
                "The number of the press is too large. Count presses from 1.",
                key: "body.invalid.a-press-is",
                field: "/press"
            )
        }
        guard buttons.contains(button) else {
            let known = buttons.map(\.rawValue).sorted().joined(separator: ", ")
            throw Problem(
                "shield.no_button",
                "That shield shows no such button. It shows: \(known, "known").",
                field: "/button"
            )
        }
        return false
    }

    private static let pressMax: Int64 = 1_000_000
}

/// The shields that were shown, and the presses of their buttons.
enum ShieldHistory {
    static let migration = Migration(
        name: "shields shown",
        sql: """
            CREATE TABLE shields (
                number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, member TEXT NOT NULL,
                app TEXT, domain TEXT, category TEXT NOT NULL, causes BLOB NOT NULL, policy INTEGER NOT NULL,
                segment TEXT, wall_ms INTEGER NOT NULL, drawer TEXT NOT NULL, is_own INTEGER NOT NULL,
                target BLOB NOT NULL, buttons TEXT NOT NULL, press INTEGER NOT NULL DEFAULT 0,
                attempt INTEGER NOT NULL DEFAULT 0, pressed INTEGER NOT NULL DEFAULT 0, button TEXT,
                response TEXT, answer BLOB
            ) STRICT;
            CREATE INDEX shields_of_member ON shields (member, number);
            CREATE INDEX shields_answered ON shields (number) WHERE answer IS NOT NULL;
            """
    )

    /// The index for the counts of a list, which then needs no wide rows.
    static let countsMigration = Migration(
        name: "shields counted",
        sql: "CREATE INDEX shields_counted ON shields (app, domain, member, wall_ms, pressed)"
    )

    /// Upper bound on the stored shields. The oldest are deleted.
    static let shieldsMax: Int64 = 5_000
    /// Number of the newest shields that keep their replies, because a press of a button can be sent twice.
    static let answersMax: Int64 = 200
    static let pageMax: Int64 = 200
    static let countsMax = 200
    private static let trimEvery: Int64 = 100

    private static let columns = """
        number, id, member, app, domain, category, causes, policy, segment, wall_ms, drawer, is_own, target,
        buttons, press, attempt, button, response, answer
        """

    static func insert(_ record: ShieldRecord, _ database: Database) throws {
        let shown = record.shown
        try database.run(
            """
            INSERT INTO shields (id, member, app, domain, category, causes, policy, segment, wall_ms, drawer,
                is_own, target, buttons)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(shown.shield), .text(shown.member), SQLValue(shown.subject.app),
                SQLValue(shown.subject.domain), .text(shown.category),
                .blob(try StoredCauses(causes: shown.causes, more: shown.more).encodedBody()),
                .integer(shown.policy),
                SQLValue(shown.segment), .integer(shown.wallMs), .text(record.app),
                SQLValue(record.hasOwnButtons), .blob(try record.target.encodedBody()),
                .text(text(record.buttons)),
            ]
        )
        let number = try database.first("SELECT last_insert_rowid()") { try $0.int(0) } ?? 0
        guard number % trimEvery == 0 else { return }
        // Rows: the surplus ones.
        try database.run("DELETE FROM shields WHERE number <= ?", [.integer(number - shieldsMax)])
        try database.run(
            // Rows: the surplus ones.
            "UPDATE shields SET answer = NULL WHERE answer IS NOT NULL AND number <= ?",
            [.integer(number - answersMax)]
        )
    }

    static func find(_ id: String, _ database: Database) throws -> ShieldRecord {
        let found = try database.first("SELECT \(columns) FROM shields WHERE id = ?", [.text(id)]) {
            try read($0)
        }
        guard let found else {
            throw Problem(
                "shield.unknown",
                "There is no such shield, or it is so old that it is no longer stored.",
                field: "/shield",
                help: "screentime shield list"
            )
        }
        return found
    }

    /// Returns the last shield up to `end` for this app or site, or for anything of the category.
    static func last(
        _ subject: ShieldSubject,
        of member: String,
        until end: WallTime,
        _ database: Database
    ) throws -> ShownShield? {
        let (column, name) =
            if let domain = subject.domain { ("domain", domain) } else if let app = subject.app {
                ("app", app)
            } else { ("category", subject.category ?? "") }
        return try database.first(
            // Rows: the shields of a member back to the one, at most 5,000.
            """
            SELECT \(columns) FROM shields WHERE member = ? AND \(column) = ? AND wall_ms <= ?
            ORDER BY number DESC LIMIT 1
            """,
            [.text(member), .text(name), .integer(end.ms)]
        ) { try read($0).shown }
    }

    /// Saves a press before an extension is called.
    static func begin(_ record: ShieldRecord, _ database: Database) throws {
        try database.run(
            "UPDATE shields SET press = ?, attempt = ?, button = ?, response = NULL, answer = NULL WHERE number = ?",
            [
                .integer(record.press), .integer(record.attempt), SQLValue(record.shown.button?.rawValue),
                .integer(record.number),
            ]
        )
    }

    static func finish(_ record: ShieldRecord, _ database: Database) throws {
        try database.run(
            """
            UPDATE shields SET press = ?, button = ?, response = ?, answer = ?, buttons = ?, is_own = ?,
                pressed = pressed + 1 WHERE number = ?
            """,
            [
                .integer(record.press), SQLValue(record.shown.button?.rawValue),
                SQLValue(record.shown.response?.rawValue), SQLValue(try record.answer?.encodedBody()),
                .text(text(record.buttons)), SQLValue(record.hasOwnButtons), .integer(record.number),
            ]
        )
    }

    private static func read(_ row: borrowing Row) throws -> ShieldRecord {
        let wallMs = try row.int(9)
        let stored = try StoredCauses.decodedBody(try row.blob(6))
        let shown = ShownShield(
            shield: try row.text(1),
            member: try row.text(2),
            subject: ShieldSubject(app: try row.optionalText(3), domain: try row.optionalText(4)),
            category: try row.text(5),
            policy: try row.int(7),
            causes: stored.causes,
            more: stored.more,
            segment: try row.optionalText(8),
            shownAt: RFC3339.text(wallMs: wallMs),
            wallMs: wallMs,
            button: try row.optionalText(16).flatMap(ShieldButton.init),
            response: try row.optionalText(17).flatMap(ShieldResponse.init)
        )
        let buttons = try row.text(13).split(separator: " ").compactMap { ShieldButton(rawValue: String($0)) }
        return ShieldRecord(
            number: try row.int(0),
            shown: shown,
            app: try row.text(10),
            hasOwnButtons: try row.bool(11),
            target: try ShieldTarget.decodedBody(try row.blob(12)),
            buttons: Set(buttons),
            press: try row.int(14),
            attempt: try row.int(15),
            answer: try row.optionalBlob(18).map { try ShieldPress.Reply.decodedBody($0) }
        )
    }

    private static func text(_ buttons: Set<ShieldButton>) -> String {
        buttons.map(\.rawValue).sorted().joined(separator: " ")
    }

    // MARK: - Lists

    static func list(_ request: ShieldList.Request, _ database: Database) throws -> ShieldList.Reply {
        let limit = Int(min(max(1, request.limit ?? pageMax), pageMax))
        let below = try request.next.map { text -> Int64 in
            guard let number = Int64(text), number > 0 else {
                throw Problem(
                    "page.invalid",
                    "Send `next` exactly as it was in the reply.",
                    field: "/next"
                )
            }
            return number
        }
        let range = Range(request)
        let found = try database.query(
            // Rows: a page, and those of others between, at most 5,000.
            "SELECT \(columns) FROM shields WHERE \(range.conditions) AND number < ? ORDER BY number DESC LIMIT ?",
            range.values + [.integer(below ?? .max), SQLValue(limit + 1)]
        ) { try read($0) }
        var shields: [ShownShield] = []
        var bytes = 0
        for record in found.prefix(limit) {
            bytes += try record.shown.encodedBody().count
            if bytes > BusLimits.pageBytes / 2, !shields.isEmpty { break }
            shields.append(record.shown)
        }
        let isMore = shields.count < found.count
        return ShieldList.Reply(
            shields: shields,
            counts: below == nil ? try counts(range, database) : [],
            next: isMore ? String(found[shields.count - 1].number) : nil
        )
    }

    private static func counts(_ range: Range, _ database: Database) throws -> [ShieldCount] {
        try database.query(
            // Rows: all, at most 5,000, for the first page of a list.
            """
            SELECT app, domain, count(*), sum(pressed) FROM shields INDEXED BY shields_counted WHERE \(range.conditions)
            GROUP BY app, domain ORDER BY count(*) DESC, app, domain LIMIT ?
            """,
            range.values + [SQLValue(countsMax)]
        ) { row in
            ShieldCount(
                subject: ShieldSubject(app: try row.optionalText(0), domain: try row.optionalText(1)),
                shown: try row.int(2),
                pressed: try row.int(3)
            )
        }
    }

    /// The conditions of a list.
    private struct Range {
        var conditions = "1"
        var values: [SQLValue] = []

        init(_ request: ShieldList.Request) {
            if let member = request.member { add("member = ?", .text(member)) }
            if let from = request.fromWallMs { add("wall_ms >= ?", .integer(from)) }
            if let to = request.toWallMs { add("wall_ms < ?", .integer(to)) }
        }

        private mutating func add(_ condition: String, _ value: SQLValue) {
            conditions += " AND " + condition
            values.append(value)
        }
    }
}

/// Causes in the form of a row.
private struct StoredCauses: WireBody, Codable {
    var causes: [ShieldCauseBody]
    var more: Int64?
}

/// Deletes the shields of a period that a person deleted: their rows and their events.
enum ForgottenShields {
    static func strip(_ body: EvidenceForgotten.Body, _ change: StoreTransaction) throws {
        let segments = Set(body.segments)
        func isForgotten(member: String, wall: WallTime, segment: String?) -> Bool {
            guard member == body.member else { return false }
            if let segment, segments.contains(segment) { return true }
            guard let from = body.fromWallMs, let to = body.toWallMs else { return false }
            return WallTime(ms: from) <= wall && wall < WallTime(ms: to)
        }
        let database = change.database
        var numbers: [Int64] = []
        try database.query(
            // Rows: the shields of a member, at most 5,000, when a person deletes their past.
            "SELECT number, wall_ms, segment FROM shields WHERE member = ?",
            [.text(body.member)]
        ) { row in
            let wall = WallTime(ms: try row.int(1))
            if isForgotten(member: body.member, wall: wall, segment: try row.optionalText(2)) {
                numbers.append(try row.int(0))
            }
        }
        for number in numbers {
            try database.run("DELETE FROM shields WHERE number = ?", [.integer(number)])
        }
        // Events are kept for longer than rows.
        var published: Set<String> = []
        try change.rewrite(.shield, types: [ShieldShown.type]) { bytes in
            let shown = try ShownShield.decodedBody(bytes)
            let wall = WallTime(ms: shown.wallMs)
            if isForgotten(member: shown.member, wall: wall, segment: shown.segment) {
                published.insert(shown.shield)
            }
            return nil
        }
        if !published.isEmpty {
            _ = try change.redact(published.sorted(), of: .shield, as: ShieldRedacted.self)
        }
        guard !numbers.isEmpty || !published.isEmpty else { return }
        try change.discardReplies(to: [ShieldShow.name, ShieldPress.name])
        try change.scrubAfterCommit()
    }
}
