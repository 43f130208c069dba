import STContracts
import STPlatform
import STTestKit
import Testing

@testable import STAuthCore

@Suite("Proof of a decision for a member")
struct ProveTests {
    private let home: Home

    init() throws { home = try Home() }

    private func prove(
        _ member: String,
        by: String? = nil,
        _ passcode: String? = nil,
        purpose: String = "approve R7"
    ) throws -> AuthProve.Reply {
        try home.bench.ask(
            AuthProve.self,
            .init(member: member, by: by, passcode: passcode, purpose: Message(verbatim: purpose))
        )
    }

    private func refusal(
        _ member: String,
        by: String? = nil,
        _ passcode: String? = nil,
        purpose: String = "approve R7"
    ) throws -> Problem? {
        let request = AuthProve.Request(
            member: member,
            by: by,
            passcode: passcode,
            purpose: Message(verbatim: purpose)
        )
        return try home.bench.refusal(AuthProve.self, request)
    }

    @Test("A guardian's passcode is proof for a child")
    func child() throws {
        #expect(try prove(Home.child, "guardian's") == .init(by: Home.guardian))
        #expect(try prove(Home.child, by: Home.guardian, "guardian's").by == Home.guardian)
    }

    @Test("Only a guardian's passcode is proof for a child")
    func notForChild() throws {
        #expect(try refusal(Home.child, by: Home.child, "owner's")?.code == "auth.not_a_prover")
        #expect(try refusal(Home.child, by: Home.owner, "owner's")?.code == "auth.not_a_prover")
        #expect(try refusal(Home.child)?.code == "auth.proof_needed")
        #expect(try refusal(Home.child)?.details["prover"] == Home.guardian)
    }

    @Test("If there are two guardians, the proof must name one of them")
    func two() throws {
        try home.add("other", .guardian)
        _ = try home.set("other", "other's", by: Home.guardian, proof: "guardian's")

        #expect(try refusal(Home.child, "guardian's")?.code == "auth.who_proves")
        #expect(try prove(Home.child, by: "other", "other's").by == "other")
    }

    @Test("A member proves decisions about themselves with their passcode, or without one if none is set")
    func oneself() throws {
        #expect(try prove(Home.owner, "owner's").by == Home.owner)
        #expect(try refusal(Home.owner)?.code == "auth.proof_needed")
        try home.add("free", .individual)
        #expect(try prove("free") == .init(by: "free"))
        #expect(try prove("free", by: "free", "anything") == .init(by: "free"))
    }

    @Test("Another person decides for an adult only as a guardian")
    func other() throws {
        #expect(try prove(Home.owner, by: Home.guardian, "guardian's").by == Home.guardian)
        #expect(try refusal(Home.owner, by: Home.child, "x")?.code == "auth.not_a_prover")
        #expect(try refusal(Home.guardian, by: Home.owner, "owner's")?.code == "auth.no_method")
    }

    @Test("A wrong passcode is counted and recorded with its purpose, and five of them lock the passcode")
    func wrong() throws {
        for left in (0...4).reversed() {
            let reply = try prove(Home.child, "wrong")
            #expect(reply.by == nil)
            #expect(reply.refusal?.code == "auth.wrong_passcode")
            #expect(reply.refusal?.details["tries_left"] == String(left))
        }
        #expect(try refusal(Home.child, "guardian's")?.code == "auth.locked")
        try home.reopen()
        #expect(try refusal(Home.child, "guardian's")?.code == "auth.locked")
        let shown = try home.bench.ask(MemberShow.self, .init(member: Home.guardian))
        #expect(shown.passcode.attempts.map(\.purpose.english) == Array(repeating: "approve R7", count: 5))
    }

    @Test(
        "The purpose of a wrong passcode keeps its message key after a restart, if the key is one of purposes"
    )
    func purposes() throws {
        let approve = Message("purpose.approve", "approve \("R7", "request")")
        let other = Message("rule-part.list", "\("anything", "parts")")
        let long = Message("purpose.approve", "approve \(String(repeating: "x", count: 300), "request")")
        for purpose in [approve, other, Message(key: "purpose.approve", english: "a", values: long.values)] {
            let request = AuthProve.Request(member: Home.child, passcode: "wrong", purpose: purpose)
            _ = try home.bench.ask(AuthProve.self, request)
        }
        try home.reopen()
        let shown = try home.bench.ask(MemberShow.self, .init(member: Home.guardian)).passcode.attempts
        #expect(
            shown.map(\.purpose) == [approve, Message(verbatim: "anything"), Message(verbatim: "a")]
        )
    }

    @Test("Proof with an unknown member or an invalid purpose is rejected")
    func bad() throws {
        #expect(try refusal("stranger", "guardian's")?.code == "member.not_found")
        for purpose in ["", "a\u{1B}b", String(repeating: "x", count: 201)] {
            #expect(try refusal(Home.child, "guardian's", purpose: purpose)?.code == "auth.bad_purpose")
        }
    }

    @Test("Proof for a child requires a guardian with a passcode")
    func noGuardian() throws {
        let home = try Home(hasPasscodes: false)
        let request = AuthProve.Request(
            member: Home.child,
            passcode: "1234",
            purpose: Message(verbatim: "approve R7")
        )
        #expect(try home.bench.refusal(AuthProve.self, request)?.code == "auth.no_method")
    }
}
