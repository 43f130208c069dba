import STContracts
import STCrypto
import STPlatform
import STStore
import STTestKit
import Testing

@testable import STAuthCore

@Suite("Passcodes")
struct PasscodeTests {
    private let home: Home

    init() throws { home = try Home(hasPasscodes: false) }

    @Test("The first passcode requires no proof and adds a notice")
    func first() throws {
        #expect(try home.set(Home.owner, "first").refusal == nil)

        #expect(home.told.suffix(1) == ["authorization.notice notice/owner/passcode_set"])
        #expect(try home.bench.ask(AuthNotices.self, Empty()).notices.map(\.kind) == [.passcodeSet])
    }

    @Test("Changing a passcode requires the current one")
    func change() throws {
        _ = try home.set(Home.owner, "first")

        let unproven = try home.bench.refusal(
            MemberPasscode.self,
            .init(member: Home.owner, passcode: "second")
        )
        #expect(unproven?.code == "auth.proof_needed")
        #expect(try home.set(Home.owner, "second", proof: "wrong").refusal?.code == "auth.wrong_passcode")
        #expect(try home.set(Home.owner, "second", proof: "first").refusal == nil)
        #expect(try home.set(Home.owner, "third", proof: "first").refusal?.code == "auth.wrong_passcode")
        #expect(try home.set(Home.owner, "third", proof: "second").refusal == nil)
    }

