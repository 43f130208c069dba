import STContracts
import STEngine
import STPlatform
import STStore

/// The tables of the rules, of their activities at activity-center, of their decisions, and of members' delays.
enum RuleTables {
    static let migrations = [
        Migration(
            name: "rules",
            sql: """
                CREATE TABLE rules (id TEXT PRIMARY KEY, rule BLOB NOT NULL) STRICT;
                CREATE TABLE rule_watches (
                    member TEXT NOT NULL, activity TEXT NOT NULL, request BLOB NOT NULL, problem BLOB,
                    PRIMARY KEY (member, activity)
                ) STRICT;
                """
        ),
        Migration(
            name: "rule delays",
            sql: "CREATE TABLE rule_delays (member TEXT PRIMARY KEY, delay BLOB NOT NULL) STRICT;"
        ),
        Migration(
            name: "rule shields",
            sql: """
                CREATE TABLE rule_shields (
                    member TEXT NOT NULL, rule TEXT NOT NULL, asked BLOB NOT NULL, PRIMARY KEY (member, rule)
                ) STRICT;
                """
        ),
    ]

    static let sharing = Migration(
        name: "rules of a household",
        sql: """
            CREATE TABLE shared_rules (
                member TEXT NOT NULL, id TEXT NOT NULL, rule BLOB NOT NULL, PRIMARY KEY (member, id)
            ) STRICT, WITHOUT ROWID;
            """
    )

    /// Older versions cannot read the rows that this version writes.
    static let decisions = Migration(
        name: "rule decisions",
        sql: "ALTER TABLE rule_shields RENAME COLUMN asked TO decision;"
    )

    private static let household = "rules/household"
    private static let revision = "rules/revision"
    private static let epoch = "rules/epoch"
    private static let published = "rules/decisions"

    /// Gives a new database its epoch. After an update from a version without published decisions, publishes them all.
    static func begin(_ book: inout RuleBook, _ change: StoreTransaction) throws {
        if try MetaTable(change.database).get(published) == nil {
            try MetaTable(change.database).set(published, "1")
            try book.shields.publish(since: ShieldBook(), change)
        }
        guard book.epoch.isEmpty else { return }
        // Older versions had no epoch, and kept pauses by the wall clock alone.
        let old = book
        for (id, rule) in book.rules {
            guard let untilMs = rule.pausedUntilMs, untilMs > change.now.wallMs else { continue }
            book.rules[id]?.pause(forMs: untilMs - change.now.wallMs, change.now, bootID: "")
        }
        try save(book, after: old, change.database)
        book.epoch = Identifier.make(wallMs: change.now.wallMs)
        try MetaTable(change.database).set(epoch, book.epoch)
    }

    static func load(_ database: Database) throws -> RuleBook {
        var book = RuleBook()
        let rules = try database.query("SELECT rule FROM rules") { try Rule.decodedBody(try $0.blob(0)) }
        for rule in rules { book.rules[rule.id] = rule }
        try database.query("SELECT member, activity, request, problem FROM rule_watches") { row in
            let place = RuleBook.Place(member: try row.text(0), activity: try row.text(1))
            book.watches[place] = RuleBook.Watch(
                request: try ActivityStart.Request.decodedBody(try row.blob(2)),
                problem: try row.optionalBlob(3).map { try Problem.decodedBody($0) }
            )
        }
        book.shields = try loadShields(database)
        book.lastRevision = try MetaTable(database).get(revision).flatMap { Int64($0) } ?? 0
        book.epoch = try MetaTable(database).get(epoch) ?? ""
        book.delays = try loadDelays(database)
        book.sharing.household = try MetaTable(database).get(household) ?? ""
        let shared = try database.query("SELECT rule FROM shared_rules") {
            try SharedRule.decodedBody(try $0.blob(0))
        }
        for rule in shared { book.sharing.rules[rule.key] = rule }
        return book
    }

    /// Saves what differs between two books.
    static func save(_ book: RuleBook, after old: RuleBook, _ database: Database) throws {
        // What was not written to is known to be equal at once; at most callbacks that is all of it.
        if old.rules != book.rules {
            for id in Set(old.rules.keys).union(book.rules.keys) where old.rules[id] != book.rules[id] {
                try save(id, book.rules[id], database)
            }
        }
        if old.watches != book.watches {
            for place in Set(old.watches.keys).union(book.watches.keys)
            where old.watches[place] != book.watches[place] {
                try save(place, book.watches[place], database)
            }
        }
        try save(book.delays, after: old.delays, database)
        try save(book.shields, after: old.shields, database)
        try save(book.sharing, after: old.sharing, database)
        if old.lastRevision != book.lastRevision {
            try MetaTable(database).set(revision, String(book.lastRevision))
        }
    }

