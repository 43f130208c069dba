import STContracts
import STStore

/// The tables of shield-service.
enum ShieldStore {
    static let migrations = [
        Migration(
            name: "stores",
            sql: """
                CREATE TABLE stores (
                    app TEXT NOT NULL, store TEXT NOT NULL, version INTEGER NOT NULL, settings BLOB NOT NULL,
                    PRIMARY KEY (app, store)
                ) STRICT;
                """
        )
    ]

    static func load(_ database: Database) throws -> ShieldState {
        var state = ShieldState()
        try database.query("SELECT app, store, version, settings FROM stores") { row in
            let address = StoreAddress(app: try row.text(0), store: try row.text(1))
            let settings = try StoredSettings.decodedBody(try row.blob(3)).settings
            state.stores[address] = ShieldState.Store(version: try row.int(2), settings: settings)
        }
        return state
    }

    static func save(_ address: StoreAddress, _ store: ShieldState.Store, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO stores (app, store, version, settings) VALUES (?, ?, ?, ?)
            ON CONFLICT (app, store) DO UPDATE SET version = excluded.version, settings = excluded.settings
            """,
            [
                .text(address.app), .text(address.store), .integer(store.version),
                .blob(try StoredSettings(settings: store.settings).encodedBody()),
            ]
        )
    }
}

/// Settings as they stand in a row.
private struct StoredSettings: WireBody, Codable {
    var settings: [String: JSONValue]
}
