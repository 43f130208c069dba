import STContracts
import STFollowing
import STPlatform
import STStore

/// The tables of the service's own database.
///
/// With every store, this database contains the people of this machine and the addresses and keys of the household. It also
/// contains the keys of the messages that the hook has received. `FileStore` reads and writes the other tables.
enum HouseholdTables {
    static let migrations = [
        Household.initialMigration,
        Migration(
            name: "machines",
            sql: """
                CREATE TABLE own (only INTEGER PRIMARY KEY CHECK (only = 1), address TEXT NOT NULL, secret BLOB NOT NULL,
                    places TEXT NOT NULL, phones BLOB) STRICT;
                CREATE TABLE devices (
                    place INTEGER PRIMARY KEY, device TEXT NOT NULL UNIQUE, name TEXT NOT NULL, key BLOB NOT NULL,
                    accounts BLOB NOT NULL, joined_ms INTEGER NOT NULL, removed INTEGER NOT NULL DEFAULT 0,
                    epoch TEXT, sequence INTEGER, event TEXT, anew INTEGER NOT NULL DEFAULT 0,
                    seen_ms INTEGER, clock_off_ms INTEGER NOT NULL DEFAULT 0,
                    aside INTEGER NOT NULL DEFAULT 0, forgets INTEGER NOT NULL DEFAULT 0
                ) STRICT;
                CREATE TABLE invitations (id TEXT PRIMARY KEY, key BLOB NOT NULL, until_ms INTEGER NOT NULL, used_by BLOB,
                    machines INTEGER) STRICT;
                CREATE TABLE guests (
                    invitation TEXT PRIMARY KEY, name TEXT NOT NULL, key BLOB NOT NULL, accounts BLOB NOT NULL,
                    number TEXT NOT NULL
                ) STRICT;
                CREATE TABLE letters (
                    place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, sender TEXT NOT NULL, receiver TEXT NOT NULL,
                    answers TEXT, sealed TEXT NOT NULL, until_ms INTEGER NOT NULL
                ) STRICT;
                CREATE TABLE house_rules (member TEXT NOT NULL, id TEXT NOT NULL, rule BLOB NOT NULL,
                    PRIMARY KEY (member, id)) STRICT, WITHOUT ROWID;
                -- A place is never given twice: machines remember how far they have read.
                CREATE TABLE uses (
                    place INTEGER PRIMARY KEY AUTOINCREMENT, device TEXT NOT NULL, segment TEXT NOT NULL,
                    epoch TEXT NOT NULL, member TEXT NOT NULL, start_wall_ms INTEGER NOT NULL,
                    local_ms INTEGER NOT NULL, length_ms INTEGER NOT NULL, body BLOB NOT NULL, UNIQUE (device, segment)
                ) STRICT;
                CREATE INDEX uses_of_member ON uses (member, place);
                CREATE TABLE hour_sums (
                    member TEXT NOT NULL, hour INTEGER NOT NULL, device TEXT NOT NULL, app TEXT NOT NULL,
                    site TEXT NOT NULL, category TEXT NOT NULL, ms INTEGER NOT NULL,
                    PRIMARY KEY (member, hour, device, app, site, category)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE day_sums (
                    member TEXT NOT NULL, day INTEGER NOT NULL, device TEXT NOT NULL, app TEXT NOT NULL,
                    site TEXT NOT NULL, category TEXT NOT NULL, ms INTEGER NOT NULL,
                    PRIMARY KEY (member, day, device, app, site, category)
                ) STRICT, WITHOUT ROWID;
                """
                    + hookDeliveryTable
        ),
        Migration(name: "keys", sql: "ALTER TABLE own ADD COLUMN next BLOB"),
    ]

    private static let hookDeliveryTable = """
        -- What the hook has been told, and until when that is remembered.
        CREATE TABLE hook_told (key TEXT PRIMARY KEY, until_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        """

    /// Loads the part of the state that is in this database with every store.
    static func load(_ database: Database) throws -> HouseholdState {
        var state = HouseholdState()
        state.household = try Household(database)
        state.hookDeliveries = try loadHookDeliveries(database)
        state.identity = try database.first("SELECT address, secret, places, phones, next FROM own") { row in
            var own = HouseholdState.ServiceIdentity(
                address: try row.text(0),
                secret: try row.blob(1),
                places: try row.text(2)
            )
            own.next = try row.optionalBlob(4)
            own.phones = try row.optionalBlob(3).map { try HouseholdState.PhoneEndpoint.decodedBody($0) }
            return own
        }
        state.isRestored = database.isRestored
        return state
    }

    static func save(_ own: HouseholdState.ServiceIdentity, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO own (only, address, secret, places, phones, next) VALUES (1, ?, ?, ?, ?, ?)
            ON CONFLICT (only) DO UPDATE SET address = excluded.address, secret = excluded.secret, places = excluded.places,
                phones = excluded.phones, next = excluded.next
            """,
            [
                .text(own.address), .blob(own.secret), .text(own.places),
                try own.phones.map { .blob(try $0.encodedBody()) } ?? .null,
                own.next.map { .blob($0) } ?? .null,
            ]
        )
    }

    private static func loadHookDeliveries(_ database: Database) throws -> [String: WallTime] {
        // Rows: those of the last half month.
        let rows = try database.query("SELECT key, until_ms FROM hook_told") {
            (try $0.text(0), WallTime(ms: try $0.int(1)))
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    static func save(told key: String, until: WallTime, _ database: Database) throws {
        try database.run(
            "INSERT OR REPLACE INTO hook_told (key, until_ms) VALUES (?, ?)",
            [.text(key), .integer(until.ms)]
        )
    }

    static func remove(told key: String, _ database: Database) throws {
        try database.run("DELETE FROM hook_told WHERE key = ?", [.text(key)])
    }
}
