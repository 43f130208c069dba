import STContracts
import STEngine
import STPlatform
import STStore

/// The rules, and what activity-center was asked to watch for them.
enum RuleStore {
    static let migration = Migration(
        name: "rules",
        sql: """
            CREATE TABLE rules (id TEXT PRIMARY KEY, rule BLOB NOT NULL) STRICT;
            CREATE TABLE rule_watches (
                member TEXT NOT NULL, activity TEXT NOT NULL, request BLOB NOT NULL, problem BLOB,
                PRIMARY KEY (member, activity)
            ) STRICT;
            """
    )

    private static let revision = "rules/revision"
    private static let epoch = "rules/epoch"

    /// Gives a database that has none its epoch.
    static func begin(_ book: inout RuleBook, _ change: StoreTransaction) throws {
        guard book.epoch.isEmpty else { return }
        // A database without one is of an older version, whose pauses are by the wall clock alone.
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
        book.shields = try RuleShieldStore.load(database)
        book.lastRevision = try MetaTable(database).get(revision).flatMap { Int64($0) } ?? 0
        book.epoch = try MetaTable(database).get(epoch) ?? ""
        book.delays = try RuleDelayStore.load(database)
        return book
    }

    /// Writes down what is different between two books.
    static func save(_ book: RuleBook, after old: RuleBook, _ database: Database) throws {
        for id in Set(old.rules.keys).union(book.rules.keys) where old.rules[id] != book.rules[id] {
            try save(id, book.rules[id], database)
        }
        for place in Set(old.watches.keys).union(book.watches.keys)
        where old.watches[place] != book.watches[place] {
            try save(place, book.watches[place], database)
        }
        try RuleDelayStore.save(book.delays, after: old.delays, database)
        try RuleShieldStore.save(book.shields, after: old.shields, database)
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
}
