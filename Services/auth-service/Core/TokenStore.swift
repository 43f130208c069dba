import STCrypto
import STStore

/// What a key is for.
struct TokenKeyRow: Sendable, Equatable {
    var version: Int64
    var app: String
    var generation: Int64
}

/// Keys in the database.
enum TokenStore {
    static func insert(master key: Secret, _ version: Int64, _ database: Database) throws {
        try database.run(
            "INSERT INTO token_masters (version, key) VALUES (?, ?)",
            [.integer(version), .blob(key.withBytes { [UInt8]($0) })]
        )
    }

    static func master(_ version: Int64, _ database: Database) throws -> MasterKey? {
        try database.first(
            "SELECT version, key FROM token_masters WHERE version = ?",
            [.integer(version)],
            read
        )
    }

    static func newestMaster(_ database: Database) throws -> MasterKey? {
        try database.first("SELECT version, key FROM token_masters ORDER BY version DESC", [], read)
    }

    /// The same key again is the same row.
    static func insert(_ row: TokenKeyRow, id: UInt64, _ database: Database) throws {
        try database.run(
            "INSERT INTO token_keys (id, version, app, generation) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [
                .integer(Int64(bitPattern: id)), .integer(row.version), .text(row.app),
                .integer(row.generation),
            ]
        )
    }

    static func key(_ id: UInt64, _ database: Database) throws -> TokenKeyRow? {
        try database.first(
            "SELECT version, app, generation FROM token_keys WHERE id = ?",
            [.integer(Int64(bitPattern: id))]
        ) { TokenKeyRow(version: try $0.int(0), app: try $0.text(1), generation: try $0.int(2)) }
    }

    private static func read(_ row: borrowing Row) throws -> MasterKey {
        var bytes = try row.blob(1)
        return MasterKey(version: try row.int(0), key: try Secret(wiping: &bytes))
    }
}
