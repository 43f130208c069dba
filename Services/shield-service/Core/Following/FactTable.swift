import STContracts
import STStore

/// What activity-center says of apps and sites.
enum FactTable {
    static let migration = Migration(
        name: "facts",
        sql: "CREATE TABLE facts (subject TEXT PRIMARY KEY, facts BLOB NOT NULL) STRICT;"
    )

    static func load(into state: inout ShieldState, _ database: Database) throws {
        try database.query("SELECT facts FROM facts") {
            let facts = try SubjectFacts.decodedBody(try $0.blob(0))
            state.facts.known[facts.subject] = facts
        }
    }

    static func set(_ facts: SubjectFacts, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO facts (subject, facts) VALUES (?, ?)
            ON CONFLICT (subject) DO UPDATE SET facts = excluded.facts
            """,
            [.text(facts.subject), .blob(try facts.encodedBody())]
        )
    }

    static func clear(_ database: Database) throws { try database.run("DELETE FROM facts") }
}
