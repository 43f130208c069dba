import STCSQLite
import STPlatform

/// One row of a result, valid only while the closure that receives it runs.
///
/// A `Row` is not copyable, so the closure cannot keep it. The next step of the statement overwrites the memory it points to.
package struct Row: ~Copyable {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) { self.statement = statement }

    package func int(_ column: Int) throws -> Int64 {
        try expect(SQLITE_INTEGER, name: "an integer", column: column)
        return sqlite3_column_int64(statement, Int32(column))
    }

    package func bool(_ column: Int) throws -> Bool { try int(column) != 0 }

    package func text(_ column: Int) throws -> String {
        try expect(SQLITE_TEXT, name: "text", column: column)
        // Get the pointer before the length, because `sqlite3_column_text` may convert the text, which changes the length.
        guard let start = sqlite3_column_text(statement, Int32(column)) else { throw unreadable(column) }
        let count = Int(sqlite3_column_bytes(statement, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    package func blob(_ column: Int) throws -> [UInt8] {
        try expect(SQLITE_BLOB, name: "a blob", column: column)
        // SQLite returns NULL for a blob without bytes.
        guard let start = sqlite3_column_blob(statement, Int32(column)) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: byteCount(column)))
    }

    package func optionalInt(_ column: Int) throws -> Int64? { isNull(column) ? nil : try int(column) }

    package func optionalText(_ column: Int) throws -> String? { isNull(column) ? nil : try text(column) }

    package func optionalBlob(_ column: Int) throws -> [UInt8]? { isNull(column) ? nil : try blob(column) }

    package func isNull(_ column: Int) -> Bool {
        sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL
    }

    /// The number of bytes of a text or blob, without reading it.
    package func byteCount(_ column: Int) -> Int { Int(sqlite3_column_bytes(statement, Int32(column))) }

    private func expect(_ type: Int32, name: String, column: Int) throws {
        precondition(column >= 0 && column < Int(sqlite3_column_count(statement)), "no such column")
        guard sqlite3_column_type(statement, Int32(column)) == type else {
            throw Problem(
                "store.wrong_type",
                """
                Column \(column, "column") does not hold \(name, "name"); the file was written by another \
                version. Update screentime, or restore a backup.
                """,
                key: "store.wrong_type.column-does-not"
            )
        }
    }

    private func unreadable(_ column: Int) -> Problem {
        Problem(
            "store.out_of_memory",
            "There is not enough memory to read column \(column, "column"). Close some programs and try again.",
            retryable: true
        )
    }
}

/// One value that a statement binds to a `?`.
package enum SQLValue: Sendable, Equatable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    package init(_ value: Int) { self = .integer(Int64(value)) }

    package init(_ value: Int64?) { self = value.map { .integer($0) } ?? .null }

    package init(_ value: String?) { self = value.map { .text($0) } ?? .null }

    package init(_ value: [UInt8]?) { self = value.map { .blob($0) } ?? .null }

    package init(_ value: Bool) { self = .integer(value ? 1 : 0) }
}

extension SQLValue: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self = .integer(value) }
}

extension SQLValue: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { self = .text(value) }
}

extension SQLValue: ExpressibleByBooleanLiteral {
    package init(booleanLiteral value: Bool) { self.init(value) }
}

extension SQLValue: ExpressibleByNilLiteral {
    package init(nilLiteral: ()) { self = .null }
}
