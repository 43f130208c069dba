import STContracts
import STCrypto
import STEngine
import STPlatform
import STTestKit
import STTestSupport
import Testing

@testable import STAuthCore

/// A household with a real database: the owner, a guardian and a child. The first two have a passcode.
final class Home {
    static let owner = "owner"
    static let guardian = "guardian"
    static let child = "kid"
    static let app = "promise"

    private(set) var bench: CoreBench<AuthState>
    let bundles: ScratchDirectory

    init(hasPasscodes: Bool = true) throws {
        bundles = try ScratchDirectory()
        bench = try CoreBench(Self.definition)
        try add(Self.guardian, .guardian)
        try add(Self.child, .child)
        if hasPasscodes {
            #expect(try set(Self.owner, "owner's").refusal == nil)
            #expect(try set(Self.guardian, "guardian's").refusal == nil)
        }
    }

    /// Replaces the accounts of the computer that runs the test.
    static let accounts = [owner, "kim", AccountName.current].map {
        ComputerAccount(name: $0, fullName: "", isAdministrator: false)
    }

    /// Passcodes with the lowest cost. Other tests check the strength of the hash.
    static var definition: ServiceDefinition<AuthState> {
        AuthService.definition(owner: owner, deviceName: "desk", accounts: { accounts }, cost: .least)
    }

    func reopen() throws { bench = try bench.reopened() }

    var time: SimulatedTimeSource { bench.time }

    // MARK: - Actions of people

    func add(_ name: String, _ role: MemberRole) throws {
        _ = try bench.ask(MemberAdd.self, Member(name: name, role: role))
    }

    func set(
        _ member: String,
        _ passcode: String,
        by: String? = nil,
        proof: String? = nil
    ) throws -> MemberPasscode.Reply {
        try bench.ask(MemberPasscode.self, .init(member: member, passcode: passcode, by: by, proof: proof))
    }

    @discardableResult
    func install(_ id: String = app) throws -> InstalledApp {
        let bundle = try AppBundle(in: bundles, id: id)
        return try bench.ask(AppInstall.self, .init(bundle: bundle.path)).app
    }

    func ask(
        _ app: String = app,
        member: String = owner,
        scope: AuthorizationScope = .individual,
        again: Bool? = nil
    ) throws -> AuthRequest.Reply {
        try bench.ask(AuthRequest.self, .init(app: app, member: member, scope: scope, again: again))
    }

    func question(
        _ app: String = app,
        member: String = owner,
        scope: AuthorizationScope = .individual
    ) throws -> AuthQuestion {
        try #require(try ask(app, member: member, scope: scope).question)
    }

    func answer(
        _ question: AuthQuestion,
        allow: Bool = true,
        by: String? = nil,
        _ passcode: String? = "owner's",
        key: String? = nil
    ) throws -> AuthAnswer.Reply {
        try bench.ask(
            AuthAnswer.self,
            .init(request: question.request, allow: allow, by: by, passcode: passcode),
            key: key
        )
    }

    /// Installs the app, requests permission and approves it.
    @discardableResult
    func approve(_ app: String = app, _ member: String = owner) throws -> Authorization {
        try install(app)
        let isChild = member == Self.child
        let question = try question(app, member: member, scope: isChild ? .child : .individual)
        let reply = try answer(question, isChild ? "guardian's" : "owner's")
        #expect(reply.refusal == nil)
        return reply.authorization
    }

    func status(_ app: String = app, _ member: String = owner) throws -> Authorization {
        try bench.ask(AuthStatus.self, .init(app: app, member: member))
    }

    func revoke(_ app: String = app, _ member: String = owner) throws -> Authorization {
        try bench.ask(AuthRevoke.self, .init(app: app, member: member))
    }

    func issue(_ ids: [String], app: String = app, member: String = owner) throws -> [String] {
        let items = ids.map { TokenItem(kind: .application, id: $0) }
        return try bench.ask(TokenIssue.self, .init(app: app, member: member, items: items)).tokens
    }

    func resolve(_ tokens: [String], app: String = app, member: String = owner) throws -> [String] {
        try bench.ask(TokenResolve.self, .init(app: app, member: member, tokens: tokens)).items.map(\.id)
    }

    // MARK: - Events

    /// Events since the bench was opened: type and subject.
    var told: [String] { bench.events.map { "\($0.header.type) \($0.header.subject)" } }

    /// A follower's state after a snapshot: the newest event of each subject.
    func snapshot() throws -> [String: WireEvent] {
        let page = try bench.ask(EventsSnapshot.self, .init(stream: "authorization"))
        #expect(page.next == nil)
        return Dictionary(page.events.map { ($0.header.subject, $0) }) { $1 }
    }
}
