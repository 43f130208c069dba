import STPlatform

extension Database {
    /// Brings the schema up to date, each step in a transaction of its own, and refuses a file with another history.
    package func migrate(_ migrations: [Migration]) throws {
        let applied = try appliedMigrations()
        guard applied.count <= migrations.count else {
            throw StoreProblem.newerVersion(path, found: applied.count, known: migrations.count)
        }
        for (index, found) in applied.enumerated() where found != identity(index + 1, migrations[index]) {
            throw mismatch(found, migrations[index])
        }
        for index in applied.count..<migrations.count { try apply(migrations[index], position: index + 1) }
    }

    /// The version of the schema: how many migrations it has seen.
    package func schemaVersion() throws -> Int {
        Int(try first("PRAGMA user_version") { try $0.int(0) } ?? 0)
    }

    private func appliedMigrations() throws -> [String] {
        let hasTable = try first("SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'") {
            try $0.bool(0)
        }
        let rows =
            hasTable == nil
            ? []
            : try query("SELECT position, name, checksum FROM schema_migrations ORDER BY position") {
                "\(try $0.int(0)) \(try $0.text(1)) \(try $0.text(2))"
            }
        // The version is written with every step; a difference means that somebody edited the table.
        let version = try schemaVersion()
        guard version == rows.count else { throw mismatch("version \(version)", nil) }
        return rows
    }

    private func apply(_ migration: Migration, position: Int) throws {
        try transaction {
            try execute(
                """
                CREATE TABLE IF NOT EXISTS schema_migrations(
                    position INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL
                ) STRICT
                """
            )
            try execute(migration.sql)
            try run(
                "INSERT INTO schema_migrations(position, name, checksum) VALUES (?, ?, ?)",
                [SQLValue(position), .text(migration.name), .text(migration.checksum)]
            )
            try execute("PRAGMA user_version = \(position)")
        }
    }

    private func identity(_ position: Int, _ migration: Migration) -> String {
        "\(position) \(migration.name) \(migration.checksum)"
    }

    private func mismatch(_ found: String, _ expected: Migration?) -> Problem {
        Problem(
            "store.migration_mismatch",
            "\(path) has another history than this version expects (found \(found), expected "
                + "\(expected?.name ?? "as many steps")). Install the version that wrote it, or restore a backup.",
            details: ["path": path, "found": found]
        )
    }
}
