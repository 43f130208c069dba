import STCSQLite

/// A prepared statement, finalised when its last reference is released.
final class Statement {
    let pointer: OpaquePointer
    /// True while it is being stepped. The same SQL inside its own loop then gets another statement.
    var isBusy = false
    /// The cache's use count at the last use.
    var lastUse = 0

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { sqlite3_finalize(pointer) }

    /// Binds all values. Returns the result code of the first that fails, or `SQLITE_OK`.
    func bind(_ values: [SQLValue]) -> Int32 {
        guard values.count == Int(sqlite3_bind_parameter_count(pointer)) else { return SQLITE_RANGE }
        var index: Int32 = 1
        for value in values {
            let result = bind(value, index)
            guard result == SQLITE_OK else { return result }
            index += 1
        }
        return SQLITE_OK
    }

    /// Prepares the statement for its next use. The result code is ignored because it only repeats the error of the last step.
    func reset() {
        sqlite3_reset(pointer)
        sqlite3_clear_bindings(pointer)
        isBusy = false
    }

    /// `SQLITE_TRANSIENT`, a cast that Swift does not import. SQLite makes its own copy of the value, and no other copy is made.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    private func bind(_ value: SQLValue, _ index: Int32) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(pointer, index)
        case .integer(let number): sqlite3_bind_int64(pointer, index, number)
        case .text(var text): text.withUTF8 { bind(text: $0, index) }
        case .blob(let bytes): bytes.withUnsafeBytes { bind(blob: $0, index) }
        }
    }

    private func bind(text: UnsafeBufferPointer<UInt8>, _ index: Int32) -> Int32 {
        // An empty buffer may have no address, and a null pointer would bind NULL.
        guard let start = text.baseAddress, !text.isEmpty else {
            return sqlite3_bind_text(pointer, index, "", 0, Self.copied)
        }
        return start.withMemoryRebound(to: CChar.self, capacity: text.count) {
            sqlite3_bind_text64(pointer, index, $0, UInt64(text.count), Self.copied, UInt8(SQLITE_UTF8))
        }
    }

    private func bind(blob: UnsafeRawBufferPointer, _ index: Int32) -> Int32 {
        guard let start = blob.baseAddress, !blob.isEmpty else {
            return sqlite3_bind_zeroblob(pointer, index, 0)
        }
        return sqlite3_bind_blob64(pointer, index, start, UInt64(blob.count), Self.copied)
    }
}

/// The prepared statements of one connection, by their SQL.
///
/// Preparing costs more than running a short statement. The capacity is limited so that SQL composed from input cannot fill memory.
/// A service has far fewer than 128 statements.
struct StatementCache {
    static let capacity = 128

    private var statements: [String: Statement] = [:]
    private var uses = 0

    /// The cached statement, unless it is being stepped.
    mutating func takeIdle(_ sql: String) -> Statement? {
        guard let statement = statements[sql], !statement.isBusy else { return nil }
        uses += 1
        statement.lastUse = uses
        return statement
    }

    /// Caches a statement, unless one with the same SQL is already cached. That one is in use, and this is a temporary second one.
    mutating func store(_ statement: Statement, _ sql: String) {
        guard statements[sql] == nil else { return }
        if statements.count >= Self.capacity { dropOldest() }
        uses += 1
        statement.lastUse = uses
        statements[sql] = statement
    }

    mutating func removeAll() { statements.removeAll() }

    private mutating func dropOldest() {
        let idle = statements.filter { !$0.value.isBusy }
        guard let oldest = idle.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
        statements[oldest.key] = nil
    }
}