    @Test("An idempotency key is rejected for another member's passcode and accepted for the same member")
    func keys() throws {
        let first = MemberPasscode.Request(member: Home.owner, passcode: "first")
        _ = try home.bench.ask(MemberPasscode.self, first, key: "key")
        // Without its passcode, this request is identical to the first.
        let again = MemberPasscode.Request(member: Home.owner, passcode: "another")
        #expect(try home.bench.ask(MemberPasscode.self, again, key: "key").refusal == nil)
        #expect(try home.set(Home.owner, "second", proof: "first").refusal == nil)
        let other = MemberPasscode.Request(member: Home.guardian, passcode: "first")
        #expect(
            try home.bench.refusal(MemberPasscode.self, other, key: "key")?.code == "idempotency.key_reused"
        )
    }

    @Test("A member cannot change the passcode of another member")
    func other() throws {
        _ = try home.set(Home.owner, "owner's")
        _ = try home.set(Home.guardian, "guardian's")

        let problem = try home.bench.refusal(
            MemberPasscode.self,
            .init(member: Home.owner, passcode: "mine now", by: Home.guardian, proof: "guardian's")
        )
        #expect(problem?.code == "auth.not_a_prover")
        #expect(problem?.field == "/by")
    }

    @Test("The passcode of a child is set by a guardian, including the first one")
    func child() throws {
        let request = MemberPasscode.Request(member: Home.child, passcode: "kid's")
        #expect(try home.bench.refusal(MemberPasscode.self, request)?.code == "auth.no_method")

        _ = try home.set(Home.guardian, "guardian's")
        #expect(try home.bench.refusal(MemberPasscode.self, request)?.code == "auth.proof_needed")
        #expect(try home.set(Home.child, "kid's", proof: "kid's").refusal?.code == "auth.wrong_passcode")
        #expect(try home.set(Home.child, "kid's", proof: "guardian's").refusal == nil)
        #expect(try home.set(Home.child, "other", by: Home.guardian, proof: "guardian's").refusal == nil)
        let own = MemberPasscode.Request(member: Home.child, passcode: "x234", by: Home.child, proof: "other")
        #expect(try home.bench.refusal(MemberPasscode.self, own)?.code == "auth.not_a_prover")
    }

    @Test("The passcode of a second guardian requires the passcode of the first")
    func secondGuardian() throws {
        _ = try home.set(Home.guardian, "guardian's")
        try home.add("accomplice", .guardian)

        let alone = MemberPasscode.Request(member: "accomplice", passcode: "mine")
        #expect(try home.bench.refusal(MemberPasscode.self, alone)?.code == "auth.proof_needed")
        #expect(try home.set("accomplice", "mine", proof: "guardian's").refusal == nil)
        let which = MemberPasscode.Request(member: Home.child, passcode: "kid's", proof: "mine")
        #expect(try home.bench.refusal(MemberPasscode.self, which)?.code == "auth.who_proves")
        #expect(try home.set(Home.child, "kid's", by: "accomplice", proof: "mine").refusal == nil)
    }

    @Test(
        "An invalid passcode is rejected",
        arguments: [
            ("", "passcode.bad_length"), ("123", "passcode.bad_length"),
            (String(repeating: "x", count: 129), "passcode.bad_length"),
            ("12\u{7}34", "passcode.not_typable"),
        ]
    )
    func bad(passcode: String, code: String) throws {
        let problem = try home.bench.refusal(
            MemberPasscode.self,
            .init(member: Home.owner, passcode: passcode)
        )

        #expect(problem?.code == code)
        #expect(problem?.field == "/passcode")
    }

    @Test("Setting the passcode of an unknown member suggests a name")
    func unknownMember() throws {
        let problem = try home.bench.refusal(MemberPasscode.self, .init(member: "gaurdian", passcode: "1234"))

        #expect(problem?.code == "member.not_found")
        #expect(problem?.message.contains("Did you mean guardian?") == true)
    }

    // MARK: - Wrong passcodes

    private func tryWrong() throws -> Problem? {
        do {
            return try home.set(Home.owner, "new one", proof: "wrong").refusal
        } catch let problem as Problem {
            return problem
        }
    }

    @Test("Five wrong passcodes lock for a minute, and each further one doubles the time up to an hour")
    func pauses() throws {
        _ = try home.set(Home.owner, "right")
        for left in [4, 3, 2, 1] { #expect(try tryWrong()?.details["tries_left"] == String(left)) }

        var pauses: [Int64] = []
        for _ in 0..<8 {
            let problem = try #require(try tryWrong())
            #expect(problem.code == "auth.wrong_passcode")
            let pause = try #require(Int64(problem.details["retry_after_ms"] ?? ""))
            pauses.append(pause)
            home.time.advance(byMs: pause - 1)
            // During the lock, no passcode is accepted or counted.
            #expect(throws: Problem.self) { try home.set(Home.owner, "new one", proof: "right") }
            #expect(try tryWrong()?.code == "auth.locked")
            home.time.advance(byMs: 1)
        }

        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60].map { $0 * 60_000 })
        #expect(home.told.filter { $0 == "authorization.notice notice/owner/passcode_locked" }.count == 8)
        #expect(try home.set(Home.owner, "new one", proof: "right").refusal == nil)
        _ = try home.set(Home.owner, "newer one", proof: "wrong")
        #expect(home.bench.state.passcodes[Home.owner]?.wrong == 1)
    }

    @Test("Neither setting the clock nor a restart of the computer shortens a lock")
    func clock() throws {
        _ = try home.set(Home.owner, "right")
        for _ in 0..<5 { _ = try tryWrong() }

        home.time.stepWall(byMs: 7_200_000)
        #expect(try tryWrong()?.code == "auth.locked")
        let hash = try #require(home.bench.state.passcodes[Home.owner])
        let fresh = TimeReading(wallMs: 0, bootMs: 59_999, monotonicMs: 59_999)
        #expect(Passcodes.pause(of: hash, fresh) == .milliseconds(1))
        let later = TimeReading(wallMs: 0, bootMs: 60_000, monotonicMs: 60_000)
        #expect(Passcodes.pause(of: hash, later) == .seconds(60))
    }

    @Test("Wrong passcodes are counted after a restart of the service")
    func kept() throws {
        _ = try home.set(Home.owner, "right")
        for _ in 0..<5 { _ = try tryWrong() }
        let before = home.bench.state

        try home.reopen()

        #expect(home.bench.state == before)
        #expect(try tryWrong()?.code == "auth.locked")
    }

    @Test("A repeated request counts as one attempt")
    func repeated() throws {
        _ = try home.set(Home.owner, "right")
        let request = MemberPasscode.Request(member: Home.owner, passcode: "new one", proof: "wrong")

        let replies = try (0..<10).map { _ in try home.bench.ask(MemberPasscode.self, request, key: "key") }

        #expect(Set(replies.map { $0.refusal?.details["tries_left"] }) == ["4"])
        #expect(home.bench.state.passcodes[Home.owner]?.wrong == 1)
    }

    @Test("A stored request contains no digest of its passcodes")
    func digest() throws {
        let request = MemberPasscode.Request(member: Home.owner, passcode: "first")
        _ = try home.bench.ask(MemberPasscode.self, request, key: "key")
        var second = request
        (second.passcode, second.proof) = ("second", "first")
        _ = try home.bench.ask(MemberPasscode.self, second, key: "later")

        let digests = try home.bench.database.query(
            "SELECT key, request_digest FROM idempotency ORDER BY key"
        ) {
            (try $0.text(0), try $0.int(1))
        }
        #expect(digests.map(\.0) == ["key", "later"])
        #expect(digests[0].1 == digests[1].1 && digests[0].1 != 0)
    }

    // MARK: - Reset

    @Test("Only root resets a forgotten passcode, and a notice records it")
    func reset() throws {
        _ = try home.set(Home.guardian, "forgotten")
        for _ in 0..<6 {
            _ = try? home.set(Home.guardian, "new one", proof: "wrong")
        }
        let request = MemberPasscode.Request(member: Home.guardian, passcode: "new one", reset: true)

        let refused = try home.bench.refusal(MemberPasscode.self, request)
        #expect(refused?.code == "auth.root_only")
        #expect(refused?.help?.contains("sudo") == true)
        #expect(try home.bench.ask(MemberPasscode.self, request, uid: 0).refusal == nil)

        #expect(home.told.last == "authorization.notice notice/guardian/passcode_reset")
        let shown = try home.bench.ask(MemberShow.self, .init(member: Home.guardian))
        #expect(shown.notices.last?.kind == .passcodeReset)
        #expect(shown.notices.last?.text.english.contains("administrator") == true)
        #expect(shown.passcode.wrong == 0)
        #expect(try home.set(Home.child, "kid's", proof: "new one").refusal == nil)
    }

    @Test("Root must request a reset explicitly")
    func noAccident() throws {
        _ = try home.set(Home.owner, "right")

        let problem = try home.bench.refusal(
            MemberPasscode.self,
            .init(member: Home.owner, passcode: "new one"),
            uid: 0
        )
        #expect(problem?.code == "auth.proof_needed")
    }

    @Test("A passcode that was stored at another cost is hashed again after its next use")
    func rehash() throws {
        _ = try home.set(Home.owner, "right")
        let dear = try home.bench.reopened(
            as: AuthService.definition(
                owner: Home.owner,
                deviceName: "desk",
                cost: .init(passes: 2, memoryBytes: 64 << 10)
            )
        )
        _ = try dear.ask(AppInstall.self, .init(bundle: AppBundle(in: home.bundles, id: Home.app).path))
        let asked = try dear.ask(AuthRequest.self, .init(app: Home.app, scope: .individual))
        let question = try #require(asked.question)

        let reply = try dear.ask(
            AuthAnswer.self,
            .init(request: question.request, allow: true, passcode: "right")
        )

        #expect(reply.authorization.status == .approved)
        #expect(dear.state.passcodes[Home.owner]?.hash.contains("m=64,t=2") == true)
    }
}
