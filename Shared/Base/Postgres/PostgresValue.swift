import STCPostgreSQL
import STPlatform

/// A value for a statement. Lists are for `unnest`.
package enum PostgresValue: Sendable {
    case null
    case integer(Int64)
    case flag(Bool)
    case text(String)
    case blob([UInt8])
    case integers([Int64])
    case texts([String])
    case blobs([[UInt8]])

    // The numbers of types in the server's catalogue, which never change.
    private static let int8: UInt32 = 20
    private static let text: UInt32 = 25
    private static let bytea: UInt32 = 17

    /// The type's number. With zero, the server determines the type.
    var type: UInt32 {
        switch self {
        case .null: 0
        case .integer: Self.int8
        case .flag: 16
        case .text: Self.text
        case .blob: Self.bytea
        case .integers: 1016
        case .texts: 1009
        case .blobs: 1001
        }
    }

    /// Appends the value in the server's binary format. Null has no bytes.
    func append(to out: inout [UInt8]) {
        switch self {
        case .null: break
        case .integer(let value): Self.append(value, to: &out)
        case .flag(let value): out.append(value ? 1 : 0)
        case .text(let value): out.append(contentsOf: value.utf8)
        case .blob(let value): out.append(contentsOf: value)
        case .integers(let values):
            Self.begin(Self.int8, count: values.count, out: &out)
            for value in values {
                Self.append(Int32(8), to: &out)
                Self.append(value, to: &out)
            }
        case .texts(let values):
            Self.begin(Self.text, count: values.count, out: &out)
            for value in values {
                Self.append(Int32(value.utf8.count), to: &out)
                out.append(contentsOf: value.utf8)
            }
        case .blobs(let values):
            Self.begin(Self.bytea, count: values.count, out: &out)
            for value in values {
                Self.append(Int32(value.count), to: &out)
                out.append(contentsOf: value)
            }
        }
    }

    var isNull: Bool { if case .null = self { true } else { false } }

    /// Appends the header of an array with one dimension, without nulls, with indices from 1.
    private static func begin(_ element: UInt32, count: Int, out: inout [UInt8]) {
        append(Int32(count == 0 ? 0 : 1), to: &out)
        append(Int32(0), to: &out)
        append(Int32(bitPattern: element), to: &out)
        guard count > 0 else { return }
        append(Int32(count), to: &out)
        append(Int32(1), to: &out)
    }

    private static func append(_ value: some FixedWidthInteger, to out: inout [UInt8]) {
        withUnsafeBytes(of: value.bigEndian) { out.append(contentsOf: $0) }
    }
}

/// The result of a statement.
package struct PostgresRows: ~Copyable {
    let result: OpaquePointer
    package let count: Int
    /// The number of rows changed by a statement without a result.
    package let changed: Int

    init(_ result: OpaquePointer) {
        self.result = result
        count = Int(PQntuples(result))
        changed = PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
    }

    deinit { PQclear(result) }

    private func bytes(_ row: Int, _ column: Int32) throws -> UnsafeRawBufferPointer {
        guard PQgetisnull(result, Int32(row), column) == 0, let start = PQgetvalue(result, Int32(row), column)
        else {
            throw Problem(
                "store.statement",
                "The database returned no value in column \(column, "column"). Please report this.",
                key: "store.statement.the-database-answered"
            )
        }
        return UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, Int32(row), column)))
    }

    package func isNull(_ row: Int, _ column: Int32) -> Bool { PQgetisnull(result, Int32(row), column) != 0 }

    package func int(_ row: Int, _ column: Int32) throws -> Int64 {
        let bytes = try bytes(row, column)
        var value: UInt64 = 0
        for byte in bytes { value = value << 8 | UInt64(byte) }
        // Extends the sign of a number with fewer than eight bytes.
        let spare = UInt64(64 - 8 * bytes.count)
        return Int64(bitPattern: value << spare) >> Int64(spare)
    }

    package func text(_ row: Int, _ column: Int32) throws -> String {
        String(decoding: try bytes(row, column), as: UTF8.self)
    }

    package func blob(_ row: Int, _ column: Int32) throws -> [UInt8] { Array(try bytes(row, column)) }

    package func flag(_ row: Int, _ column: Int32) throws -> Bool { try bytes(row, column).first == 1 }

    package func optionalInt(_ row: Int, _ column: Int32) throws -> Int64? {
        isNull(row, column) ? nil : try int(row, column)
    }

    package func optionalText(_ row: Int, _ column: Int32) throws -> String? {
        isNull(row, column) ? nil : try text(row, column)
    }

    package func optionalBlob(_ row: Int, _ column: Int32) throws -> [UInt8]? {
        isNull(row, column) ? nil : try blob(row, column)
    }
}
