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

    /// The saved progress of a task. 0 if it has not begun.
    package func place(_ name: String) throws -> Int64 { try get(name).flatMap { Int64($0) } ?? 0 }

    /// Sets a value, or removes it if `value` is `nil`.
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

/// The positions up to which this service has applied the streams of other services.
package struct CursorTable {
    package static let migration = Migration(
        name: "cursors",
        sql: """
            CREATE TABLE cursors(
                source TEXT NOT NULL,
                stream TEXT NOT NULL,
                epoch TEXT NOT NULL,
                sequence INTEGER NOT NULL,
                event_id TEXT,
                PRIMARY KEY(source, stream)
            ) STRICT, WITHOUT ROWID;
            """
    )

    private let database: Database

    package init(_ database: Database) { self.database = database }

    package func get(source: String, stream: String) throws -> StreamPosition? {
        try database.first(
            "SELECT epoch, sequence, event_id FROM cursors WHERE source = ? AND stream = ?",
            [.text(source), .text(stream)]
        ) { StreamPosition(epoch: try $0.text(0), sequence: try $0.int(1), id: try $0.optionalText(2)) }
    }

    /// Moves the cursor, inside the transaction that applies the event.
    package func set(source: String, stream: String, _ position: StreamPosition) throws {
        try database.requireTransaction()
        try database.run(
            """
            INSERT INTO cursors(source, stream, epoch, sequence, event_id) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT(source, stream) DO UPDATE
            SET epoch = excluded.epoch, sequence = excluded.sequence, event_id = excluded.event_id
            """,
            [
                .text(source), .text(stream), .text(position.epoch), .integer(position.sequence),
                SQLValue(position.id),
            ]
        )
    }
}
