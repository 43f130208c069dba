import STContracts
import STDomain
import STStore

/// Every store as it stands: what the app set, and what it means.
enum StoreTable {
    /// What 0.2.0 kept under any name and for nobody, nothing could set but a program of one's own, and nothing
    /// of it was ever in force: it says nothing that could be carried over.
    static let migration = Migration(
        name: "named-stores",
        sql: """
            DROP TABLE stores;
            CREATE TABLE named_stores (
                app TEXT NOT NULL, member TEXT NOT NULL, store TEXT NOT NULL, version INTEGER NOT NULL,
                settings BLOB NOT NULL, said BLOB NOT NULL, is_active INTEGER NOT NULL,
                is_in_force INTEGER NOT NULL, reason TEXT, changed_wall_ms INTEGER NOT NULL,
                generation INTEGER NOT NULL,
                PRIMARY KEY (app, member, store)
            ) STRICT;
            """
    )

    static func load(into state: inout ShieldState, _ database: Database) throws {
        try database.query(
            """
            SELECT app, member, store, version, settings, said, is_active, is_in_force, reason, changed_wall_ms,
                generation
            FROM named_stores
            """
        ) {
            let name = StoreName(app: try $0.text(0), member: try $0.text(1), store: try $0.text(2))
            var store = NamedStore()
            store.version = try $0.int(3)
            store.settings = try JSONRow.members(try $0.blob(4))
            store.values = SettingWire.values(try JSONRow.members(try $0.blob(5)))
            store.isActive = try $0.bool(6)
            store.isInForce = try $0.bool(7)
            store.reason = try $0.optionalText(8)
            store.changedWallMs = try $0.int(9)
            store.generation = try $0.int(10)
            store.measure()
            state.stores[name] = store
            state.storeBytes += store.size.all
            if store.isInForce { state.policy.set(name, store.shields) }
        }
    }

    static func save(_ name: StoreName, _ store: NamedStore, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO named_stores (
                app, member, store, version, settings, said, is_active, is_in_force, reason, changed_wall_ms,
                generation
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (app, member, store) DO UPDATE SET version = excluded.version,
                settings = excluded.settings, said = excluded.said, is_active = excluded.is_active,
                is_in_force = excluded.is_in_force, reason = excluded.reason,
                changed_wall_ms = excluded.changed_wall_ms, generation = excluded.generation
            """,
            [
                .text(name.app), .text(name.member), .text(name.store), .integer(store.version),
                .blob(JSONValue.object(store.settings).text),
                .blob(JSONValue.object(SettingWire.canonical(store.values)).text),
                SQLValue(store.isActive), SQLValue(store.isInForce), SQLValue(store.reason),
                .integer(store.changedWallMs), .integer(store.generation),
            ]
        )
    }

    static func delete(_ name: StoreName, _ database: Database) throws {
        try database.run(
            "DELETE FROM named_stores WHERE app = ? AND member = ? AND store = ?",
            [.text(name.app), .text(name.member), .text(name.store)]
        )
    }
}
