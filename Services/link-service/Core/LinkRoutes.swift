import STContracts
import STCrypto
import STEngine
import STFollowing
import STPlatform

/// The routes of link-service, and their checks.
enum LinkRoutes {
    static var all: [ServiceRoute<LinkServiceState>] {
        [ServiceRoute<LinkServiceState>.read(LinkShow.self) { state, _, _ in state.view }, renew]
            + queryRoutes
            + joinRoutes
    }

    /// Requests that the companion sends to the household.
    private static var queryRoutes: [ServiceRoute<LinkServiceState>] {
        [
            ServiceRoute<LinkServiceState>.query(LinkMachines.self) { _, _, context, _ in
                let found = try answered(try context.prepared.reply(MachinesQuery.self))
                if let problem = found.problem { throw problem }
                return LinkMachines.Reply(devices: found.devices)
            }
            .after(
                .of(MachinesQuery.self, source: .worker, for: LinkMachines.self) { state, _, _ in
                    try checkJoined(state)
                    return Empty()
                }
            ),
            ServiceRoute<LinkServiceState>.query(LinkAsk.self) { _, _, context, _ in
                let answer = try answered(try context.prepared.reply(RelayQuery.self))
                if let problem = answer.problem { throw problem }
                return LinkAsk.Reply(body: answer.body ?? "")
            }
            .after(
                .of(RelayQuery.self, source: .worker, for: LinkAsk.self) { state, request, _ in
                    try checkJoined(state)
                    return request
                }
            ),
        ]
    }

    private static var joinRoutes: [ServiceRoute<LinkServiceState>] {
        [
            ServiceRoute<LinkServiceState>.write(LinkJoin.self) { state, request, context, change in
                _ = try context.prepared.guardian()
                try checkKey(state)
                return try join(request, state: &state, context: context, change: change)
            }
            // The rules of another household would replace the rules of this one.
            .after(
                .guardian(for: LinkJoin.self, Message("purpose.join", "join a household"), { $0.proof }) {
                    state,
                    asked,
                    _ in
                    // A request without accounts only asks for the names of the household's members.
                    guard !asked.accounts.isEmpty, try !isMember(asked, state) else { return nil }
                    guard let children = state.children else { throw Household.memberRequiredProblem }
                    // Leaving out a child who is in the household also requires a guardian.
                    let accounts = asked.accounts + (state.membership?.accounts ?? [])
                    return accounts.map(\.here).first { children.contains($0) }
                }
            )
            .after(
                .of(JoinQuery.self, source: .worker, for: LinkJoin.self) { state, request, _ in
                    guard try !isMember(request, state) else { return nil }
                    try checkKey(state)
                    try checkNotJoined(state, try InvitationCode(request.code))
                    try check(request.accounts, state)
                    return JoinQuery.Request(
                        code: request.code,
                        accounts: request.accounts,
                        guardians: guardians(request, state),
                        identity: try identity(request)
                    )
                }
            ),
            ServiceRoute<LinkServiceState>.write(LinkLeave.self) { state, _, context, change in
                _ = try context.prepared.guardian()
                guard state.membership != nil else { throw notJoined }
                try checkKey(state)
                try state.setMembership(nil, change.database)
                return Empty()
            }
            .after(
                .guardian(for: LinkLeave.self, Message("purpose.leave", "leave the household"), { $0.proof })
                { state, _, _ in
                    guard state.membership?.isAsking == false else { return nil }
                    return state.household.members.first { $0.role == .child }?.name
                }
            ),
        ]
    }

    private static var renew: ServiceRoute<LinkServiceState> {
        .write(LinkRenew.self) { state, _, _, change in
            try checkJoined(state)
            guard !state.contact.isRefused else { throw notJoined }
            if state.membership?.next == nil {
                let next = try KeyPair.make().secret
                try state.updateMembership(change.database) { $0.next = next }
            }
            return Empty()
        }
    }

    private static func answered<Answer>(_ answer: Answer?) throws(Problem) -> Answer {
        guard let answer else {
            throw Problem(
                "unavailable",
                "link-service is still starting. Try again in a moment.",
                key: "unavailable.link-service-is",
                retryable: true
            )
        }
        return answer
    }

