import STContracts
import STPlatform
import STStore
import STTestKit
import Testing

@testable import STAuthCore

@Suite("Showing a member")
struct MemberShowTests {
    private let home: Home

    init() throws { home = try Home() }

    @Test("Showing a member lists what each service records, for how long, and who can see it")
    func records() throws {
        try home.approve(Home.app, Home.child)

        let shown = try home.bench.ask(MemberShow.self, .init(member: Home.child))

        #expect(shown.records.map(\.service).sorted() == ServiceName.all.map(\.rawValue).sorted())
        for record in shown.records {
            #expect(!record.what.english.isEmpty && !record.kept.english.isEmpty)
            let seers = record.seenBy.english
            #expect(seers.contains(Home.child) && seers.contains("the guardian guardian"))
        }
        let use = try #require(shown.records.first { $0.service == "activity-center" })
        #expect(use.seenBy.english.contains("The promise"))
        #expect(shown.authorizations.map(\.app) == [Home.app])
        let owner = try home.bench.ask(MemberShow.self, .init())
        #expect(owner.member.name == Home.owner)
        #expect(!owner.records.isEmpty)
        #expect(owner.records.allSatisfy { !$0.seenBy.english.contains("guardian") })
    }

    @Test("Showing a member counts wrong passcodes with their time and purpose")
    func attempts() throws {
        try home.install()
        let question = try home.question()
        for _ in 0..<5 { _ = try home.answer(question, "wrong") }

        let shown = try home.bench.ask(MemberShow.self, .init()).passcode

        #expect(shown.isSet)
        #expect(shown.wrong == 5)
        #expect(shown.lockedForMs == 60_000)
        #expect(shown.attempts.count == 5)
        #expect(shown.attempts.allSatisfy { $0.purpose.english == "allow The promise for owner" })
        #expect(shown.attempts.last?.at == RFC3339.text(wallMs: home.time.now().wallMs))
        let kid = try home.bench.ask(MemberShow.self, .init(member: Home.child)).passcode
        #expect(kid == PasscodeView(isSet: false))
    }

    @Test("The last fifty wrong passcodes are stored and twenty of them are shown")
    func attemptsMax() throws {
        for round in 0..<60 {
            _ = try home.set(Home.owner, "new one", proof: "wrong \(round)")
            home.time.advance(byMs: 3_600_000)
        }

        #expect(try home.bench.ask(MemberShow.self, .init()).passcode.attempts.count == 20)
        let kept = try home.bench.database.first("SELECT count(*) FROM attempts") { try $0.int(0) }
        #expect(kept == 50)
        #expect(home.bench.state.notices.count <= 100)
    }

    @Test("The last hundred notices are kept, also after a restart")
    func noticesMax() throws {
        for _ in 0..<105 {
            _ = try home.bench.ask(
                MemberPasscode.self,
                .init(member: Home.owner, passcode: "new one", reset: true),
                uid: 0
            )
        }
        let notices = try home.bench.ask(AuthNotices.self, Empty()).notices

        #expect(notices.count == 100)
        try home.reopen()
        #expect(try home.bench.ask(AuthNotices.self, Empty()).notices == notices)
    }

    @Test("Showing an unknown member suggests a name")
    func unknown() throws {
        let problem = try home.bench.refusal(MemberShow.self, .init(member: "kidd"))

        #expect(problem?.code == "member.not_found")
        #expect(problem?.message.contains("Did you mean kid?") == true)
    }
}
