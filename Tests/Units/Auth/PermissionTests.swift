import STContracts
import STPlatform
import STTestKit
import Testing

@testable import STAuthCore

@Suite("Permission")
struct PermissionTests {
    private let home: Home

    init() throws {
        home = try Home()
        try home.install()
        home.bench.forgetEvents()
    }

    private func requestCode(
        _ app: String = Home.app,
        member: String? = Home.owner,
        scope: AuthorizationScope = .individual
    ) throws -> String? {
        try home.bench.refusal(AuthRequest.self, .init(app: app, member: member, scope: scope))?.code
    }

    // MARK: - Requests

    @Test("Permission is not determined before an app requests it, also for apps that are not installed")
    func before() throws {
        for app in [Home.app, "never-installed"] {
            let known = try home.status(app)
            #expect(known.status == .notDetermined)
            #expect(!known.access && !known.enforce)
        }
    }

    @Test("A question names the app, its reasons and the members whose proof counts")
    func asking() throws {
        let question = try home.question()

        #expect(question.appName == "The promise")
        #expect(question.member == Home.owner)
        #expect(question.provers == [Home.owner])
        #expect(question.state == .pending)
        #expect(question.reasons.contains { $0.english.contains("how long") })
        #expect(question.reasons.contains { $0.english.contains("a time limit is reached") })
        #expect(question.expiresAt == RFC3339.text(wallMs: home.time.now().wallMs + 60_000))
        #expect(home.told == ["authorization.question.changed question/promise/owner"])
    }

    @Test("A second request while a question is open returns the same question")
    func once() throws {
        #expect(try home.question() == home.question())
        #expect(home.told.count == 1)
        #expect(try home.bench.ask(AuthQuestionShow.self, .init(app: Home.app)) == home.question())
    }

