import STContracts
import STCrypto
import STPlatform
import STTestKit
import Testing

@testable import STAuthCore

@Suite("Changes of members")
struct MemberChangeTests {
    private let home: Home
    private static let given = Proof(by: nil, passcode: "guardian's")

    init() throws { home = try Home() }

    private func set(
        _ member: String,
        role: MemberRole? = nil,
        account: String? = nil,
        proof: Proof? = nil
    ) throws -> Member {
        let request = MemberSet.Request(member: member, role: role, account: account, proof: proof)
        let reply = try home.bench.ask(MemberSet.self, request)
        if let refusal = reply.refusal { throw refusal }
        return reply.member
    }

    private func code(_ work: () throws -> Member) -> String? {
        do {
            _ = try work()
            return nil
        } catch { return Problem(error).code }
    }

    private func remove(_ member: String, proof: Proof? = nil) throws -> Member {
        let reply = try home.bench.ask(MemberRemove.self, .init(member: member, proof: proof))
        if let refusal = reply.refusal { throw refusal }
        return reply.member
    }

    private var members: [Member] { home.bench.state.members }

    /// The members are the same after a restart.
    private func expectKept() throws {
        let before = members
        try home.reopen()
        #expect(members == before)
    }

    @Test(
        "The person of this account can become a child, and needs a guardian's passcode to become an individual"
    )
    func child() throws {
        #expect(try set(Home.owner, role: .child).role == .child)
        #expect(home.bench.events.last?.header.type == MemberAdded.type)

        #expect(code { try set(Home.owner, role: .individual) } == "auth.proof_needed")
        #expect(
            code { try set(Home.owner, role: .individual, proof: Proof(by: nil, passcode: "wrong")) }
                == "auth.wrong_passcode"
        )
        #expect(members.first?.role == .child)
        #expect(try set(Home.owner, role: .individual, proof: Self.given).role == .individual)
        try expectKept()
    }

    @Test("Adding or removing a guardian requires a guardian's passcode, and a child keeps one guardian")
    func guardians() throws {
        #expect(code { try set(Home.owner, role: .guardian) } == "auth.proof_needed")
        #expect(code { try set(Home.child, role: .guardian) } == "auth.proof_needed")
        #expect(try set(Home.owner, role: .guardian, proof: Self.given).role == .guardian)
        #expect(code { try set(Home.guardian, role: .individual) } == "auth.who_proves")
        let own = Proof(by: Home.owner, passcode: "owner's")
        #expect(try set(Home.guardian, role: .individual, proof: own).role == .individual)
        #expect(code { try set(Home.owner, role: .individual, proof: own) } == "member.last_guardian")
        #expect(try set(Home.child, role: .individual, proof: own).role == .individual)
        #expect(try set(Home.owner, role: .individual, proof: own).role == .individual)
    }

    @Test("An account must exist and belongs to at most one member")
    func accounts() throws {
        #expect(code { try set(Home.child, account: "nobody-here") } == "account.unknown")
        #expect(code { try set(Home.child, account: Home.owner) } == "account.taken")
        #expect(try set(Home.child, account: "kim").account == "kim")
        #expect(code { try set(Home.guardian, account: "kim") } == "account.taken")
        #expect(try set(Home.child, account: "kim").account == "kim", "the same again")
        try expectKept()
    }

    @Test("Taking this account from a child requires a guardian's passcode")
    func seat() throws {
        #expect(try set(Home.child, account: AccountName.current).account == AccountName.current)
        #expect(members.ofThisAccount?.name == Home.child)

        #expect(code { try set(Home.child, account: "") } == "auth.proof_needed")
        #expect(code { try set(Home.child, account: "kim") } == "auth.proof_needed")
        #expect(code { try remove(Home.child, proof: Self.given) } == "member.is_here")
        #expect(try set(Home.child, account: "", proof: Self.given).account == nil)
        #expect(members.ofThisAccount?.name == Home.owner)
        #expect(try set(Home.owner, role: .child).role == .child)
        #expect(code { try set(Home.guardian, account: AccountName.current) } == "auth.proof_needed")
    }

    @Test("Permission that a guardian gave ends when the child becomes an individual")
    func permissions() throws {
        try home.approve(Home.app, Home.child)
        _ = try set(Home.child, role: .individual, proof: Self.given)

        let word = home.bench.state.authorizations[PermissionKey(app: Home.app, member: Home.child)]
        #expect(word?.status == .notDetermined)
        #expect(word?.generation == 1, "tokens of before are void")
    }

    @Test("A removed member leaves no passcode or permission, and starts without them when added again")
    func removed() throws {
        try home.approve(Home.app, Home.child)
        #expect(code { try remove(Home.child) } == "auth.proof_needed")
        #expect(code { try remove(Home.owner) } == "member.is_here")
        #expect(code { try remove(Home.guardian, proof: Self.given) } == "member.last_guardian")
        #expect(code { try remove("stranger") } == "member.not_found")

        #expect(try remove(Home.child, proof: Self.given).name == Home.child)

        #expect(home.bench.events.last { $0.header.type == MemberRemoved.type } != nil)
        #expect(!members.contains { $0.name == Home.child })
        #expect(try home.bench.ask(AuthorizationList.self, .init()).authorizations.isEmpty)
        try expectKept()
        try home.add(Home.child, .child)
        #expect(try home.bench.ask(MemberShow.self, .init(member: Home.child)).passcode.isSet == false)
        let word = try home.bench.ask(AuthStatus.self, .init(app: Home.app, member: Home.child))
        #expect(word.status == .notDetermined)
        #expect(word.generation == 1, "no generation is given twice")
        _ = try remove(Home.child, proof: Self.given)
        #expect(
            try remove(Home.guardian, proof: Self.given).name == Home.guardian,
            "there is no child any more"
        )
    }

    @Test("Removing an individual with a passcode requires that passcode")
    func own() throws {
        try home.add("jo", .individual)
        #expect(try home.set("jo", "jo's").refusal == nil)

        #expect(code { try remove("jo") } == "auth.proof_needed")
        #expect(try remove("jo", proof: Proof(by: nil, passcode: "jo's")).name == "jo")
    }

    @Test("An upgrade assigns this account to a child named in the old configuration, and to no other member")
    func takenOver() throws {
        var bench = home.bench
        func seat(_ name: String) throws -> [Member] {
            let older = AuthService.definition(
                owner: Home.owner,
                deviceName: "desk",
                formerSeat: name,
                cost: .least
            )
            bench = try bench.reopened(as: older)
            return bench.state.members
        }
        let members = members
        #expect(try seat(Home.guardian) == members)
        #expect(try seat("") == members)

        let moved = try seat(Home.child)

        #expect(moved.ofThisAccount?.name == Home.child)
        #expect(moved.first?.account == nil)
        #expect(try seat(Home.guardian).ofThisAccount?.name == Home.child)
    }
}
