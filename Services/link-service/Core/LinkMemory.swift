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
        /// The key that the household will have, as it said.
        package fileprivate(set) var nextServer: [UInt8]?
        /// The key that the household had as this machine joined: it is the same household with any other.
        package fileprivate(set) var firstServer: [UInt8]
        /// This machine's own key.
        package var secret: [UInt8]
        /// The key that it will have once the household knows it.
        package fileprivate(set) var next: [UInt8]?
        /// The key of the invitation, until a person has let this machine in.
        package var invitation: [UInt8]?
        package var number: String
        package var accounts: [HouseholdAccount]
        /// Who looked after children here as this machine asked to join.
        package var guardians: [String] = []
        package var share = LinkShare.all
        /// By which the household knows this machine again after it has forgotten all, as hexadecimal digits.
        package var identity: String?
        /// People who come to this machine later belong to the household, too.
        package var everyone = false
        /// How far the use of other machines has been read, for each person by the household's names.
        package var read: [String: Int64] = [:]
        /// Whose numbers those are: the household's, until an older copy of it was put back.
        package var places: String?
        /// How often each other machine had deleted rows when copies of them were last looked for here.
        package var forgets: [String: Int64] = [:]
        /// Where else the household can be reached.
        package var others: [String] = []

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
            firstServer = server
            self.secret = secret
            self.invitation = invitation
            self.number = number
            self.accounts = accounts
        }

        package var isAsking: Bool { invitation != nil }

        /// In how many ways the household may be reached.
        package var ways: Int { (others.count + 1) * (nextServer == nil ? 1 : 2) }

        /// The way that comes after so many failures: each address with the known key, and then with the next one.
        package func way(after failures: Int) -> (address: String, server: [UInt8]) {
            let keys = [server] + (nextServer.map { [$0] } ?? [])
            let way = failures % ways
            return (([address] + others)[way / keys.count], keys[way % keys.count])
        }
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

    package struct News: Sendable, Equatable {
        package var place: Int64
        package var news: RequestNews
    }

    private static let newsMax = 50

    package var household = Household()
    package var membership: Membership?
    package var contact = Contact()
    /// Requests for more time that guardians at other machines have not been told of yet, by their places.
    package private(set) var news: [News] = []
    /// The key of this machine, also after it has left: with it the household knows it again, and counts nothing twice.
    package private(set) var secret: [UInt8]?

    /// Counts what may be news for the household of this machine's rules; it does not outlive the process.
    package private(set) var ruleChanges = 0
    /// The same of its requests for more time.
    package private(set) var requestChanges = 0

    package var guardians: [String] { names(.guardian) }
    /// Nil while not all people of this machine are known. Without a guardian nothing holds a child back here.
    package var children: [String]? {
        household.isWhole ? guardians.isEmpty ? [] : names(.child) : nil
    }

    /// Whose rules the household has, too: without a guardian's word children of this account could make rules for others in it.
    package func sharesRules(of account: HouseholdAccount) -> Bool {
        household.members.contains { member in
            member.name == account.here
                && (member.role == .child || member.account != nil || member.name == household.owner)
        }
    }

    private func names(_ role: MemberRole) -> [String] {
        household.members.filter { $0.role == role }.map(\.name)
    }

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
            elsewhere: contact.elsewhere,
            share: membership.share == .all ? nil : membership.share,
            isRenewing: membership.next == nil ? nil : true
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
        /// Hexadecimal digits.
        var next: String?
        var identity: String?
        var everyone: Bool?
        var nextServer: String?
        var firstServer: String?

        init(_ membership: Membership) {
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

    init(_ database: Database) throws {
        household = try Household(database)
        membership = try database.first(
            "SELECT address, server, secret, invitation, number, accounts, read, places, others, forgets FROM membership"
        ) { row in
            let people = try Accounts.decodedBody(try row.blob(5))
            var membership = Membership(
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
        secret = try database.first("SELECT secret FROM own") { try $0.blob(0) }
        news = try database.query("SELECT place, body FROM request_news ORDER BY place") {
            News(place: try $0.int(0), news: try RequestNews.decodedBody(try $0.blob(1)))
        }
    }

    mutating func noteRules() { ruleChanges += 1 }

    mutating func noteRequests() { requestChanges += 1 }

    mutating func add(_ one: RequestNews, _ database: Database) throws {
        let place = try database.first(
            "INSERT INTO request_news (body) VALUES (?) RETURNING place",
            [.blob(try one.encodedBody())]
        ) { try $0.int(0) }
        news.append(News(place: place ?? 0, news: one))
        if news.count > Self.newsMax { try removeNews(through: news[0].place, database) }
    }

    package mutating func removeNews(through place: Int64, _ database: Database) throws {
        news.removeAll { $0.place <= place }
        try database.run("DELETE FROM request_news WHERE place <= ?", [.integer(place)])
    }

    package mutating func put(_ membership: Membership?, _ database: Database) throws {
        self.membership = membership
        contact = Contact()
        try database.run("DELETE FROM membership")
        guard let membership else { return }
        try database.run(
            """
            INSERT INTO membership (only, address, server, secret, invitation, number, accounts, read, places)
            VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(membership.address), .blob(membership.server), .blob(membership.secret),
                membership.invitation.map { .blob($0) } ?? .null, .text(membership.number),
                .blob(try Accounts(membership).encodedBody()),
                .text(try Self.text(membership.read)),
                SQLValue(membership.places),
            ]
        )
        try keep(membership.secret, database)
    }

    private mutating func keep(_ own: [UInt8], _ database: Database) throws {
        guard secret != own else { return }
        secret = own
        try database.run(
            "INSERT INTO own (only, secret) VALUES (1, ?) ON CONFLICT (only) DO UPDATE SET secret = excluded.secret",
            [.blob(own)]
        )
    }

    /// Keeps a key for the time when the household knows it, beside the one that it knows now.
    mutating func renew(_ next: [UInt8], _ database: Database) throws {
        membership?.next = next
        try savePeople(database)
    }

    /// The household will have this key. It is remembered until the household answers with it: a household that has just taken it speaks of none.
    package mutating func hear(ofKey next: [UInt8], _ database: Database) throws {
        guard membership != nil, membership?.nextServer != next, membership?.server != next else { return }
        membership?.nextServer = next
        try savePeople(database)
    }

    /// The household has answered with its next key.
    package mutating func takeServer(_ server: [UInt8], _ database: Database) throws {
        guard membership?.nextServer == server else { return }
        membership?.server = server
        membership?.nextServer = nil
        try savePeople(database)
    }

    /// Stores the people whom the household knows now.
    package mutating func welcome(_ accounts: [HouseholdAccount], _ database: Database) throws {
        guard let before = membership else { return }
        membership?.accounts = accounts
        try savePeople(database)
        // Read the usage of a new person from the beginning. This machine skipped it before it knew the person.
        let known = Set(before.accounts.map(\.member))
        let new = Set(accounts.map(\.member)).subtracting(known)
        try read(through: before.read.filter { !new.contains($0.key) }, of: before.places, database)
    }

    /// The household knows the new key, or does not take it.
    package mutating func renewed(isTaken: Bool, _ database: Database) throws {
        guard let next = membership?.next else { return }
        membership?.next = nil
        if isTaken {
            membership?.secret = next
            try keep(next, database)
        }
        try savePeople(database)
    }

    private func savePeople(_ database: Database) throws {
        guard let membership else { return }
        try database.run(
            "UPDATE membership SET server = ?, secret = ?, accounts = ?",
            [
                .blob(membership.server), .blob(membership.secret),
                .blob(try Accounts(membership).encodedBody()),
            ]
        )
    }

    /// Writes down that a letter is answered now; false: it was before.
    package static func begins(_ letter: String, _ database: Database) throws -> Bool {
        try database.run(
            "INSERT INTO letters_done (letter) VALUES (?) ON CONFLICT DO NOTHING",
            [.text(letter)]
        ) > 0
    }

    package mutating func read(through read: [String: Int64], of places: String?, _ database: Database) throws
    {
        guard membership != nil, membership?.read != read || membership?.places != places else { return }
        membership?.read = read
        membership?.places = places
        try database.run(
            "UPDATE membership SET read = ?, places = ?",
            [.text(try Self.text(read)), SQLValue(places)]
        )
    }

    package mutating func clean(_ forgets: [String: Int64], _ database: Database) throws {
        guard membership != nil else { return }
        membership?.forgets = forgets
        try database.run("UPDATE membership SET forgets = ?", [.text(try Self.text(forgets))])
    }

    package mutating func hear(of others: [String], _ database: Database) throws {
        guard membership != nil, membership?.others != others else { return }
        membership?.others = others
        try database.run("UPDATE membership SET others = ?", [.text(others.joined(separator: " "))])
    }
}
