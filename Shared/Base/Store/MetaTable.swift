/// Small facts about a database, by name.
package struct MetaTable {
    package static let migration = Migration(
        name: "meta",
        sql: """
            CREATE TABLE meta(name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
            """
    )

    private let database: Database

    package init(_ database: Database) { self.database = database }

    package func get(_ name: String) throws -> String? {
        try database.first("SELECT value FROM meta WHERE name = ?", [.text(name)]) { try $0.text(0) }
    }

    /// Sets a value, or removes it with nil.
    package func set(_ name: String, _ value: String?) throws {
        guard let value else {
            try database.run("DELETE FROM meta WHERE name = ?", [.text(name)])
            return
        }
        try database.run(
            "INSERT INTO meta(name, value) VALUES (?, ?) ON CONFLICT(name) DO UPDATE SET value = excluded.value",
            [.text(name), .text(value)]
        )
    }
}
