import STContracts
import STFollowing
import STPlatform
import STStore

/// The tables of household-service.
enum HouseholdTables {
    static let migrations = [
        Household.freshMigration,
        Migration(
            name: "machines",
            sql: """
                CREATE TABLE own (only INTEGER PRIMARY KEY CHECK (only = 1), address TEXT NOT NULL, secret BLOB NOT NULL,
                    places TEXT NOT NULL) STRICT;
                CREATE TABLE devices (
                    place INTEGER PRIMARY KEY, device TEXT NOT NULL UNIQUE, name TEXT NOT NULL, key BLOB NOT NULL,
                    accounts BLOB NOT NULL, joined_ms INTEGER NOT NULL, removed INTEGER NOT NULL DEFAULT 0,
                    epoch TEXT, sequence INTEGER, event TEXT, anew INTEGER NOT NULL DEFAULT 0,
                    seen_ms INTEGER, clock_off_ms INTEGER NOT NULL DEFAULT 0,
                    aside INTEGER NOT NULL DEFAULT 0
                ) STRICT;
                CREATE TABLE invitations (id TEXT PRIMARY KEY, key BLOB NOT NULL, until_ms INTEGER NOT NULL, used_by BLOB)
                    STRICT;
                CREATE TABLE guests (
                    invitation TEXT PRIMARY KEY, name TEXT NOT NULL, key BLOB NOT NULL, accounts BLOB NOT NULL,
                    number TEXT NOT NULL
                ) STRICT;
                -- A place is never given twice: machines remember how far they have read.
                CREATE TABLE uses (
                    place INTEGER PRIMARY KEY AUTOINCREMENT, device TEXT NOT NULL, segment TEXT NOT NULL,
                    epoch TEXT NOT NULL, member TEXT NOT NULL, start_wall_ms INTEGER NOT NULL,
                    length_ms INTEGER NOT NULL, body BLOB NOT NULL, UNIQUE (device, segment)
                ) STRICT;
                CREATE INDEX uses_of_member ON uses (member, place);
                """
        ),
    ]

    private struct Accounts: WireBody, Codable {
        var accounts: [HouseholdAccount]
    }

    private struct Members: WireBody, Codable {
        var members: [String]
    }

    static func load(_ database: Database) throws -> HouseholdState {
        var state = HouseholdState()
        state.household = try Household(database)
        state.own = try database.first("SELECT address, secret, places FROM own") {
            .init(address: try $0.text(0), secret: try $0.blob(1), places: try $0.text(2))
        }
        state.devices = try database.query(
            // Rows: all machines, and of each the count of its rows, at the start.
            """
            SELECT device, name, key, accounts, joined_ms, removed, epoch, sequence, event, anew, seen_ms, clock_off_ms,
                (SELECT count(*) FROM uses WHERE uses.device = devices.device), aside FROM devices ORDER BY place
            """
        ) { row in
            var device = HouseholdState.Device(
                id: try row.text(0),
                name: try row.text(1),
                key: try row.blob(2),
                accounts: try Accounts.decodedBody(try row.blob(3)).accounts,
                joinedMs: try row.int(4)
            )
            device.isRemoved = try row.bool(5)
            device.cursor = HouseholdCursor(
                epoch: try row.optionalText(6),
                sequence: try row.optionalInt(7),
                id: try row.optionalText(8)
            )
            device.isAnew = try row.bool(9)
            device.seenMs = try row.optionalInt(10)
            device.clockOffMs = try row.int(11)
            device.rows = try row.int(12)
            device.aside = try row.int(13)
            return device
        }
        state.invitations = try database.query(
            "SELECT id, key, until_ms, used_by FROM invitations ORDER BY id"
        ) {
            .init(
                id: try $0.text(0),
                key: try $0.blob(1),
                untilMs: try $0.int(2),
                usedBy: try $0.optionalBlob(3)
            )
        }
        state.guests = try database.query("SELECT invitation, name, key, accounts, number FROM guests") {
            .init(
                invitation: try $0.text(0),
                name: try $0.text(1),
                key: try $0.blob(2),
                accounts: try Accounts.decodedBody(try $0.blob(3)).accounts,
                number: try $0.text(4)
            )
        }
        state.isRestored = database.isRestored
        // Rows: one of the counter that AUTOINCREMENT keeps.
        state.lastPlace =
            try database.first("SELECT seq FROM sqlite_sequence WHERE name = 'uses'") { try $0.int(0) } ?? 0
        return state
    }

