package import STContracts
import STCrypto
package import STEngine
import STFollowing
package import STPlatform

/// Asks the companion to speak with the household of a code. No role may call this over the bus.
package enum KnockAsk: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var code: String
        package var accounts: [HouseholdAccount]
        package var guardians: [String]
        package var identity: String?
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var members: [String]
        /// The key made for this machine, as hexadecimal digits.
        package var secret: String
        package var number: String?
        package var problem: Problem?

        package init(members: [String], secret: String, number: String? = nil, problem: Problem? = nil) {
            self.members = members
            self.secret = secret
            self.number = number
            self.problem = problem
        }
    }

    package static let name = "link.knock.ask"
    package static let kind = RouteKind.query
    package static let access: Access = []
    package static let isConfidential = true
    package static let summary = "Asks a household to let this machine in."
}

/// Asks the companion for the machines of the household. No role may call this over the bus.
package enum MachinesAsk: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable, Equatable {
        package var devices: [HouseholdDevice]
        package var problem: Problem?

        package init(devices: [HouseholdDevice], problem: Problem? = nil) {
            self.devices = devices
            self.problem = problem
        }
    }

    package static let name = "link.machines.ask"
    package static let kind = RouteKind.query
    package static let access: Access = []
    package static let summary = "Asks the household for its machines."
}

/// Asks the companion to write to another machine, and to wait for its answer. No role may call this over the bus.
package enum LetterAsk: Route {
    package typealias Request = LinkAsk.Request

    package struct Reply: WireBody, Codable, Equatable {
        package var body: String?
        package var problem: Problem?

        package init(body: String? = nil, problem: Problem? = nil) {
            self.body = body
            self.problem = problem
        }
    }

    package static let name = "link.letter.ask"
    package static let kind = RouteKind.query
    package static let access: Access = []
    package static let isConfidential = true
    package static let summary = "Asks another machine, and waits."
}

