package import STContracts
package import STFollowing
package import STPlatform
package import STStore

/// The membership of this machine in a household, and its contact with it.
package struct LinkServiceState: Sendable, Equatable {
    package struct Membership: Sendable, Equatable {
        package var address: String
        /// The household's public key, so that no other machine can pose as the household.
        package var server: [UInt8]
        /// The household's announced next public key.
        package internal(set) var nextServer: [UInt8]?
        /// The household's public key when this machine joined. It identifies the household after later changes of the key.
        package internal(set) var firstServer: [UInt8]
        /// The secret key of this machine.
        package var secret: [UInt8]
        /// The next secret key of this machine, until the household has accepted or refused it.
        package internal(set) var next: [UInt8]?
        /// The secret key of the invitation, until a person has approved this machine.
        package var invitation: [UInt8]?
        package var number: String
        package var accounts: [HouseholdAccount]
        /// The guardians of this machine at the time of the request to join.
        package var guardians: [String] = []
        package var share = LinkShare.all
        /// A digest, as hexadecimal digits. By this digest, the household recognises this machine after the
        /// machine has lost its data.
        package var identity: String?
        /// True if people who are added to this machine later also belong to the household.
        package var everyone = false
        /// The last place of other machines' usage that this machine has read, by the household's names of people.
        package var read: [String: Int64] = [:]
        /// Identifies the numbering of `read`. A household that was restored from a backup has another
        /// numbering.
        package var places: String?
        /// The number of deletions of each other machine when this machine last deleted its copies of those rows.
        package var forgets: [String: Int64] = [:]
        /// Other addresses of the household.
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

        /// The number of combinations of an address and a key.
        package var endpointCount: Int { (others.count + 1) * (nextServer == nil ? 1 : 2) }

        /// People of this machine who are to be added to the household. If `makesRoom` is true, they can
        /// replace the first people of a full list.
        package func unknown(among seen: Set<String>, makesRoom: Bool) -> Set<String> {
            guard everyone, makesRoom || accounts.count < HouseholdAccount.max else { return [] }
            return seen.subtracting(accounts.map(\.here))
        }

        /// The accounts, including those of new people. People in `seen` come last, because only the last
        /// accounts of a full list are kept.
        package func accounts(adding new: [String], seen: Set<String>) -> [HouseholdAccount] {
            let known =
                accounts.filter { !seen.contains($0.here) } + accounts.filter { seen.contains($0.here) }
            let all = known + new.map { HouseholdAccount(here: $0, member: $0) }
            return Array(all.suffix(HouseholdAccount.max))
        }

        /// The combination to try after this number of failures. Each address is tried with the current key,
        /// then with the next key.
        package func endpoint(after failures: Int) -> (address: String, server: [UInt8]) {
            let keys = [server] + (nextServer.map { [$0] } ?? [])
            let way = failures % endpointCount
            return (([address] + others)[way / keys.count], keys[way % keys.count])
        }
    }

    /// The state of the connection. It is not stored.
    package struct Contact: Sendable, Equatable {
        package var heardAt: WallTime?
        package var isConnected = false
        package var isRefused = false
        package var problem: Problem?
        package var elsewhere: [LinkRemoteUsage] = []

        package init() {}

        package mutating func fail(_ problem: Problem) {
            isConnected = false
            isRefused = problem.code == HouseholdProblem.refused.code
            self.problem = problem
        }

        package mutating func succeed(at now: WallTime) {
            // Each update is a transaction, so the time of a working connection is updated every ten seconds only.
            if isConnected, now - (heardAt ?? WallTime(ms: 0)) < .seconds(10) { return }
            heardAt = now
            isConnected = true
            isRefused = false
            problem = nil
        }
    }

    /// A request for more time, and its place in the order of sending.
    package struct News: Sendable, Equatable {
        package var place: Int64
        package var news: RequestUpdate
    }

    private static let newsMax = 50

    package var household = Household()
    package var membership: Membership?
    package var contact = Contact()
    /// Requests for more time that were not yet sent to guardians' other machines, by their places.
    package internal(set) var news: [News] = []
    /// The secret key of this machine, also after the machine has left. By this key, the household recognises
    /// the machine and does not count its usage twice.
    package internal(set) var secret: [UInt8]?

    /// Counts changes of this machine's rules and settings since the process started.
    package private(set) var ruleChanges = 0
    /// Counts changes of this machine's requests for more time since the process started.
    package private(set) var requestChanges = 0

    package var guardians: [String] { names(.guardian) }
    /// The children of this machine. Empty if there is no guardian, and `nil` until all members of this machine are known.
    var children: [String]? {
        household.isComplete ? guardians.isEmpty ? [] : names(.child) : nil
    }

    /// True if the household shares the rules of this account. Other accounts are excluded, because a child who uses this computer
    /// could make rules for them.
    func sharesRules(of account: HouseholdAccount) -> Bool {
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
            heardAt: contact.heardAt.map { RFC3339.text(wallMs: $0.ms) },
            isConnected: contact.isConnected,
            problem: contact.problem,
            elsewhere: contact.elsewhere,
            share: membership.share == .all ? nil : membership.share,
            isRenewing: membership.next == nil ? nil : true
        )
    }

    mutating func countRuleChange() { ruleChanges += 1 }

    mutating func countRequestChange() { requestChanges += 1 }

    package mutating func setMembership(_ membership: Membership?, _ database: Database) throws {
        contact = Contact()
        self.membership = membership
        secret = membership?.secret ?? secret
        try LinkTables.save(membership, database)
    }

    mutating func updateMembership(_ database: Database, _ update: (inout Membership) -> Void) throws {
        guard var updated = membership else { return }
        update(&updated)
        guard updated != membership else { return }
        (membership, secret) = (updated, updated.secret)
        try LinkTables.save(updated, database)
    }

    mutating func add(_ request: RequestUpdate, _ database: Database) throws {
        news.append(News(place: try LinkTables.insert(request, database), news: request))
        if news.count > Self.newsMax { try removeNews(through: news[0].place, database) }
    }

    mutating func removeNews(through place: Int64, _ database: Database) throws {
        news.removeAll { $0.place <= place }
        try LinkTables.removeNews(through: place, database)
    }
}
