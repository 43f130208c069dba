import STContracts
import STFollowing
import STPlatform
import STStore

enum LinkTables {
    static let migrations = [
        Household.initialMigration,
        Migration(
            name: "membership",
            sql: """
                CREATE TABLE membership (
                    only INTEGER PRIMARY KEY CHECK (only = 1), address TEXT NOT NULL, server BLOB NOT NULL,
                    secret BLOB NOT NULL, invitation BLOB, number TEXT NOT NULL, accounts BLOB NOT NULL,
                    read TEXT NOT NULL, places TEXT, others TEXT NOT NULL DEFAULT '', forgets TEXT NOT NULL DEFAULT '{"places":{}}'
                ) STRICT;
                CREATE TABLE own (only INTEGER PRIMARY KEY CHECK (only = 1), secret BLOB NOT NULL) STRICT;
                -- What another machine asked to be changed here is not done again when its letter is delivered again.
                CREATE TABLE letters_done (letter TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
                -- Requests for more time that guardians at other machines have not been told of yet.
                CREATE TABLE request_news (place INTEGER PRIMARY KEY AUTOINCREMENT, body BLOB NOT NULL) STRICT;
                """
        ),
    ]

    private struct Accounts: WireBody, Codable {
        var accounts: [HouseholdAccount]
        var guardians: [String]?
        var share: LinkShare?
        /// The next secret key, as hexadecimal digits.
        var next: String?
        var identity: String?
        var everyone: Bool?
        var nextServer: String?
        var firstServer: String?

        init(_ membership: LinkServiceState.Membership) {
            accounts = membership.accounts
            guardians = membership.guardians
            share = membership.share
            next = membership.next.map { TextFormat.hex($0) }
            identity = membership.identity
            everyone = membership.everyone ? true : nil
            nextServer = membership.nextServer.map { TextFormat.hex($0) }
            firstServer =
                membership.firstServer == membership.server ? nil : TextFormat.hex(membership.firstServer)
        }
    }

    private struct Places: WireBody, Codable {
        var places: [String: Int64]
    }

    private static func text(_ read: [String: Int64]) throws -> String {
        String(decoding: try Places(places: read).encodedBody(), as: UTF8.self)
    }

    static func load(_ database: Database) throws -> LinkServiceState {
        var state = LinkServiceState()
        state.household = try Household(database)
        state.membership = try database.first(
            "SELECT address, server, secret, invitation, number, accounts, read, places, others, forgets FROM membership"
        ) { row in
            let people = try Accounts.decodedBody(try row.blob(5))
            var membership = LinkServiceState.Membership(
                address: try row.text(0),
                server: try row.blob(1),
                secret: try row.blob(2),
                invitation: try row.optionalBlob(3),
                number: try row.text(4),
                accounts: people.accounts
            )
            membership.guardians = people.guardians ?? []
            membership.share = people.share ?? .all
            membership.next = people.next.flatMap { TextFormat.bytes(hex: $0) }
            membership.nextServer = people.nextServer.flatMap { TextFormat.bytes(hex: $0) }
            membership.firstServer =
                people.firstServer.flatMap { TextFormat.bytes(hex: $0) } ?? membership.server
            membership.identity = people.identity
            membership.everyone = people.everyone ?? false
            membership.read = try Places.decodedBody(Array(row.text(6).utf8)).places
            membership.places = try row.optionalText(7)
            membership.others = try row.text(8).split(separator: " ").map(String.init)
            membership.forgets = try Places.decodedBody(Array(row.text(9).utf8)).places
            return membership
        }
        state.secret = try database.first("SELECT secret FROM own") { try $0.blob(0) }
        state.news = try database.query("SELECT place, body FROM request_news ORDER BY place") {
            LinkServiceState.News(place: try $0.int(0), news: try RequestUpdate.decodedBody(try $0.blob(1)))
        }
        return state
    }

    static func save(_ membership: LinkServiceState.Membership?, _ database: Database) throws {
        try database.run("DELETE FROM membership")
        guard let membership else { return }
        try database.run(
            """
            INSERT INTO membership (
                only, address, server, secret, invitation, number, accounts, read, places, others, forgets
            ) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(membership.address), .blob(membership.server), .blob(membership.secret),
                membership.invitation.map { .blob($0) } ?? .null, .text(membership.number),
                .blob(try Accounts(membership).encodedBody()),
                .text(try text(membership.read)), SQLValue(membership.places),
                .text(membership.others.joined(separator: " ")), .text(try text(membership.forgets)),
            ]
        )
        try database.run(
            """
            INSERT INTO own (only, secret) VALUES (1, ?)
            ON CONFLICT (only) DO UPDATE SET secret = excluded.secret WHERE secret <> excluded.secret
            """,
            [.blob(membership.secret)]
        )
    }

    /// Returns the place of the request.
    static func insert(_ request: RequestUpdate, _ database: Database) throws -> Int64 {
        let body = SQLValue.blob(try request.encodedBody())
        return try database.first("INSERT INTO request_news (body) VALUES (?) RETURNING place", [body]) {
            try $0.int(0)
        } ?? 0
    }

    static func removeNews(through place: Int64, _ database: Database) throws {
        try database.run("DELETE FROM request_news WHERE place <= ?", [.integer(place)])
    }

    /// Returns false if the letter was recorded before.
    static func insert(letter: String, _ database: Database) throws -> Bool {
        try database.run(
            "INSERT INTO letters_done (letter) VALUES (?) ON CONFLICT DO NOTHING",
            [.text(letter)]
        ) > 0
    }
}
