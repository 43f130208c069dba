import STContracts
import STDomain
import STStore

/// What was told of policy, apps and people: so that a start needs nobody to know what is shielded.
enum PolicyTable {
    static let migration = Migration(
        name: "policy",
        sql: """
            CREATE TABLE policy_words (subject TEXT PRIMARY KEY, type TEXT NOT NULL, body BLOB NOT NULL) STRICT;
            CREATE TABLE policy_facts (subject TEXT PRIMARY KEY, body BLOB NOT NULL) STRICT;
            CREATE TABLE policy_lists (
                name TEXT NOT NULL, part INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (name, part)
            ) STRICT;
            CREATE TABLE policy_people (
                place INTEGER PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL
            ) STRICT;
            """
    )

    static func load(_ database: Database) throws -> ShieldPolicy {
        var policy = ShieldPolicy()
        try database.query("SELECT type, body FROM policy_words") { row in
            let body = try row.blob(1)
            switch try row.text(0) {
            case PolicyStoreChanged.type: policy.book.apply(try PolicyStore.decodedBody(body))
            case PolicyAllowedChanged.type: policy.book.apply(try PolicyAllowed.decodedBody(body))
            case PolicyGrantChanged.type: policy.book.apply(try PolicyGrant.decodedBody(body))
            default: break
            }
        }
        try database.query("SELECT body FROM policy_facts") {
            policy.facts.take(try SubjectFacts.decodedBody(try $0.blob(0)))
        }
        try database.query("SELECT body FROM policy_lists ORDER BY name, part") {
            policy.facts.take(try DomainListPart.decodedBody(try $0.blob(0)))
        }
        try database.query("SELECT name, role FROM policy_people ORDER BY place") {
            _ = policy.people.add(
                Member(name: try $0.text(0), role: MemberRole(rawValue: try $0.text(1)) ?? .unknown)
            )
        }
        return policy
    }

    static func set<Body: WireBody>(_ subject: String, _ type: String, _ body: Body, _ database: Database)
        throws
    {
        try database.run(
            """
            INSERT INTO policy_words (subject, type, body) VALUES (?, ?, ?)
            ON CONFLICT (subject) DO UPDATE SET type = excluded.type, body = excluded.body
            """,
            [.text(subject), .text(type), .blob(try body.encodedBody())]
        )
    }

    static func remove(_ subject: String, _ database: Database) throws {
        try database.run("DELETE FROM policy_words WHERE subject = ?", [.text(subject)])
    }

    static func set(_ facts: SubjectFacts, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO policy_facts (subject, body) VALUES (?, ?)
            ON CONFLICT (subject) DO UPDATE SET body = excluded.body
            """,
            [.text(FactBook.key(facts.subject)), .blob(try facts.encodedBody())]
        )
    }

    static func set(_ part: DomainListPart, _ database: Database) throws {
        guard !part.domains.isEmpty else {
            try database.run(
                "DELETE FROM policy_lists WHERE name = ? AND part = ?",
                [.text(part.name), .integer(part.part)]
            )
            return
        }
        try database.run(
            """
            INSERT INTO policy_lists (name, part, body) VALUES (?, ?, ?)
            ON CONFLICT (name, part) DO UPDATE SET body = excluded.body
            """,
            [.text(part.name), .integer(part.part), .blob(try part.encodedBody())]
        )
    }

    static func add(_ member: Member, _ database: Database) throws {
        try database.run(
            "INSERT INTO policy_people (name, role) VALUES (?, ?)",
            [.text(member.name), .text(member.role.rawValue)]
        )
    }

    static func clear(words database: Database) throws { try database.run("DELETE FROM policy_words") }

    static func clear(facts database: Database) throws {
        try database.run("DELETE FROM policy_facts")
        try database.run("DELETE FROM policy_lists")
    }

    static func clear(people database: Database) throws { try database.run("DELETE FROM policy_people") }
}
