package import STContracts
package import STFollowing
package import STPlatform
package import STStore

/// What link-service knows of the household that this machine belongs to.
package struct LinkMemory: Sendable, Equatable {
    package struct Membership: Sendable, Equatable {
        package var address: String
        /// The household's public key: another machine cannot take its place.
        package var server: [UInt8]
        /// This machine's own key.
        package var secret: [UInt8]
        /// The key of the invitation, until a person has let this machine in.
        package var invitation: [UInt8]?
        package var number: String
        package var accounts: [HouseholdAccount]
        /// How far the use of other machines has been read.
        package var place: Int64 = 0
        /// Whose number that is: the household's, until an older copy of it was put back.
        package var places: String?

        package init(
            address: String,
            server: [UInt8],
            secret: [UInt8],
            invitation: [UInt8]?,
            number: String,
            accounts: [HouseholdAccount]
        ) {
            self.address = address
            self.server = server
            self.secret = secret
            self.invitation = invitation
            self.number = number
            self.accounts = accounts
        }

        package var isAsking: Bool { invitation != nil }
    }

    /// How it goes, as the companion says; it does not outlive the process.
    package struct Contact: Sendable, Equatable {
        package var heardMs: Int64?
        package var isConnected = false
        package var isRefused = false
        package var problem: Problem?
        package var elsewhere: [LinkElsewhere] = []

        package init() {}
    }

    package var household = Household()
    package var membership: Membership?
    package var contact = Contact()
    /// The key of this machine, also after it has left: with it the household knows it again, and counts nothing twice.
    package private(set) var secret: [UInt8]?

    package var view: LinkShow.Reply {
        guard let membership else { return LinkShow.Reply(state: .alone, problem: contact.problem) }
        return LinkShow.Reply(
            state: membership.isAsking ? .asking : contact.isRefused ? .refused : .joined,
            address: membership.address,
            accounts: membership.accounts,
            number: membership.isAsking ? membership.number : nil,
            heardAt: contact.heardMs.map { RFC3339.text(wallMs: $0) },
            isConnected: contact.isConnected,
            problem: contact.problem,
            elsewhere: contact.elsewhere
        )
    }

    // MARK: - Rows

    static let migrations = [
        Household.freshMigration,
        Migration(
            name: "membership",
            sql: """
                CREATE TABLE membership (
                    only INTEGER PRIMARY KEY CHECK (only = 1), address TEXT NOT NULL, server BLOB NOT NULL,
                    secret BLOB NOT NULL, invitation BLOB, number TEXT NOT NULL, accounts BLOB NOT NULL,
                    place INTEGER NOT NULL, places TEXT
                ) STRICT;
                CREATE TABLE own (only INTEGER PRIMARY KEY CHECK (only = 1), secret BLOB NOT NULL) STRICT;
                """
        ),
    ]

    private struct Accounts: WireBody, Codable {
        var accounts: [HouseholdAccount]
    }

    init(_ database: Database) throws {
        household = try Household(database)
        membership = try database.first(
            "SELECT address, server, secret, invitation, number, accounts, place, places FROM membership"
        ) { row in
            var membership = Membership(
                address: try row.text(0),
                server: try row.blob(1),
                secret: try row.blob(2),
                invitation: try row.optionalBlob(3),
                number: try row.text(4),
                accounts: try Accounts.decodedBody(try row.blob(5)).accounts
            )
            membership.place = try row.int(6)
            membership.places = try row.optionalText(7)
            return membership
        }
        secret = try database.first("SELECT secret FROM own") { try $0.blob(0) }
    }

    package mutating func put(_ membership: Membership?, _ database: Database) throws {
        self.membership = membership
        contact = Contact()
        try database.run("DELETE FROM membership")
        guard let membership else { return }
        try database.run(
            """
            INSERT INTO membership (only, address, server, secret, invitation, number, accounts, place, places)
            VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(membership.address), .blob(membership.server), .blob(membership.secret),
                membership.invitation.map { .blob($0) } ?? .null, .text(membership.number),
                .blob(try Accounts(accounts: membership.accounts).encodedBody()), .integer(membership.place),
                SQLValue(membership.places),
            ]
        )
        guard secret != membership.secret else { return }
        secret = membership.secret
        try database.run(
            "INSERT INTO own (only, secret) VALUES (1, ?) ON CONFLICT (only) DO UPDATE SET secret = excluded.secret",
            [.blob(membership.secret)]
        )
    }

    package mutating func read(through place: Int64, of places: String?, _ database: Database) throws {
        guard membership != nil, membership?.place != place || membership?.places != places else { return }
        membership?.place = place
        membership?.places = places
        try database.run("UPDATE membership SET place = ?, places = ?", [.integer(place), SQLValue(places)])
    }
}