    static func save(_ own: HouseholdState.Own, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO own (only, address, secret, places) VALUES (1, ?, ?, ?)
            ON CONFLICT (only) DO UPDATE SET address = excluded.address, places = excluded.places
            """,
            [.text(own.address), .blob(own.secret), .text(own.places)]
        )
    }

    static func save(_ device: HouseholdState.Device, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO devices
                (device, name, key, accounts, joined_ms, removed, epoch, sequence, event, anew, seen_ms, clock_off_ms,
                aside)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (device) DO UPDATE SET
                accounts = excluded.accounts, aside = excluded.aside, removed = excluded.removed, epoch = excluded.epoch, sequence = excluded.sequence,
                event = excluded.event, anew = excluded.anew, seen_ms = excluded.seen_ms,
                clock_off_ms = excluded.clock_off_ms
            """,
            [
                .text(device.id), .text(device.name), .blob(device.key),
                .blob(try Accounts(accounts: device.accounts).encodedBody()), .integer(device.joinedMs),
                .integer(device.isRemoved ? 1 : 0), SQLValue(device.cursor.epoch),
                SQLValue(device.cursor.sequence),
                SQLValue(device.cursor.id), .integer(device.isAnew ? 1 : 0), SQLValue(device.seenMs),
                .integer(device.clockOffMs), .integer(device.aside),
            ]
        )
    }

    static func add(_ invitation: HouseholdState.Invitation, _ database: Database) throws {
        try database.run(
            "INSERT INTO invitations (id, key, until_ms) VALUES (?, ?, ?)",
            [.text(invitation.id), .blob(invitation.key), .integer(invitation.untilMs)]
        )
    }

    static func save(_ invitation: HouseholdState.Invitation, _ database: Database) throws {
        try database.run(
            "UPDATE invitations SET used_by = ? WHERE id = ?",
            [invitation.usedBy.map { .blob($0) } ?? .null, .text(invitation.id)]
        )
    }

    static func add(_ guest: HouseholdState.Guest, _ database: Database) throws {
        try database.run(
            "INSERT INTO guests (invitation, name, key, accounts, number) VALUES (?, ?, ?, ?, ?)",
            [
                .text(guest.invitation), .text(guest.name), .blob(guest.key),
                .blob(try Accounts(accounts: guest.accounts).encodedBody()), .text(guest.number),
            ]
        )
    }

    static func removeGuest(of invitation: String, _ database: Database) throws {
        try database.run("DELETE FROM guests WHERE invitation = ?", [.text(invitation)])
    }

    static func removeInvitation(_ id: String, _ database: Database) throws {
        try removeGuest(of: id, database)
        try database.run("DELETE FROM invitations WHERE id = ?", [.text(id)])
    }

    /// Returns the place of a row that is new, and nil for one that was there.
    static func add(_ row: Segment, of device: String, epoch: String, _ database: Database) throws -> Int64? {
        try database.first(
            """
            INSERT INTO uses (device, segment, epoch, member, start_wall_ms, length_ms, body)
            VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (device, segment) DO NOTHING RETURNING place
            """,
            [
                .text(device), .text(row.segment), .text(epoch), .text(row.member), .integer(row.startWallMs),
                .integer(row.durationMs), .blob(try row.encodedBody()),
            ]
        ) { try $0.int(0) }
    }

    /// What was there stays where it is, and belongs to the new ledger of its machine.
    static func renew(_ segment: String, of device: String, epoch: String, _ database: Database) throws {
        try database.run(
            "UPDATE uses SET epoch = ? WHERE device = ? AND segment = ?",
            [.text(epoch), .text(device), .text(segment)]
        )
    }

    /// Deletes what a machine does not have any more; returns how much that was.
    static func forget(of device: String, before epoch: String, _ database: Database) throws -> Int {
        try database.run(
            // Rows: all of one machine, once, when its ledger was begun anew.
            "DELETE FROM uses WHERE device = ? AND epoch <> ?",
            [.text(device), .text(epoch)]
        )
    }

    /// What members used on other machines, after a place.
    /// A page, which fits into a reply.
    static func rows(
        after place: Int64,
        of members: [String],
        besides device: String,
        limit: Int,
        _ database: Database
    )
        throws -> (rows: [(place: Int64, row: Segment)], more: Bool)
    {
        let names = String(decoding: try Members(members: members).encodedBody(), as: UTF8.self)
        var rows: [(place: Int64, row: Segment)] = []
        var bytes = 0
        var isFull = false
        try database.scan(
            // Rows: a page, of the members of one machine.
            """
            SELECT place, body FROM uses WHERE member IN (SELECT value FROM json_each(?1, '$.members')) AND place > ?2
                AND device <> ?3 ORDER BY place LIMIT ?4
            """,
            [.text(names), .integer(place), .text(device), SQLValue(limit)]
        ) { row in
            let body = try row.blob(1)
            bytes += body.count
            isFull = bytes > BusLimits.pageBytes / 2
            rows.append((try row.int(0), try Segment.decodedBody(body)))
            return !isFull
        }
        return (rows, isFull || rows.count == limit)
    }
}