    private static func save(_ id: String, _ rule: Rule?, _ database: Database) throws {
        guard let rule else {
            try database.run("DELETE FROM rules WHERE id = ?", [.text(id)])
            return
        }
        try database.run(
            """
            INSERT INTO rules (id, rule) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET rule = excluded.rule
            """,
            [.text(id), .blob(try rule.encodedBody())]
        )
    }

    private static func save(_ place: RuleBook.Place, _ watch: RuleBook.Watch?, _ database: Database) throws {
        guard let watch else {
            try database.run(
                "DELETE FROM rule_watches WHERE member = ? AND activity = ?",
                [.text(place.member), .text(place.activity)]
            )
            return
        }
        try database.run(
            """
            INSERT INTO rule_watches (member, activity, request, problem) VALUES (?, ?, ?, ?)
            ON CONFLICT (member, activity) DO UPDATE SET request = excluded.request, problem = excluded.problem
            """,
            [
                .text(place.member), .text(place.activity), .blob(try watch.request.encodedBody()),
                SQLValue(try watch.problem?.encodedBody()),
            ]
        )
    }

    private static func save(_ sharing: RuleSharing, after old: RuleSharing, _ database: Database) throws {
        guard sharing != old else { return }
        if sharing.household != old.household { try MetaTable(database).set(household, sharing.household) }
        for key in Set(old.rules.keys).union(sharing.rules.keys) where old.rules[key] != sharing.rules[key] {
            guard let rule = sharing.rules[key] else {
                try database.run(
                    "DELETE FROM shared_rules WHERE member = ? AND id = ?",
                    [.text(key.member), .text(key.id)]
                )
                continue
            }
            try database.run(
                "INSERT OR REPLACE INTO shared_rules (member, id, rule) VALUES (?, ?, ?)",
                [.text(key.member), .text(key.id), .blob(try rule.encodedBody())]
            )
        }
    }

    // MARK: - Delays

    private static func loadDelays(_ database: Database) throws -> [String: MemberDelay] {
        let all = try database.query("SELECT member, delay FROM rule_delays") {
            (try $0.text(0), try MemberDelay.decodedBody(try $0.blob(1)))
        }
        return Dictionary(all) { $1 }
    }

    /// Rows are never deleted: a delay that ends is 0.
    private static func save(
        _ delays: [String: MemberDelay],
        after old: [String: MemberDelay],
        _ database: Database
    )
        throws
    {
        for (member, delay) in delays where old[member] != delay {
            try database.run(
                "INSERT OR REPLACE INTO rule_delays (member, delay) VALUES (?, ?)",
                [.text(member), .blob(try delay.encodedBody())]
            )
        }
    }

    // MARK: - Shields

    /// The rule's name in the row of the always-allowed list; no rule has an empty name.
    private static let allowed = ""

    private struct Row: WireBody, Codable {
        var settings: [String: JSONValue]?
        var items: [TokenItem]?
        var cause: String?
    }

    private static func loadShields(_ database: Database) throws -> ShieldBook {
        var book = ShieldBook()
        try database.query("SELECT member, rule, decision FROM rule_shields") { row in
            let member = try row.text(0)
            let rule = try row.text(1)
            let decision = try Row.decodedBody(try row.blob(2))
            let want: ShieldWant =
                decision.settings.map { .storing($0) } ?? decision.items.map { .allowing($0) } ?? .clear
            let place: ShieldBook.Place =
                rule == allowed ? .allowed(member: member) : .store(member: member, rule: rule)
            book.decisions[place] = ShieldBook.Decision(want: want, cause: decision.cause)
        }
        return book
    }

    private static func save(_ book: ShieldBook, after old: ShieldBook, _ database: Database) throws {
        guard book != old else { return }
        for place in Set(old.decisions.keys).union(book.decisions.keys)
        where old.decisions[place] != book.decisions[place] {
            try save(place, book.decisions[place], database)
        }
    }

    private static func save(
        _ place: ShieldBook.Place,
        _ decision: ShieldBook.Decision?,
        _ database: Database
    ) throws {
        var rule = allowed
        if case .store(_, let name) = place { rule = name }
        guard let decision else {
            try database.run(
                "DELETE FROM rule_shields WHERE member = ? AND rule = ?",
                [.text(place.member), .text(rule)]
            )
            return
        }
        var row = Row(cause: decision.cause)
        switch decision.want {
        case .settings(let settings): row.settings = settings
        case .items(let items): row.items = items
        case .clear: break
        }
        try database.run(
            """
            INSERT INTO rule_shields (member, rule, decision) VALUES (?, ?, ?)
            ON CONFLICT (member, rule) DO UPDATE SET decision = excluded.decision
            """,
            [.text(place.member), .text(rule), .blob(try row.encodedBody())]
        )
    }
}
