import STContracts
import STPlatform
import STTestKit
import Testing

@testable import STAuthCore

@Suite("Revoking permission")
struct SwitchTests {
    private let home: Home

    init() throws { home = try Home() }

    private func turn(
        _ member: String = Home.owner,
        access: Bool? = nil,
        enforce: Bool? = nil,
        _ passcode: String? = nil
    ) throws -> AuthSwitch.Reply {
        try home.bench.ask(
            AuthSwitch.self,
            .init(app: Home.app, member: member, access: access, enforce: enforce, passcode: passcode)
        )
    }

    private func code(_ request: AuthSwitch.Request) throws -> String? {
        try home.bench.refusal(AuthSwitch.self, request)?.code
    }

    @Test("A revocation by the app leaves its permission undetermined, with a higher generation")
    func revoke() throws {
        let approved = try home.approve()
        home.bench.forgetEvents()

        let revoked = try home.revoke()

        #expect(revoked.status == .notDetermined)
        #expect(!revoked.access && !revoked.enforce)
        #expect(revoked.generation == approved.generation + 1)
        #expect(home.told == ["authorization.changed permission/promise/owner"])
        #expect(try home.bench.events.last?.decoded(AuthorizationChanged.self) == revoked)
        #expect(try home.revoke() == revoked)
        #expect(home.told.count == 1)
        try home.reopen()
        #expect(try home.status() == revoked)
        #expect(try home.question().state == .pending)
    }

    @Test("Revoking a denied permission has no effect")
    func revokeDenied() throws {
        try home.install()
        let denied = try home.answer(try home.question(), allow: false, nil).authorization

        #expect(try home.revoke() == denied)
    }

    @Test("An app cannot revoke a permission that a guardian gave")
    func revokeChilds() throws {
        try home.approve(Home.app, Home.child)

        let problem = try home.bench.refusal(AuthRevoke.self, .init(app: Home.app, member: Home.child))
        #expect(problem?.code == "auth.proof_needed")
        #expect(problem?.help == "screentime app access promise off --member kid")
    }

    @Test("Switching access off denies permission, and earlier tokens end")
    func accessOff() throws {
        try home.approve()
        let tokens = try home.issue(["firefox"])

        let off = try turn(access: false).authorization
        #expect(off.status == .denied)
        #expect(off.generation == 1)
        #expect(try home.ask(again: true).question != nil)
        #expect(try home.answer(try #require(try home.ask(again: true).question)).refusal == nil)
        #expect(throws: Problem.self) { try home.resolve(tokens) }
    }

    @Test("Switching access off denies permission that was never given, and cancels the open question")
    func offBefore() throws {
        try home.install()
        let question = try home.question()

        #expect(try turn(access: false).authorization.status == .denied)
        #expect(
            try home.bench.ask(AuthQuestionShow.self, .init(request: question.request)).state == .canceled
        )
        home.bench.forgetEvents()
        #expect(try turn(access: false).authorization.status == .denied)
        #expect(home.told.isEmpty)
    }

    @Test("Enforcement has its own switch")
    func enforce() throws {
        try home.approve()
        home.bench.forgetEvents()

        let off = try turn(enforce: false).authorization
        #expect(off.status == .approved)
        #expect(off.access && !off.enforce)
        #expect(try turn(enforce: false).authorization == off)
        try home.reopen()
        #expect(try home.status() == off)
        #expect(try turn(enforce: true).authorization.enforce)
        #expect(home.told.count == 1)
    }

    @Test("The switches of a child's app require a guardian's passcode")
    func childs() throws {
        try home.approve(Home.app, Home.child)

        let bare = AuthSwitch.Request(app: Home.app, member: Home.child, enforce: false)
        #expect(try code(bare) == "auth.proof_needed")
        #expect(try turn(Home.child, enforce: false, "wrong").refusal?.code == "auth.wrong_passcode")
        #expect(try home.status(Home.app, Home.child).enforce)
        #expect(try turn(Home.child, enforce: false, "guardian's").authorization.enforce == false)
        #expect(try turn(Home.child, access: false, "guardian's").authorization.status == .denied)
    }

    @Test("Each invalid switch is rejected with its own code")
    func wrong() throws {
        try home.install()

        #expect(try code(.init(app: Home.app)) == "auth.nothing_to_switch")
        #expect(try code(.init(app: Home.app, access: true)) == "auth.must_ask")
        #expect(try code(.init(app: Home.app, enforce: true)) == "auth.unauthorized")
        #expect(try code(.init(app: "stranger", access: false)) == "app.not_installed")
        #expect(try code(.init(app: Home.app, member: "stranger", access: false)) == "member.not_found")
    }

    @Test("A snapshot contains the current state of every subject")
    func snapshot() throws {
        try home.approve()
        _ = try turn(enforce: false)
        _ = try home.revoke()
        _ = try home.bench.ask(TokenRekey.self, Empty())

        let snapshot = try home.snapshot()

        #expect(
            try snapshot["permission/promise/owner"]?.decoded(AuthorizationChanged.self).status
                == .notDetermined
        )
        #expect(try snapshot["question/promise/owner"]?.decoded(AuthQuestionChanged.self).state == .approved)
        #expect(try snapshot["app/promise"]?.decoded(AppInstalled.self).manifest.id == Home.app)
        #expect(try snapshot["tokens"]?.decoded(TokensRekeyed.self).keyVersion == 2)
        #expect(snapshot["member/kid"] != nil)
        #expect(snapshot["notice/owner/passcode_set"] != nil)
    }

    @Test("The list of permissions is sorted by app and member")
    func list() throws {
        try home.approve("b", Home.owner)
        try home.approve("a", Home.owner)
        try home.approve("a", Home.child)

        let list = try home.bench.ask(AuthorizationList.self, .init()).authorizations

        #expect(list.map { "\($0.app) \($0.member)" } == ["a kid", "a owner", "b owner"])
    }
}
