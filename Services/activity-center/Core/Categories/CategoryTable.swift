import STContracts
import STDomain
import STPlatform
import STStore

/// The tables of the categories that people have chosen, of their lists of sites, and of desktop entries.
enum CategoryTable {
    static let migration = Migration(
        name: "categories",
        sql:
            "CREATE TABLE categories (subject TEXT PRIMARY KEY, category TEXT NOT NULL) STRICT, WITHOUT ROWID;"
    )

    static let factsMigration = Migration(
        name: "facts",
        sql: """
            CREATE TABLE desktop_apps (key TEXT PRIMARY KEY, app BLOB NOT NULL) STRICT, WITHOUT ROWID;
            CREATE TABLE told_facts (subject TEXT PRIMARY KEY, facts BLOB NOT NULL) STRICT, WITHOUT ROWID;
            CREATE TABLE domain_lists (
                name TEXT PRIMARY KEY, category TEXT NOT NULL, added_ms INTEGER NOT NULL, parts BLOB NOT NULL
            ) STRICT;
            """
    )

    private struct Parts: WireBody, Codable {
        var parts: [[String]]
    }

    static func load(_ database: Database) throws -> Categories {
        var own: [String: Category] = [:]
        var ignored: [String] = []
        try database.query("SELECT subject, category FROM categories") { row in
            let category = try row.text(1)
            own[try row.text(0)] = Category(rawValue: category)
            if category == CategoryChoice.private { ignored.append(try row.text(0)) }
        }
        var book = Categories(own, ignored: ignored)
        for body in try database.query("SELECT app FROM desktop_apps", [], value: { try $0.blob(0) }) {
            book.map.desktop.insert(try DesktopAppBody.decodedBody(body).app)
        }
        for body in try database.query("SELECT facts FROM told_facts", [], value: { try $0.blob(0) }) {
            let facts = try SubjectFacts.decodedBody(body)
            book.publishedFacts[facts.subject] = facts
        }
        try database.query("SELECT name, category, added_ms, parts FROM domain_lists") { row in
            let name = try row.text(0)
            book.listsAdded[name] = WallTime(ms: try row.int(2))
            book.map.lists.set(
                name,
                DomainLists.List(
                    category: Category(rawValue: try row.text(1)) ?? .other,
                    parts: try Parts.decodedBody(try row.blob(3)).parts
                )
            )
        }
        return book
    }

    static func save(_ subject: String, category: String?, database: Database) throws {
        guard let category else {
            try database.run("DELETE FROM categories WHERE subject = ?", [.text(subject)])
            return
        }
        try database.run(
            """
            INSERT INTO categories (subject, category) VALUES (?, ?)
            ON CONFLICT (subject) DO UPDATE SET category = excluded.category
            """,
            [.text(subject), .text(category)]
        )
    }

    static func save(_ key: String, app: DesktopApps.App?, database: Database) throws {
        guard let app else {
            try database.run("DELETE FROM desktop_apps WHERE key = ?", [.text(key)])
            return
        }
        try database.run(
            "INSERT INTO desktop_apps (key, app) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET app = excluded.app",
            [.text(key), .blob(try DesktopAppBody(app).encodedBody())]
        )
    }

    static func save(_ subject: String, facts: SubjectFacts?, database: Database) throws {
        guard let facts else {
            try database.run("DELETE FROM told_facts WHERE subject = ?", [.text(subject)])
            return
        }
        try database.run(
            """
            INSERT INTO told_facts (subject, facts) VALUES (?, ?)
            ON CONFLICT (subject) DO UPDATE SET facts = excluded.facts
            """,
            [.text(subject), .blob(try facts.encodedBody())]
        )
    }

    static func save(_ name: String, list: DomainLists.List?, added: WallTime, database: Database) throws {
        guard let list else {
            try database.run("DELETE FROM domain_lists WHERE name = ?", [.text(name)])
            return
        }
        try database.run(
            """
            INSERT INTO domain_lists (name, category, added_ms, parts) VALUES (?, ?, ?, ?)
            ON CONFLICT (name) DO UPDATE SET category = excluded.category, added_ms = excluded.added_ms,
                parts = excluded.parts
            """,
            [
                .text(name), .text(list.category.rawValue), .integer(added.ms),
                .blob(try Parts(parts: list.parts).encodedBody()),
            ]
        )
    }
}

/// An app of this computer, with the data of its desktop entry.
private struct DesktopAppBody: WireBody, Codable, Equatable {
    var subject: String
    var name: String?
    var names: [String: String]
    var icon: String?
    var category: String?

    init(_ app: DesktopApps.App) {
        subject = app.subject
        name = app.name
        names = app.names
        icon = app.icon
        category = app.category?.rawValue
    }

    var app: DesktopApps.App {
        DesktopApps.App(
            subject: subject,
            name: name,
            names: names,
            icon: icon,
            category: category.flatMap { Category(rawValue: $0) }
        )
    }
}
