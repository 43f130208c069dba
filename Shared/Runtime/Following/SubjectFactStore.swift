package import STContracts
package import STStore

/// Stores activity-center's facts about apps and sites: in memory as a `SubjectFactIndex`, and in two tables.
package enum SubjectFactStore {
    /// Upper bound on the apps and sites. activity-center stores fewer.
    private static let factsMax = 50_000

    package static let facts = Migration(
        name: "facts",
        sql: "CREATE TABLE facts (subject TEXT PRIMARY KEY, facts BLOB NOT NULL) STRICT;"
    )

    package static let lists = Migration(
        name: "lists of sites",
        sql: """
            CREATE TABLE domain_lists (
                name TEXT NOT NULL, part INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (name, part)
            ) STRICT;
            """
    )

    /// `hasLists`: true if the service also has the table of lists.
    package static func load(_ database: Database, hasLists: Bool = true) throws -> SubjectFactIndex {
        var book = SubjectFactIndex()
        try database.query("SELECT facts FROM facts") {
            book.apply(try SubjectFacts.decodedBody(try $0.blob(0)))
        }
        guard hasLists else { return book }
        try database.query("SELECT body FROM domain_lists ORDER BY name, part") {
            book.apply(try DomainListPart.decodedBody(try $0.blob(0)))
        }
        return book
    }

    /// Applies an event of stream `activity`. Returns true if it was about an app, a site or a list of sites.
    ///
    /// `shorten` removes the facts that the service never reads.
    package static func apply(
        _ event: WireEvent,
        into book: inout SubjectFactIndex,
        _ database: Database,
        hasLists: Bool = true,
        shorten: (SubjectFacts) -> SubjectFacts = { $0 }
    ) throws -> Bool {
        switch event.header.type {
        case SubjectKnown.type:
            let facts = shorten(try event.decoded(SubjectKnown.self))
            let key = SubjectFactIndex.key(facts.subject)
            guard book.known[key] != nil || book.known.count < factsMax else { return true }
            book.apply(facts)
            try database.run(
                """
                INSERT INTO facts (subject, facts) VALUES (?, ?)
                ON CONFLICT (subject) DO UPDATE SET facts = excluded.facts
                """,
                [.text(key), .blob(try facts.encodedBody())]
            )
        case DomainListKnown.type:
            guard hasLists else { return true }
            let part = try event.decoded(DomainListKnown.self)
            book.apply(part)
            try store(part, database)
        default: return false
        }
        return true
    }

    private static func store(_ part: DomainListPart, _ database: Database) throws {
        let place: [SQLValue] = [.text(part.name), .integer(part.part)]
        guard !part.domains.isEmpty else {
            try database.run("DELETE FROM domain_lists WHERE name = ? AND part = ?", place)
            return
        }
        try database.run(
            """
            INSERT INTO domain_lists (name, part, body) VALUES (?, ?, ?)
            ON CONFLICT (name, part) DO UPDATE SET body = excluded.body
            """,
            place + [.blob(try part.encodedBody())]
        )
    }

    package static func removeAll(_ book: inout SubjectFactIndex, _ database: Database, hasLists: Bool = true)
        throws
    {
        book = SubjectFactIndex()
        try database.run("DELETE FROM facts")
        if hasLists { try database.run("DELETE FROM domain_lists") }
    }
}
