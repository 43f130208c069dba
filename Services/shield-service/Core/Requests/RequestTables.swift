import STBus
import STContracts
import STCrypto
import STPlatform
import STStore

enum RequestTable {
    static let migration = Migration(
        name: "requests",
        sql: """
            CREATE TABLE requests (number INTEGER PRIMARY KEY, request BLOB NOT NULL) STRICT;
            CREATE TABLE request_rules (member TEXT PRIMARY KEY, rule BLOB NOT NULL) STRICT;
            CREATE TABLE request_days (
                member TEXT NOT NULL, day TEXT NOT NULL, granted INTEGER NOT NULL, PRIMARY KEY (member, day)
            ) STRICT;
            CREATE TABLE request_keys (
                member TEXT PRIMARY KEY, secret BLOB NOT NULL, last_step INTEGER NOT NULL, wrong INTEGER NOT NULL,
                wrong_boot_ms INTEGER NOT NULL, wrong_boot_id TEXT NOT NULL, clock BLOB NOT NULL
            ) STRICT;
            CREATE TABLE request_attempts (
                id INTEGER PRIMARY KEY AUTOINCREMENT, member TEXT NOT NULL, request TEXT NOT NULL,
                wall_ms INTEGER NOT NULL, uid INTEGER NOT NULL, pid INTEGER NOT NULL
            ) STRICT;
            """
    )

    private static let last = "requests/last"
    private static let clock = "requests/clock"

    static func load(into state: inout ShieldState, _ database: Database) throws {
        var book = MoreTimeRequests()
        // Rows: all, at most 200 answered ones, at the start.
        let requests = try database.query("SELECT request FROM requests") {
            try MoreTimeRequest.decodedBody(try $0.blob(0))
        }
        for request in requests { book.requests[request.number] = request }
        try database.query("SELECT member, rule FROM request_rules") {
            book.rules[try $0.text(0)] = try CustomRequestRule.decodedBody(try $0.blob(1))
        }
        // Rows: all, 31 of a member, at the start.
        try database.query("SELECT member, day, granted FROM request_days") {
            book.days[try $0.text(0), default: [:]][try $0.text(1)] = Int(try $0.int(2))
        }
        try database.query(
            "SELECT member, secret, last_step, wrong, wrong_boot_ms, wrong_boot_id, clock FROM request_keys"
        ) { row in
            var bytes = try row.blob(1)
            var key = CodeKey(try Secret(wiping: &bytes), try CodeClock.decodedBody(try row.blob(6)))
            key.lastStep = try row.int(2)
            key.wrongAttempts = try row.int(3)
            key.wrongBoot = BootTime(ms: try row.int(4))
            key.wrongBootID = try row.text(5)
            book.keys[try row.text(0)] = key
        }
        book.lastNumber = try MetaTable(database).get(last).flatMap { Int64($0) } ?? 0
        book.dayClock = try MetaTable(database).get(clock).map { try DayClock.decodedBody(Array($0.utf8)) }
        state.requests = book
        for request in book.requests.values where request.state == .granted {
            // The grant has no policy number of its own. The number of the last change comes from the saved changes.
            state.policy.apply(PolicyGrant(policy: 0, request: request.view, wallMs: request.askedMs))
        }
    }

    /// Saves the differences between two books.
    static func save(_ book: MoreTimeRequests, after old: MoreTimeRequests, _ database: Database) throws {
        for number in changed(old.requests, book.requests) {
            guard let request = book.requests[number] else {
                try database.run("DELETE FROM requests WHERE number = ?", [.integer(number)])
                continue
            }
            try database.run(
                "INSERT OR REPLACE INTO requests (number, request) VALUES (?, ?)",
                [.integer(number), .blob(try request.encodedBody())]
            )
        }
        for member in changed(old.rules, book.rules) {
            guard let rule = book.rules[member] else {
                try database.run("DELETE FROM request_rules WHERE member = ?", [.text(member)])
                continue
            }
            try database.run(
                "INSERT OR REPLACE INTO request_rules (member, rule) VALUES (?, ?)",
                [.text(member), .blob(try rule.encodedBody())]
            )
        }
        for member in changed(old.days, book.days) {
            try save(book.days[member] ?? [:], of: member, database)
        }
        for member in changed(old.keys, book.keys) {
            guard let key = book.keys[member] else {
                try database.run("DELETE FROM request_keys WHERE member = ?", [.text(member)])
                continue
            }
            try save(key, of: member, database)
        }
        if let dayClock = book.dayClock, dayClock != old.dayClock {
            try MetaTable(database).set(clock, String(decoding: try dayClock.encodedBody(), as: UTF8.self))
        }
        if book.lastNumber != old.lastNumber {
            try MetaTable(database).set(last, String(book.lastNumber))
        }
    }

    private static func changed<Key: Hashable & Comparable, Value: Equatable>(
        _ old: [Key: Value],
        _ new: [Key: Value]
    ) -> [Key] {
        guard old != new else { return [] }
        return Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
    }

    private static func save(_ days: [String: Int], of member: String, _ database: Database) throws {
        // Rows: 31 of a member.
        try database.run("DELETE FROM request_days WHERE member = ?", [.text(member)])
        for (day, granted) in days {
            try database.run(
                "INSERT INTO request_days (member, day, granted) VALUES (?, ?, ?)",
                [.text(member), .text(day), SQLValue(granted)]
            )
        }
    }

    private static func save(_ key: CodeKey, of member: String, _ database: Database) throws {
        try database.run(
            """
            INSERT OR REPLACE INTO request_keys
                (member, secret, last_step, wrong, wrong_boot_ms, wrong_boot_id, clock)
                VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(member), .blob(key.secret.withBytes { [UInt8]($0) }), .integer(key.lastStep),
                .integer(key.wrongAttempts), .integer(key.wrongBoot.ms), .text(key.wrongBootID),
                .blob(try key.clock.encodedBody()),
            ]
        )
    }

    /// Upper bound on the stored wrong codes of one member.
    static let attemptsMax = 50

    static func insertAttempt(
        _ request: MoreTimeRequest,
        wall: WallTime,
        principal: Principal,
        database: Database
    ) throws {
        try database.run(
            "INSERT INTO request_attempts (member, request, wall_ms, uid, pid) VALUES (?, ?, ?, ?, ?)",
            [
                .text(request.member), .text(request.name), .integer(wall.ms),
                .integer(Int64(principal.uid)), .integer(Int64(principal.pid)),
            ]
        )
        try database.run(
            // Rows: all, 51 of a member.
            """
            DELETE FROM request_attempts WHERE member = ?1 AND id NOT IN
                (SELECT id FROM request_attempts WHERE member = ?1 ORDER BY id DESC LIMIT ?2)
            """,
            [.text(request.member), SQLValue(attemptsMax)]
        )
    }
}