    @Test("Permission given with the right passcode is stored, announced and not requested again")
    func allow() throws {
        let reply = try home.answer(try home.question())

        #expect(reply.refusal == nil)
        #expect(reply.question.state == .approved)
        #expect(reply.authorization.status == .approved)
        #expect(reply.authorization.access && reply.authorization.enforce)
        #expect(
            home.told.suffix(2) == [
                "authorization.changed permission/promise/owner",
                "authorization.question.changed question/promise/owner",
            ]
        )
        try home.reopen()
        #expect(try home.ask() == AuthRequest.Reply(authorization: reply.authorization))
        #expect(home.told.isEmpty)
    }

    @Test("A wrong passcode gives no permission and counts, and the right one then resets the count")
    func wrong() throws {
        let question = try home.question()

        let reply = try home.answer(question, "wrong")
        #expect(reply.refusal?.code == "auth.wrong_passcode")
        #expect(reply.refusal?.retryable == true)
        #expect(reply.authorization.status == .notDetermined)
        #expect(reply.question.state == .pending)
        #expect(home.bench.state.passcodes[Home.owner]?.wrong == 1)
        #expect(try home.answer(question).refusal == nil)
        #expect(home.bench.state.passcodes[Home.owner]?.wrong == 0)
    }

    @Test("A refusal needs no proof, is stored as denied, and prevents further questions by the app")
    func deny() throws {
        let reply = try home.answer(try home.question(), allow: false, nil)

        #expect(reply.authorization.status == .denied)
        #expect(reply.question.state == .denied)
        try home.reopen()
        #expect(try home.status().status == .denied)
        #expect(try requestCode() == "auth.canceled")
        #expect(try home.ask(again: true).question?.state == .pending)
    }

    @Test("A question without an answer for a minute is canceled and not denied")
    func expiry() throws {
        let question = try home.question()

        home.time.advance(byMs: 59_999)
        #expect(try home.bench.ask(AuthQuestionShow.self, .init(request: question.request)).state == .pending)
        home.time.advance(byMs: 1)
        #expect(
            try home.bench.ask(AuthQuestionShow.self, .init(request: question.request)).state == .canceled
        )
        #expect(
            try home.bench.refusal(AuthQuestionShow.self, .init(app: Home.app))?.code == "auth.no_question"
        )
        let reply = try home.answer(question)
        #expect(reply.refusal?.code == "auth.canceled")
        #expect(reply.question.state == .canceled)
        #expect(home.told.last == "authorization.question.changed question/promise/owner")
        #expect(try home.bench.events.last?.decoded(AuthQuestionChanged.self).state == .canceled)
        #expect(try home.status().status == .notDetermined)
        #expect(try home.question().request != question.request)
    }

    @Test("An account's door shows only the questions of its own member")
    func door() throws {
        let question = try home.question()
        home.bench.behalf = "another"
        let byName = try home.bench.refusal(AuthQuestionShow.self, .init(request: question.request))
        #expect(byName?.code == "access.not_yours")
        let byApp = try home.bench.refusal(AuthQuestionShow.self, .init(app: Home.app))
        #expect(byApp?.code == "auth.no_question")
        let answer = AuthAnswer.Request(request: question.request, allow: false)
        #expect(try home.bench.refusal(AuthAnswer.self, answer)?.code == "access.not_yours")
        home.bench.behalf = question.member
        #expect(try home.bench.ask(AuthQuestionShow.self, .init(app: Home.app)) == question)
    }

    @Test("A question from before a restart of the computer is canceled")
    func restart() throws {
        let question = try home.question()
        let stored = try #require(home.bench.state.questions.last)
        var state = home.bench.state
        let later = stored.asked + .milliseconds(1)
        state.questions = [StoredQuestion(question: stored.question, asked: later)]

        let seen = try Questions.show(
            .init(request: question.request),
            state: state,
            context: home.bench.context
        )

        #expect(seen.state == .canceled)
    }

    @Test("A question accepts only one answer")
    func answeredTwice() throws {
        let question = try home.question()
        _ = try home.answer(question)

        let again = AuthAnswer.Request(request: question.request, allow: false)
        #expect(try home.bench.refusal(AuthAnswer.self, again)?.code == "auth.already_answered")
        #expect(try home.status().status == .approved)
    }

    @Test(
        "An answer with a missing, invalid or foreign proof is rejected and not counted",
        arguments: [
            (nil, nil, "auth.proof_needed"), (nil, "12", "passcode.bad_length"),
            ("guardian", "guardian's", "auth.not_a_prover"), ("stranger", "guardian's", "auth.not_a_prover"),
        ] as [(String?, String?, String)]
    )
    func badAnswer(by: String?, passcode: String?, code: String) throws {
        let question = try home.question()
        let answer = AuthAnswer.Request(request: question.request, allow: true, by: by, passcode: passcode)

        #expect(try home.bench.refusal(AuthAnswer.self, answer)?.code == code)
        #expect(home.bench.state.passcodes[Home.owner]?.wrong == 0)
    }

    @Test("An invalid request for permission is rejected with a code")
    func badRequest() throws {
        #expect(try requestCode("a b") == "app.bad_id")
        #expect(try requestCode("promiss") == "app.not_installed")
        #expect(try requestCode("screentime.rules") == "app.reserved_id")
        #expect(try requestCode(Home.app, member: "stranger") == "member.not_found")
        #expect(try requestCode(Home.app, member: Home.owner, scope: .unknown) == "body.unknown_value")
        #expect(
            try home.bench.refusal(AuthAnswer.self, .init(request: "x", allow: true))?.code
                == "auth.unknown_request"
        )
        #expect(try home.bench.refusal(AuthQuestionShow.self, .init())?.code == "body.field_missing")
        #expect(home.told.isEmpty)
    }

    @Test("A request by a member without a passcode is rejected with the command that sets one")
    func noMethod() throws {
        try home.add("kid-sister", .individual)

        let problem = try home.bench.refusal(
            AuthRequest.self,
            .init(app: Home.app, member: "kid-sister", scope: .individual)
        )
        #expect(problem?.code == "auth.no_method")
        #expect(problem?.help == "screentime member passcode kid-sister")
    }

    @Test("At most fifty questions are open at the same time")
    func tooMany() throws {
        let ids = (1...51).map { "app\($0)" }
        for id in ids { try home.install(id) }
        for id in ids.dropLast() { _ = try home.question(id) }

        #expect(try requestCode("app51") == "auth.too_many_questions")
        home.time.advance(byMs: 60_000)
        #expect(try home.question("app51").state == .pending)
        #expect(home.bench.state.questions.filter { $0.question.state == .canceled }.count == 50)
    }

    // MARK: - Children

    @Test("Permission for a child is given only by a guardian")
    func child() throws {
        let question = try home.question(Home.app, member: Home.child, scope: .child)
        #expect(question.provers == [Home.guardian])
        #expect(question.reasons.contains { $0.english.contains("guardian removes it") })

        #expect(try home.answer(question, "owner's").refusal?.code == "auth.wrong_passcode")
        let answer = AuthAnswer.Request(
            request: question.request,
            allow: true,
            by: Home.child,
            passcode: "kid's"
        )
        #expect(try home.bench.refusal(AuthAnswer.self, answer)?.code == "auth.not_a_prover")
        let reply = try home.answer(question, by: Home.guardian, "guardian's")
        #expect(reply.authorization.scope == .child)
        #expect(reply.authorization.status == .approved)
        #expect(try home.status(Home.app, Home.owner).status == .notDetermined)
    }

    @Test("Permission with the scope of a child requires a child and a guardian with a passcode")
    func accountType() throws {
        #expect(try requestCode(Home.app, member: Home.owner, scope: .child) == "auth.invalid_account_type")
        #expect(
            try requestCode(Home.app, member: Home.guardian, scope: .child) == "auth.invalid_account_type"
        )
        let bare = try Home(hasPasscodes: false)
        try bare.install()
        let request = AuthRequest.Request(app: Home.app, member: Home.child, scope: .child)
        #expect(try bare.bench.refusal(AuthRequest.self, request)?.code == "auth.no_method")
    }

    @Test("Only one app receives permission for a child at a time")
    func conflict() throws {
        try home.install("streaks")
        let first = try home.question(Home.app, member: Home.child, scope: .child)
        let second = try home.question("streaks", member: Home.child, scope: .child)
        #expect(try home.answer(second, "guardian's").refusal == nil)

        let late = AuthAnswer.Request(request: first.request, allow: true, passcode: "guardian's")
        #expect(try home.bench.refusal(AuthAnswer.self, late)?.code == "auth.conflict")
        home.time.advance(byMs: 60_000)
        #expect(try requestCode(Home.app, member: Home.child, scope: .child) == "auth.conflict")
        let off = AuthSwitch.Request(
            app: "streaks",
            member: Home.child,
            access: false,
            passcode: "guardian's"
        )
        #expect(try home.bench.ask(AuthSwitch.self, off).refusal == nil)
        #expect(try home.question(Home.app, member: Home.child, scope: .child).state == .pending)
    }

    @Test("A question for a child lists all guardians, and the answer must name one")
    func twoGuardians() throws {
        try home.add("second", .guardian)
        _ = try home.set("second", "second's", proof: "guardian's")

        let question = try home.question(Home.app, member: Home.child, scope: .child)

        #expect(question.provers == [Home.guardian, "second"])
        let answer = AuthAnswer.Request(request: question.request, allow: true, passcode: "second's")
        #expect(try home.bench.refusal(AuthAnswer.self, answer)?.code == "auth.who_proves")
        #expect(try home.answer(question, by: "second", "second's").refusal == nil)
    }
}
