import STContracts
import STStore

/// What activity-center says of apps and sites.
enum FactTable {
    static let migration = Migration(
        name: "facts",
        sql: "CREATE TABLE facts (subject TEXT PRIMARY KEY, facts BLOB NOT NULL) STRICT;"
    )

    static let listsMigration = Migration(
        name: "lists of sites",
        sql: """
            CREATE TABLE domain_lists (
                name TEXT NOT NULL, part INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (name, part)
            ) STRICT;
            """
    )

    static func load(into state: inout ShieldState, _ database: Database) throws {
        try database.query("SELECT facts FROM facts") {
            let facts = try SubjectFacts.decodedBody(try $0.blob(0))
            state.facts.take(facts)
        }
        try database.query("SELECT body FROM domain_lists ORDER BY name, part") {
            state.facts.take(try DomainListPart.decodedBody(try $0.blob(0)))
        }
    }

    static func set(_ facts: SubjectFacts, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO facts (subject, facts) VALUES (?, ?)
            ON CONFLICT (subject) DO UPDATE SET facts = excluded.facts
            """,
            [.text(FactBook.key(facts.subject)), .blob(try facts.encodedBody())]
        )
    }

    static func set(_ part: DomainListPart, _ database: Database) throws {
        guard !part.domains.isEmpty else {
            try database.run(
                "DELETE FROM domain_lists WHERE name = ? AND part = ?",
                [.text(part.name), .integer(part.part)]
            )
            return
        }
        try database.run(
            """
            INSERT INTO domain_lists (name, part, body) VALUES (?, ?, ?)
            ON CONFLICT (name, part) DO UPDATE SET body = excluded.body
            """,
            [.text(part.name), .integer(part.part), .blob(try part.encodedBody())]
        )
    }

    static func clear(_ database: Database) throws {
        try database.run("DELETE FROM facts")
        try database.run("DELETE FROM domain_lists")
    }
}
