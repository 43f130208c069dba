import STContracts
import STPlatform
import STStore

/// What shield-service was asked for the rules.
enum RuleShieldStore {
    static let migration = Migration(
        name: "rule shields",
        sql: """
            CREATE TABLE rule_shields (
                member TEXT NOT NULL, rule TEXT NOT NULL, asked BLOB NOT NULL, PRIMARY KEY (member, rule)
            ) STRICT;
            """
    )

    /// No rule is called nothing: that row is the list of what is always allowed.
    private static let allowed = ""

    private struct Row: WireBody, Codable {
        var settings: [String: JSONValue]?
        var items: [TokenItem]?
        var isGone: Bool?
        var key: String
        var cause: String?
        var isConfirmed: Bool
        var problem: Problem?
    }

    static func load(_ database: Database) throws -> ShieldBook {
        var book = ShieldBook()
        try database.query("SELECT member, rule, asked FROM rule_shields") { row in
            let member = try row.text(0)
            let rule = try row.text(1)
            let asked = try Row.decodedBody(try row.blob(2))
            let want: ShieldWant =
                asked.settings.map { .storing($0) } ?? asked.items.map { .allowing($0) }
                ?? (asked.isGone == true ? .gone : .clear)
            let place: ShieldBook.Place =
                rule == allowed ? .allowed(member: member) : .store(member: member, rule: rule)
            book.asked[place] = ShieldBook.Asked(
                want: want,
                key: asked.key,
                cause: asked.cause,
                isConfirmed: asked.isConfirmed,
                problem: asked.problem
            )
        }
        return book
    }

    static func save(_ book: ShieldBook, after old: ShieldBook, _ database: Database) throws {
        for place in Set(old.asked.keys).union(book.asked.keys) where old.asked[place] != book.asked[place] {
            try save(place, book.asked[place], database)
        }
    }

    private static func save(_ place: ShieldBook.Place, _ asked: ShieldBook.Asked?, _ database: Database)
        throws
    {
        var rule = allowed
        if case .store(_, let name) = place { rule = name }
        guard let asked else {
            try database.run(
                "DELETE FROM rule_shields WHERE member = ? AND rule = ?",
                [.text(place.member), .text(rule)]
            )
            return
        }
        var row = Row(
            key: asked.key,
            cause: asked.cause,
            isConfirmed: asked.isConfirmed,
            problem: asked.problem
        )
        switch asked.want {
        case .settings(let settings): row.settings = settings
        case .items(let items): row.items = items
        case .gone: row.isGone = true
        case .clear: break
        }
        try database.run(
            """
            INSERT INTO rule_shields (member, rule, asked) VALUES (?, ?, ?)
            ON CONFLICT (member, rule) DO UPDATE SET asked = excluded.asked
            """,
            [.text(place.member), .text(rule), .blob(try row.encodedBody())]
        )
    }
}
