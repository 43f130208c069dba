import STPlatform

/// One step of a schema. A released step never changes. To correct it, add a later step.
package struct Migration: Sendable, Equatable {
    package var name: String
    package var sql: String

    package init(name: String, sql: String) {
        self.name = name
        self.sql = sql
    }

    /// Detects an accidental edit. It does not have to resist forgery, because a forger could change the table as well.
    fileprivate var checksum: String { TextFormat.hex(Fingerprint(sql).value) }
}

/// The migrations that every service's database has.
package enum StoreMigrations {
    /// Identifies a database of a Screen Time service.
    package static let applicationID: Int32 = 0x5354_5376

    /// These steps are frozen. A database counts its steps, so a step added here would shift the steps of every service.
    ///
    /// To change these tables, add a step at the end of each service's own list.
    package static let base = [
        EventLog.migration, CursorTable.migration, IdempotencyTable.migration, MetaTable.migration,
    ]
}

/// The migrations applied to a file, recorded in the file itself.
struct SchemaHistory {
    private let database: Database

    init(_ database: Database) { self.database = database }

    func extend(to migrations: [Migration]) throws {
        let applied = try appliedMigrations()
        for (index, found) in applied.prefix(migrations.count).enumerated()
        where found != identity(index + 1, migrations[index]) {
            throw mismatch(found, migrations[index])
        }
        // Checked after the comparison above: a newer file has all of our steps, and another service's file does not.
        guard applied.count <= migrations.count else {
            throw StoreProblem.newerVersion(database.path, found: applied.count, known: migrations.count)
        }
        for index in applied.count..<migrations.count { try apply(migrations[index], position: index + 1) }
    }

    private func appliedMigrations() throws -> [String] {
        let hasTable = try database.first("SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'") {
            try $0.bool(0)
        }
        let rows =
            hasTable == nil
            ? []
            : try database.query("SELECT position, name, checksum FROM schema_migrations ORDER BY position") {
                "\(try $0.int(0)) \(try $0.text(1)) \(try $0.text(2))"
            }
        // The version is written with every step, so a difference means that the table was edited.
        let version = try database.schemaVersion()
        guard version == rows.count else { throw mismatch("version \(version)", nil) }
        return rows
    }

    private func apply(_ migration: Migration, position: Int) throws {
        try database.transaction {
            try database.execute(
                """
                CREATE TABLE IF NOT EXISTS schema_migrations(
                    position INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL
                ) STRICT
                """
            )
            try database.execute(migration.sql)
            try database.run(
                "INSERT INTO schema_migrations(position, name, checksum) VALUES (?, ?, ?)",
                [SQLValue(position), .text(migration.name), .text(migration.checksum)]
            )
            try database.execute("PRAGMA user_version = \(position)")
        }
    }

    private func identity(_ position: Int, _ migration: Migration) -> String {
        "\(position) \(migration.name) \(migration.checksum)"
    }

    private func mismatch(_ found: String, _ expected: Migration?) -> Problem {
        Problem(
            "store.migration_mismatch",
            text: expected.map {
                Message(
                    "store.migration_mismatch",
                    """
                    \(database.path, "path") has different schema migrations from those this version expects \
                    (found \(found, "found"), expected \($0.name, "expected")). Install the version that \
                    wrote it, or restore a backup.
                    """
                )
            }
                ?? Message(
                    "store.migration_mismatch.as-many-steps",
                    """
                    \(database.path, "path") has different schema migrations from those this version expects \
                    (at \(found, "found"), but with a different number of migrations). Install the version \
                    that wrote it, or restore a backup.
                    """
                ),
            details: ["path": database.path, "found": found]
        )
    }
}
