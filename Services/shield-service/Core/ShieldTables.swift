import STContracts
import STDomain
import STPlatform
import STStore

/// The apps, and the permissions that members gave them.
enum AppTable {
    static let migration = Migration(
        name: "apps",
        sql: """
            CREATE TABLE members (name TEXT PRIMARY KEY, is_individual INTEGER NOT NULL) STRICT;
            CREATE TABLE apps (
                app TEXT PRIMARY KEY, name TEXT NOT NULL, configuration TEXT, action TEXT,
                bundle TEXT NOT NULL, installed_at TEXT NOT NULL, groups TEXT NOT NULL
            ) STRICT;
            CREATE TABLE words (
                app TEXT NOT NULL, member TEXT NOT NULL, is_approved INTEGER NOT NULL,
                is_enforced INTEGER NOT NULL, generation INTEGER NOT NULL, PRIMARY KEY (app, member)
            ) STRICT;
            """
    )

    static func load(into state: inout ShieldState, _ database: Database) throws {
        try database.query("SELECT app, name, configuration, action, bundle, installed_at, groups FROM apps")
        {
            state.apps.installed[try $0.text(0)] = ShieldApps.Extensions(
                name: try $0.text(1),
                configuration: try $0.optionalText(2),
                action: try $0.optionalText(3),
                bundle: try $0.text(4),
                installedAt: try $0.text(5),
                // A group's name has no space in it.
                groups: try $0.text(6).split(separator: " ").map(String.init)
            )
        }
        try database.query("SELECT app, member, is_approved, is_enforced, generation FROM words") {
            let permission = ShieldApps.Permission(app: try $0.text(0), member: try $0.text(1))
            state.apps.permissions[permission] = ShieldApps.PermissionState(
                isApproved: try $0.bool(2),
                isEnforced: try $0.bool(3),
                generation: try $0.int(4)
            )
        }
    }

    static func set(_ app: String, extensions: ShieldApps.Extensions, database: Database) throws {
        try database.run(
            """
            INSERT INTO apps (app, name, configuration, action, bundle, installed_at, groups)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (app) DO UPDATE SET name = excluded.name,
                configuration = excluded.configuration, action = excluded.action, bundle = excluded.bundle,
                installed_at = excluded.installed_at, groups = excluded.groups
            """,
            [
                .text(app), .text(extensions.name), SQLValue(extensions.configuration),
                SQLValue(extensions.action), .text(extensions.bundle), .text(extensions.installedAt),
                .text(extensions.groups.joined(separator: " ")),
            ]
        )
    }

    static func remove(app: String, _ database: Database) throws {
        try database.run("DELETE FROM apps WHERE app = ?", [.text(app)])
        try database.run("DELETE FROM words WHERE app = ?", [.text(app)])
    }

    static func set(_ permission: ShieldApps.Permission, word: ShieldApps.PermissionState, database: Database)
        throws
    {
        try database.run(
            """
            INSERT INTO words (app, member, is_approved, is_enforced, generation) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (app, member) DO UPDATE SET is_approved = excluded.is_approved,
                is_enforced = excluded.is_enforced, generation = excluded.generation
            """,
            [
                .text(permission.app), .text(permission.member), SQLValue(word.isApproved),
                SQLValue(word.isEnforced), .integer(word.generation),
            ]
        )
    }

    static func clear(_ database: Database) throws {
        try database.run("DELETE FROM apps")
        try database.run("DELETE FROM words")
    }
}

/// Each store, with the settings in the app's form and by canonical names.
enum StoreTable {
    /// Drops the stores of 0.2.0, which belonged to no member and were never in force.
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
            store.settings = try members(try $0.blob(4))
            store.values = SettingWire.values(try members(try $0.blob(5)))
            store.isActive = try $0.bool(6)
            store.isInForce = try $0.bool(7)
            store.reason = try $0.optionalText(8)
            store.changed = WallTime(ms: try $0.int(9))
            store.generation = try $0.int(10)
            store.measure()
            state.stores[name] = store
            state.storeBytes += store.size.all
            if store.isInForce { state.policy.set(name, store.shields) }
        }
    }

    static func save(_ name: StoreName, store: NamedStore, database: Database) throws {
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
                .integer(store.changed.ms), .integer(store.generation),
            ]
        )
    }

    static func delete(_ name: StoreName, _ database: Database) throws {
        try database.run(
            "DELETE FROM named_stores WHERE app = ? AND member = ? AND store = ?",
            [.text(name.app), .text(name.member), .text(name.store)]
        )
    }

    private static func members(_ bytes: [UInt8]) throws -> [String: JSONValue] {
        guard case .object(let members) = try JSONValue(text: bytes) else {
            throw Problem(
                "store.wrong_type",
                "A stored row of settings is not an object; restore a backup."
            )
        }
        return members
    }
}