    /// True if this machine already belongs to the requested household with the same accounts and the same share.
    private static func isMember(_ request: LinkJoin.Request, _ state: LinkServiceState) throws -> Bool {
        guard let membership = state.membership, !membership.isAsking, !state.contact.isRefused else {
            return false
        }
        return membership.server == (try InvitationCode(request.code)).server
            && membership.accounts == request.accounts && membership.share == request.share ?? .all
    }

    /// A machine can join its own household again, with other people.
    private static func checkNotJoined(_ state: LinkServiceState, _ code: InvitationCode) throws(Problem) {
        guard let membership = state.membership, !membership.isAsking, !state.contact.isRefused,
            membership.server != code.server
        else { return }
        throw Problem(
            "household.already_joined",
            """
            This machine belongs to the household at \(membership.address, "address"). Leave it before \
            joining another.
            """,
            help: "screentime household leave"
        )
    }

    private static let notJoined = Problem(
        "household.not_joined",
        "This machine belongs to no household.",
        help: "screentime household join CODE"
    )

    private static func checkJoined(_ state: LinkServiceState) throws(Problem) {
        guard state.membership?.isAsking == false else { throw notJoined }
    }

    /// Throws while the household may have this machine's next key, because the household would then reject
    /// the old key.
    private static func checkKey(_ state: LinkServiceState) throws(Problem) {
        guard state.membership?.next != nil, state.contact.isConnected || state.contact.isRefused else {
            return
        }
        throw Problem(
            "household.renewing",
            "This machine is renewing its keys. Try again in a moment.",
            retryable: true,
            help: "screentime household show"
        )
    }

    private static func check(_ accounts: [HouseholdAccount], _ state: LinkServiceState) throws {
        for account in accounts where !state.household.contains(account.here) {
            if !state.household.isComplete { throw Household.memberRequiredProblem }
            throw Household.unknownMemberProblem(account.here, field: "/accounts")
        }
    }

    private static func join(
        _ request: LinkJoin.Request,
        state: inout LinkServiceState,
        context: RequestContext,
        change: StoreTransaction
    ) throws -> LinkJoin.Reply {
        let code = try InvitationCode(request.code)
        if let membership = state.membership, try isMember(request, state) {
            return LinkJoin.Reply(number: membership.number, address: membership.address)
        }
        try checkNotJoined(state, code)
        let knock = try answered(try context.prepared.reply(JoinQuery.self))
        if let problem = knock.problem { throw problem }
        guard let number = knock.number, let secret = TextFormat.bytes(hex: knock.secret) else {
            // Two people can have the same name, so a person must assign the accounts.
            throw Problem(
                "household.accounts_unsaid",
                """
                Match the people on this machine with the members of the household. On this machine: \
                \(list(state.household.members.map(\.name)), "list"). In the household: \
                \(list(knock.members), "list2").
                """,
                field: "/accounts",
                help: "screentime household join CODE --as HERE=THERE"
            )
        }
        var membership = LinkServiceState.Membership(
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
        try state.setMembership(membership, change.database)
        return LinkJoin.Reply(number: number, address: code.address)
    }

    /// The guardians of this machine, if a child joins with it.
    private static func guardians(_ request: LinkJoin.Request, _ state: LinkServiceState) -> [String] {
        let children = state.children ?? []
        return request.accounts.contains { children.contains($0.here) } ? state.guardians : []
    }

    /// A digest, because the household does not need the serial number.
    private static func identity(_ request: LinkJoin.Request) throws(Problem) -> String? {
        guard let text = request.identity else { return nil }
        guard LinkJoin.identityBytes.contains(text.utf8.count), text.isPlain else {
            throw Problem(
                "household.bad_identity",
                """
                An identity must have \(LinkJoin.identityBytes.lowerBound, "least") to \
                \(LinkJoin.identityBytes.upperBound, "most") bytes and no control characters, and must be \
                different on each machine.
                """,
                key: "household.bad_identity.an-identity-has",
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
}