/// This machine's end of a household of many machines.
package enum LinkService {
    package static func definition() -> ServiceDefinition<LinkMemory> {
        ServiceDefinition(
            name: .link,
            migrations: LinkMemory.migrations,
            load: { try LinkMemory($0) },
            routes: routes,
            subscriptions: [.members(\.household), usage, requests] + rules
        )
    }

    private static var routes: [ServiceRoute<LinkMemory>] {
        [
            .read(LinkShow.self) { state, _, _ in state.view }, renew,
            ServiceRoute<LinkMemory>.query(LinkMachines.self) { _, _, context, _ in
                let found = try answered(try context.prepared.of(MachinesAsk.self))
                if let problem = found.problem { throw problem }
                return LinkMachines.Reply(devices: found.devices)
            }
            .after(
                .of(MachinesAsk.self, .companion, for: LinkMachines.self) { state, _, _ in
                    try checkJoined(state)
                    return Empty()
                }
            ),
            ServiceRoute<LinkMemory>.query(LinkAsk.self) { _, _, context, _ in
                let answer = try answered(try context.prepared.of(LetterAsk.self))
                if let problem = answer.problem { throw problem }
                return LinkAsk.Reply(body: answer.body ?? "")
            }
            .after(
                .of(LetterAsk.self, .companion, for: LinkAsk.self) { state, request, _ in
                    try checkJoined(state)
                    return request
                }
            ),
            ServiceRoute<LinkMemory>.write(LinkJoin.self) { state, request, context, change in
                _ = try context.prepared.guardian()
                try checkKey(state)
                return try join(request, &state, context, change)
            }
            // Another household's rules would take the place of this one's.
            .after(
                .guardian(for: LinkJoin.self, "join a household", { $0.proof }) { state, asked, _ in
                    // Without names it only asks who there is.
                    guard !asked.accounts.isEmpty, try !isThere(asked, state) else { return nil }
                    guard let children = state.children else { throw Household.unsaid }
                    // Nor is a child left out without a guardian's word.
                    let accounts = asked.accounts + (state.membership?.accounts ?? [])
                    return accounts.map(\.here).first { children.contains($0) }
                }
            )
            .after(
                .of(KnockAsk.self, .companion, for: LinkJoin.self) { state, request, _ in
                    guard try !isThere(request, state) else { return nil }
                    try checkKey(state)
                    try checkAlone(state, try InvitationCode(request.code))
                    try check(request.accounts, state)
                    return KnockAsk.Request(
                        code: request.code,
                        accounts: request.accounts,
                        guardians: guardians(request, state),
                        identity: try identity(request)
                    )
                }
            ),
            ServiceRoute<LinkMemory>.write(LinkLeave.self) { state, _, context, change in
                _ = try context.prepared.guardian()
                guard state.membership != nil else {
                    throw notJoined
                }
                try checkKey(state)
                try state.put(nil, change.database)
                return Empty()
            }
            .after(
                .guardian(for: LinkLeave.self, "leave the household", { $0.proof }) { state, _, _ in
                    guard state.membership?.isAsking == false else { return nil }
                    return state.household.members.first { $0.role == .child }?.name
                }
            ),
        ]
    }

    private static var renew: ServiceRoute<LinkMemory> {
        .write(LinkRenew.self) { state, _, _, change in
            try checkJoined(state)
            guard !state.contact.isRefused else {
                throw notJoined
            }
            if state.membership?.next == nil { try state.renew(KeyPair.make().secret, change.database) }
            return Empty()
        }
    }

    private static func answered<Answer>(_ answer: Answer?) throws(Problem) -> Answer {
        guard let answer else {
            throw Problem(
                "unavailable",
                "link-service is still starting. Try again in a moment.",
                retryable: true
            )
        }
        return answer
    }

    /// Whether this machine belongs to that household already, with these people.
    private static func isThere(_ request: LinkJoin.Request, _ state: LinkMemory) throws -> Bool {
        guard let membership = state.membership, !membership.isAsking, !state.contact.isRefused else {
            return false
        }
        return membership.server == (try InvitationCode(request.code)).server
            && membership.accounts == request.accounts && membership.share == request.share ?? .all
    }

    /// The same household may be joined again, with other people.
    private static func checkAlone(_ state: LinkMemory, _ code: InvitationCode) throws(Problem) {
        guard let membership = state.membership, !membership.isAsking, !state.contact.isRefused,
            membership.server != code.server
        else { return }
        throw Problem(
            "household.already_joined",
            "This machine belongs to the household at \(membership.address). Leave it before joining another.",
            help: "screentime household leave"
        )
    }

    private static let notJoined = Problem(
        "household.not_joined",
        "This machine belongs to no household.",
        help: "screentime household join CODE"
    )

    private static func checkJoined(_ state: LinkMemory) throws(Problem) {
        guard let membership = state.membership, !membership.isAsking else {
            throw notJoined
        }
    }

    /// The household may know the new key already: with the old one it would take this machine for another.
    private static func checkKey(_ state: LinkMemory) throws(Problem) {
        guard state.membership?.next != nil, state.contact.isConnected || state.contact.isRefused else {
            return
        }
        throw Problem(
            "household.renewing",
            "This machine is just taking new keys. Try again in a moment.",
            retryable: true,
            help: "screentime household show"
        )
    }

    private static func check(_ accounts: [HouseholdAccount], _ state: LinkMemory) throws {
        for account in accounts where !state.household.contains(account.here) {
            if !state.household.isWhole { throw Household.unsaid }
            throw Household.unknown(account.here, field: "/accounts")
        }
    }

    private static func join(
        _ request: LinkJoin.Request,
        _ state: inout LinkMemory,
        _ context: RequestContext,
        _ change: StoreTransaction
    ) throws -> LinkJoin.Reply {
        let code = try InvitationCode(request.code)
        if let membership = state.membership, try isThere(request, state) {
            return LinkJoin.Reply(number: membership.number, address: membership.address)
        }
        try checkAlone(state, code)
        let knock = try answered(try context.prepared.of(KnockAsk.self))
        if let problem = knock.problem { throw problem }
        guard let number = knock.number, let secret = TextFormat.bytes(hex: knock.secret) else {
            // Equal names may be two people, so none is taken for another without being told.
            throw Problem(
                "household.accounts_unsaid",
                "Say who of this machine is who in the household. Here: \(list(state.household.members.map(\.name))). There: \(list(knock.members)).",
                field: "/accounts",
                help: "screentime household join CODE --as HERE=THERE"
            )
        }
        var membership = LinkMemory.Membership(
            address: code.address,
            server: code.server,
            secret: secret,
            invitation: code.secret,
            number: number,
            accounts: request.accounts
        )
        membership.guardians = guardians(request, state)
        membership.share = try request.share?.required("/share") ?? .all
        membership.identity = try identity(request)
        membership.everyone = request.everyone ?? false
        try state.put(membership, change.database)
        return LinkJoin.Reply(number: number, address: code.address)
    }

    /// Of the children who come into the household with this machine.
    private static func guardians(_ request: LinkJoin.Request, _ state: LinkMemory) -> [String] {
        let children = state.children ?? []
        return request.accounts.contains { children.contains($0.here) } ? state.guardians : []
    }

    /// The digest, because serial numbers are no business of the household's.
    private static func identity(_ request: LinkJoin.Request) throws(Problem) -> String? {
        guard let text = request.identity else { return nil }
        guard LinkJoin.identityBytes.contains(text.utf8.count), text.isPlain else {
            throw Problem(
                "household.bad_identity",
                "An identity has \(LinkJoin.identityBytes.lowerBound) to \(LinkJoin.identityBytes.upperBound) bytes and no control characters, and is another one on each machine.",
                field: "/identity",
                help:
                    "screentime household enrol school.token --identity SERIAL"
            )
        }
        return TextFormat.hex(Digest.blake2b(Array(text.utf8)))
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "no person yet" : names.joined(separator: ", ")
    }

    /// A guardian who sits at another machine hears of what only a guardian can answer.
    private static var requests: Subscription<LinkMemory> {
        Subscription(
            source: .shield,
            stream: .shield,
            reset: { state, _ in state.noteRequests() },
            apply: { state, event, change in
                guard event.header.type == RequestChanged.type else { return }
                state.noteRequests()
                guard state.membership?.isAsking == false,
                    change.now.wallMs - event.header.timeMs < HouseholdPost.lastsMsMax
                else { return }
                let news = try event.decoded(RequestChanged.self)
                guard news.request.grantsAt == nil, news.request.answeredBy != RequestView.ownRule,
                    news.request.device == nil
                else { return }
                try state.add(news, change.database)
            }
        )
    }

    /// Signals a change of rules or of settings that are the same on all machines.
    private static let rules = [
        changes(.activity, [.category, .delay, .rule]), changes(.shield, [.request]),
    ]

    private static func changes(_ source: ServiceName, _ kinds: Set<HistoryKind>) -> Subscription<LinkMemory>
    {
        Subscription(
            source: source,
            stream: .history(of: source),
            reset: { state, _ in state.noteRules() },
            apply: { state, event, _ in
                if kinds.contains(try HistoryLine.decodedBody(event.body).what) { state.noteRules() }
            }
        )
    }

    /// Rings the bell: the companion reads the stream itself, from where the household stands.
    private static var usage: Subscription<LinkMemory> {
        Subscription(
            source: .activity,
            stream: .usage,
            // The ledger was begun anew, and may have lost what came from elsewhere: all of it is asked for again.
            reset: { state, change in
                try state.read(through: [:], of: state.membership?.places, change.database)
            },
            apply: { _, _, _ in }
        )
    }
}
