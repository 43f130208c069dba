import STCSQLite
import STPlatform

/// One connection to one SQLite file.
///
/// It belongs to one thread (opened `NOMUTEX`, not `Sendable`), and it is the only connection that writes to or
/// checkpoints its file: with two, SQLite 3.40 can damage the log.
package final class Database {
    package let path: String
    package let options: DatabaseOptions

    var handle: OpaquePointer?
    /// Set while `transaction` runs its closure.
    ///
    /// SQLite ends a transaction by itself on some errors, and whoever caught such an error would go on
    /// outside of any transaction without noticing.
    var expectsTransaction = false
    /// Of the write-ahead log, as far as they are known not to be in the file yet.
    var logPages: Int32 = 0
    private var cache = StatementCache()

    /// Opens the file, makes it when there is none, and asserts every setting that its safety rests on.
    package init(path: String, options: DatabaseOptions) throws {
        precondition(options.applicationID != 0, "zero is the application id of any file")
        self.path = path
        self.options = options
        let file = try DatabaseFile.prepare(path, options)
        let access = options.readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        let result = sqlite3_open_v2(
            path,
            &handle,
            access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
            options.vfs
        )
        guard result == SQLITE_OK else { throw problem(result) }
        try configure(file)
    }

    deinit { release() }

    /// Whether a transaction is open.
    package var isInTransaction: Bool { handle.map { sqlite3_get_autocommit($0) == 0 } ?? false }

    /// Runs statements that take no values and whose rows do not matter.
    package func execute(_ script: String) throws {
        let handle = try usable()
        let result = sqlite3_exec(handle, script, nil, nil, nil)
        guard result == SQLITE_OK else { throw problem(result, script) }
    }

    /// Runs one statement to its end and tells how many rows it inserted, updated or deleted.
    @discardableResult
    package func run(_ sql: String, _ bindings: [SQLValue] = []) throws -> Int {
        try withStatement(sql, bindings) { statement in
            while try step(statement, sql) {}
            return sqlite3_stmt_readonly(statement.pointer) != 0 ? 0 : Int(sqlite3_changes64(handle))
        }
    }

    /// All rows, each turned into a value.
    @discardableResult
    package func query<Value>(
        _ sql: String,
        _ bindings: [SQLValue] = [],
        _ value: (borrowing Row) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        try scan(sql, bindings) { row in
            values.append(try value(row))
            return true
        }
        return values
    }

    /// Visits rows until the closure answers false, so that a page can end in the middle of a result.
    package func scan(
        _ sql: String,
        _ bindings: [SQLValue] = [],
        _ visit: (borrowing Row) throws -> Bool
    ) throws {
        try withStatement(sql, bindings) { statement in
            while try step(statement, sql) {
                guard try visit(Row(statement.pointer)) else { return }
            }
        }
    }

    /// The first row, or nil when there is none.
    ///
    /// Later rows are not read.
    package func first<Value>(
        _ sql: String,
        _ bindings: [SQLValue] = [],
        _ value: (borrowing Row) throws -> Value
    ) throws -> Value? {
        try withStatement(sql, bindings) { statement in
            try step(statement, sql) ? try value(Row(statement.pointer)) : nil
        }
    }

    /// Ends cleanly: everything is in the main file, and the next open need not check it.
    package func close() throws {
        guard handle != nil else { return }
        precondition(!isInTransaction, "a transaction is open")
        defer { release() }
        if options.readOnly { return }
        try run("PRAGMA optimize")
        let wasBusy = try first("PRAGMA wal_checkpoint(TRUNCATE)") { try $0.bool(0) }
        if wasBusy == true { throw problem(SQLITE_BUSY) }
    }

    /// The connection, unless it is closed or has lost the transaction that its user believes in.
    func usable() throws -> OpaquePointer {
        guard let handle else {
            throw Problem("store.closed", "\(path) is closed; the service is stopping.", retryable: true)
        }
        guard !expectsTransaction || sqlite3_get_autocommit(handle) == 0 else {
            throw Problem(
                "store.transaction_lost",
                "The transaction on \(path) was undone by an earlier error; nothing was changed. Try again.",
                retryable: true
            )
        }
        return handle
    }

    /// Closing by `close_v2` cannot fail: a statement that is still stepped keeps the connection until it ends.
    private func release() {
        cache.removeAll()
        sqlite3_close_v2(handle)
        handle = nil
    }

    private func step(_ statement: Statement, _ sql: String) throws -> Bool {
        switch sqlite3_step(statement.pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let result: throw problem(result, sql)
        }
    }

    private func withStatement<Value>(
        _ sql: String,
        _ bindings: [SQLValue],
        _ use: (Statement) throws -> Value
    ) throws -> Value {
        let handle = try usable()
        let statement = try cache.idle(sql) ?? prepare(sql, handle)
        statement.isBusy = true
        defer { statement.reset() }
        let result = statement.bind(bindings)
        guard result == SQLITE_OK else { throw problem(result, sql) }
        return try use(statement)
    }

    private func prepare(_ sql: String, _ handle: OpaquePointer) throws -> Statement {
        var pointer: OpaquePointer?
        var hasMore = false
        let result = sql.withCString { text in
            var tail: UnsafePointer<CChar>?
            let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
            let result = sqlite3_prepare_v3(handle, text, -1, flags, &pointer, &tail)
            hasMore = tail.map { $0.pointee != 0 } ?? false
            return result
        }
        guard result == SQLITE_OK else { throw problem(result, sql) }
        guard let pointer else { throw problem(SQLITE_MISUSE, sql) }
        let statement = Statement(pointer)
        // What follows the first statement would silently not be run.
        guard !hasMore else { throw problem(SQLITE_MISUSE, sql) }
        cache.keep(statement, sql)
        return statement
    }
}
