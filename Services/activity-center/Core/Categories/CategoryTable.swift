import STContracts
import STDomain
import STStore

/// The categories that people have moved apps and sites into.
enum CategoryTable {
    static let migration = Migration(
        name: "categories",
        sql:
            "CREATE TABLE categories (subject TEXT PRIMARY KEY, category TEXT NOT NULL) STRICT, WITHOUT ROWID;"
    )

    static func load(_ database: Database) throws -> [String: Category] {
        var own: [String: Category] = [:]
        try database.query("SELECT subject, category FROM categories") { row in
            own[try row.text(0)] = Category(rawValue: try row.text(1))
        }
        return own
    }

    static func save(_ subject: String, _ category: Category?, _ database: Database) throws {
        guard let category else {
            try database.run("DELETE FROM categories WHERE subject = ?", [.text(subject)])
            return
        }
        try database.run(
            """
            INSERT INTO categories (subject, category) VALUES (?, ?)
            ON CONFLICT (subject) DO UPDATE SET category = excluded.category
            """,
            [.text(subject), .text(category.rawValue)]
        )
    }
}
