import Foundation
import STCSQLite
import STFoundationTypes

/// A store in a SQLite file, with a table for each class and a column for each property. Values are stored as JSON.
///
/// The file has no write-ahead log, because processes with read-only access could not read the log.
final class ModelFile: @unchecked Sendable {
    // @unchecked: `lock` guards the connection. Everything else is set before another thread can access it.
    private static let waitMs: Int32 = 5_000
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    /// The lock of the connection, which contexts on several threads share. It is recursive, because a transaction locks it
    /// again.
    private let lock = NSRecursiveLock()
    private var handle: OpaquePointer?
    private let path: String
    private let schema: Schema
    private var isReadable = false

    static func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }

    init(_ configuration: ModelConfiguration, _ schema: Schema) throws {
        self.schema = schema
        path = configuration.isStoredInMemoryOnly ? ":memory:" : configuration.url.path(percentEncoded: false)
        if !configuration.isStoredInMemoryOnly {
            // An extension with read-only access cannot create the folder. It then finds no models.
            try? FileManager.default.createDirectory(
                at: configuration.url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
        }
        try open(canWrite: configuration.allowsSave)
    }

    deinit { sqlite3_close_v2(handle) }

    private func open(canWrite: Bool) throws {
        if canWrite {
            let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX
            if sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK {
                sqlite3_busy_timeout(handle, Self.waitMs)
                do {
                    try prepare()
                    isReadable = true
                    return
                } catch  where sqlite3_db_readonly(handle, "main") == 1 {
                    // The file is read-only, but its models can be read.
                }
            }
            sqlite3_close_v2(handle)
            handle = nil
        }
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_FULLMUTEX
        guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK else {
            sqlite3_close_v2(handle)
            handle = nil
            guard access(path, F_OK) == 0 else { return }
            throw SwiftDataError("The store \(path) cannot be opened.")
        }
        sqlite3_busy_timeout(handle, Self.waitMs)
        isReadable = true
    }

    private func prepare() throws {
        guard try !isWhole() else { return }
        // Another process may create the tables simultaneously.
        try transaction { try make() }
    }

    private func isWhole() throws -> Bool {
        try schema.types.allSatisfy { type in
            let columns = Set(try columns(type))
            return columns.contains("id")
                && type.schemaMetadata.allSatisfy { columns.contains("v_\($0.name)") }
        }
    }

    /// Creates the tables and columns of the schema that the file does not have.
    private func make() throws {
        for type in schema.types {
            let table = Self.quoted(type.entity)
            try run("CREATE TABLE IF NOT EXISTS \(table) (id TEXT PRIMARY KEY NOT NULL)")
            var columns = Set(try columns(type))
            for property in type.schemaMetadata where !columns.contains("v_\(property.name)") {
                let column = Self.quoted("v_\(property.name)")
                if let before = property.originalName.map({ "v_\($0)" }), columns.contains(before) {
                    try run("ALTER TABLE \(table) RENAME COLUMN \(Self.quoted(before)) TO \(column)")
                    columns.remove(before)
                } else {
                    try run("ALTER TABLE \(table) ADD COLUMN \(column) TEXT")
                }
            }
        }
    }

    private func columns(_ type: any PersistentModel.Type) throws -> [String] {
        try rows("SELECT name FROM pragma_table_info(?)", [type.entity]).compactMap(\.[0])
    }

    // MARK: - Models

    func all(_ type: any PersistentModel.Type) throws -> [(id: String, values: [String: String])] {
        try models(of: type, clause: "ORDER BY rowid", bindings: [])
    }

    func values(_ identifier: PersistentIdentifier, _ type: any PersistentModel.Type) throws
        -> [String: String]?
    { try models(of: type, clause: "WHERE id = ?", bindings: [identifier.id]).first?.values }

    private func models(of type: any PersistentModel.Type, clause: String, bindings: [String]) throws
        -> [(id: String, values: [String: String])]
    {
        guard isReadable else { return [] }
        let there = Set(try columns(type))
        guard !there.isEmpty else { return [] }
        let names = type.schemaMetadata.map(\.name).filter { there.contains("v_\($0)") }
        let columns = (["id"] + names.map { "v_\($0)" }).map(Self.quoted).joined(separator: ", ")
        return try rows("SELECT \(columns) FROM \(Self.quoted(type.entity)) \(clause)", bindings).map { row in
            let values = zip(names, row.dropFirst()).compactMap { name, value in value.map { (name, $0) } }
            return (row[0] ?? "", Dictionary(values) { $1 })
        }
    }

    /// Returns the ids of the models that have this value.
    func owners(of value: String, _ name: String, _ type: any PersistentModel.Type) throws -> [String] {
        let column = Self.quoted("v_\(name)")
        return try rows("SELECT id FROM \(Self.quoted(type.entity)) WHERE \(column) = ?", [value])
            .compactMap(\.[0])
    }

    func write(_ identifier: PersistentIdentifier, _ values: [String: String]) throws {
        let names = values.keys.sorted()
        let columns = (["id"] + names.map { "v_\($0)" }).map(Self.quoted)
        let sets = columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        try run(
            """
            INSERT INTO \(Self.quoted(identifier.entityName)) (\(columns.joined(separator: ", ")))
            VALUES (\(columns.map { _ in "?" }.joined(separator: ", "))) ON CONFLICT (id) DO UPDATE SET \(sets)
            """,
            [identifier.id] + names.compactMap { values[$0] }
        )
    }

    func remove(_ identifier: PersistentIdentifier) throws {
        try run("DELETE FROM \(Self.quoted(identifier.entityName)) WHERE id = ?", [identifier.id])
    }

    // MARK: - SQLite

    func transaction(_ body: () throws -> Void) throws {
        lock.lock()
        defer { lock.unlock() }
        try run("BEGIN IMMEDIATE")
        do {
            try body()
            try run("COMMIT")
        } catch {
            try? run("ROLLBACK")
            throw error
        }
    }

    func run(_ sql: String, _ bindings: [String] = []) throws { _ = try rows(sql, bindings) }

    private func rows(_ sql: String, _ bindings: [String]) throws -> [[String?]] {
        lock.lock()
        defer { lock.unlock() }
        var statement: OpaquePointer?
        guard let handle else { throw SwiftDataError("The store \(path) is not there.") }
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw problem() }
        defer { sqlite3_finalize(statement) }
        for (index, value) in bindings.enumerated() {
            sqlite3_bind_text(statement, Int32(index + 1), value, -1, Self.copied)
        }
        var rows: [[String?]] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                rows.append(
                    (0..<sqlite3_column_count(statement)).map { column in
                        sqlite3_column_text(statement, column).map { String(cString: $0) }
                    }
                )
            case SQLITE_DONE: return rows
            default: throw problem()
            }
        }
    }

    private func problem() -> SwiftDataError {
        SwiftDataError("The store \(path) cannot be used: \(String(cString: sqlite3_errmsg(handle))).")
    }
}
