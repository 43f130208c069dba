import STContracts
import STPlatform
import STTestKit
import Testing

@testable import STShieldCore

@Suite("Requests of a child")
struct RequestTests {
    private let desk: RequestDesk

    init() throws { desk = try RequestDesk() }

    @Test("A child's request waits until a guardian approves it with a passcode, and is granted from then on")
    func approve() throws {
        let asked = try desk.bench.ask(RequestAdd.self, RequestDesk.ask(because: "homework"))
        #expect(asked.request.request == "R1")
        #expect(asked.request.state == .waiting)
        #expect(asked.request.grantsAt == nil)
        #expect(asked.request.because == "homework")
        #expect(asked.notes.isEmpty)
        try desk.pass(minutes: 7)

        let granted = try desk.approve("R1").request

        #expect(granted.state == .granted)
        #expect(granted.answeredBy == RequestDesk.guardian)
        #expect(granted.fromWallMs == RequestDesk.noonMs + 7 * 60_000)
        #expect(granted.untilWallMs == RequestDesk.noonMs + 22 * 60_000)
        #expect(desk.inForce() == ["R1": RequestDesk.noonMs + 22 * 60_000])
        #expect(try desk.told() == ["1 grant/R1 granted"])
    }

    @Test("A granted request ends exactly at its end time and publishes an event")
    func end() throws {
        try desk.add()
        try desk.approve("r1")
        try desk.pass(minutes: 15, ms: -1)
        #expect(try desk.view("R1").state == .granted)
        try desk.pass(ms: 1)

        #expect(try desk.view("R1").state == .ended)
        #expect(desk.inForce().isEmpty)
        #expect(try desk.told() == ["1 grant/R1 granted", "2 grant/R1 ended"])
        #expect(desk.book.due(bootID: desk.time.bootID) == Deadlines())
    }

    @Test("A guardian can grant less time than requested, but not more")
    func shorter() throws {
        try desk.add()
        for bad: Int64 in [-10, 0, 16, 25 * 60] {
            let request = RequestApprove.Request(
                request: "R1",
                passcode: RequestDesk.passcode,
                durationMs: bad * 60_000
            )
            #expect(try desk.bench.refusal(RequestApprove.self, request)?.code == "request.bad_duration")
        }
        #expect(try desk.approve("R1", minutes: 10).request.untilWallMs == RequestDesk.noonMs + 600_000)
    }

    @Test("Answering with a wrong passcode or approving without one leaves the request waiting")
    func wrong() throws {
        try desk.add()
        let reply = try desk.approve("R1", "wrong")
        #expect(reply.refusal?.code == "auth.wrong_passcode")
        #expect(reply.request.state == .waiting)
        let without = RequestApprove.Request(request: "R1")
        #expect(try desk.bench.refusal(RequestApprove.self, without)?.code == "auth.proof_needed")
        let deny = try desk.bench.ask(RequestDeny.self, .init(request: "R1", passcode: "wrong"))
        #expect(deny.refusal?.code == "auth.wrong_passcode")
        #expect(try desk.view("R1").state == .waiting)
        #expect(try desk.told().isEmpty)
    }

    @Test("A denied request stores the guardian's reason and can no longer be approved")
    func deny() throws {
        try desk.add()
        let reply = try desk.bench.ask(
            RequestDeny.self,
            .init(request: "R1", passcode: RequestDesk.passcode, because: "dinner")
        )
        #expect(reply.request.state == .denied)
        #expect(reply.request.answer?.english == "dinner")
        #expect(try desk.told().isEmpty)
        let again = RequestApprove.Request(request: "R1", passcode: RequestDesk.passcode)
        #expect(try desk.bench.refusal(RequestApprove.self, again)?.code == "request.not_waiting")
    }

    @Test("An unanswered request expires after a day, or after the time that the rule sets")
    func expiry() throws {
        try desk.add()
        try desk.pass(minutes: 24 * 60 - 1)
        #expect(try desk.view("R1").state == .waiting)
        try desk.pass(minutes: 1)
        #expect(try desk.view("R1").state == .expired)
        let late = RequestApprove.Request(request: "R1", passcode: RequestDesk.passcode)
        #expect(try desk.bench.refusal(RequestApprove.self, late)?.code == "request.not_waiting")

        var rule = try desk.bench.ask(RequestRuleShow.self, .init(member: "kid")).rule
        rule.expiresMs = 3_600_000
        let changed = RequestRuleSet.Request(rule: rule, passcode: RequestDesk.passcode)
        #expect(try desk.bench.ask(RequestRuleSet.self, changed).refusal == nil)
        try desk.add()
        try desk.pass(minutes: 59)
        try desk.restart()
        #expect(try desk.view("R2").state == .waiting)
        try desk.pass(minutes: 1)
        #expect(try desk.view("R2").state == .expired)
        rule.expiresMs = 1
        let short = RequestRuleSet.Request(rule: rule, passcode: RequestDesk.passcode)
        #expect(try desk.bench.refusal(RequestRuleSet.self, short)?.field == "/rule/expires_ms")
    }

    @Test("Revoking a waiting or granted request needs no passcode, and a second revocation is refused")
    func revoke() throws {
        try desk.add()
        #expect(try desk.bench.ask(RequestRevoke.self, .init(request: "R1")).request.state == .withdrawn)
        try desk.add()
        try desk.approve("R2")
        try desk.pass(minutes: 3)
        let revoked = try desk.bench.ask(RequestRevoke.self, .init(request: "R2")).request
        #expect(revoked.state == .revoked)
        #expect(revoked.untilWallMs == RequestDesk.noonMs + 3 * 60_000)
        #expect(desk.inForce().isEmpty)
        #expect(try desk.told() == ["1 grant/R2 granted", "2 grant/R2 revoked"])
        #expect(
            try desk.bench.refusal(RequestRevoke.self, .init(request: "R2"))?.code == "request.not_waiting"
        )
    }

    @Test("A restart keeps requests, and after a reboot numbers continue and expired grants end")
    func start() throws {
        try desk.add()
        try desk.approve("R1")
        try desk.add("kid", minutes: 5, items: [])
        let before = desk.book
        try desk.restart()
        #expect(desk.book == before)
        #expect(desk.inForce().keys.sorted() == ["R1"])

        try desk.reboot(wallMs: RequestDesk.noonMs + 3_600_000)
        #expect(try desk.view("R1").state == .ended)
        #expect(try desk.add("kid", minutes: 5, items: [RequestDesk.app("code")]).request == "R3")
    }

    @Test("A child's request reports `request.no_guardian` if the household has no guardian")
    func noGuardian() throws {
        desk.set(members: [Member(name: "owner", role: .individual), Member(name: "kid", role: .child)])
        let asked = try desk.bench.ask(RequestAdd.self, RequestDesk.ask())
        #expect(asked.notes.map(\.code) == ["request.no_guardian"])
    }

    @Test("Requests are listed newest first and can be filtered by member and state")
    func list() throws {
        for id in ["a", "b", "c"] { try desk.add("kid", minutes: 5, items: [RequestDesk.app(id)]) }
        try desk.add("owner", minutes: 5)
        try desk.approve("R2")
        let list = { (request: RequestList.Request) in
            try desk.bench.ask(RequestList.self, request).requests.map(\.request)
        }
        #expect(try list(.init()) == ["R4", "R3", "R2", "R1"])
        #expect(try list(.init(member: "kid", state: .waiting)) == ["R3", "R1"])
        #expect(try list(.init(state: .granted)) == ["R2"])
        #expect(try desk.bench.refusal(RequestList.self, .init(state: .unknown)) != nil)
    }

    @Test("Only a limited number of finished requests is kept, and a restart keeps the same ones")
    func kept() throws {
        for _ in 0..<(MoreTimeRequests.keptMax + 5) {
            let request = try desk.add()
            _ = try desk.bench.ask(RequestRevoke.self, .init(request: request.request))
        }
        // The last one is kept until the next change.
        #expect(desk.book.requests.count == MoreTimeRequests.keptMax + 1)
        #expect(desk.book.requests.keys.min() == 5)
        let before = desk.book
        try desk.restart()
        #expect(desk.book == before)
    }

    @Test("Repeating an approval with the same key returns the first reply and publishes no second event")
    func repeated() throws {
        try desk.add()
        let request = RequestApprove.Request(request: "R1", passcode: RequestDesk.passcode)
        let first = try desk.bench.ask(RequestApprove.self, request, key: "k")
        try desk.pass(minutes: 5)
        #expect(try desk.bench.ask(RequestApprove.self, request, key: "k") == first)
        #expect(try desk.told().count == 1)
    }

    @Test("A guardian can grant time without a request to a child or an adult, but only with a passcode")
    func given() throws {
        func give(_ member: String, _ passcode: String?, minutes: Int64 = 30) throws -> RequestGrant.Reply {
            try desk.bench.ask(
                RequestGrant.self,
                .init(member: member, items: [], durationMs: minutes * 60_000, passcode: passcode)
            )
        }
        let given = try give("kid", RequestDesk.passcode).request
        #expect(given?.state == .granted && given?.answeredBy == RequestDesk.guardian)
        #expect(given?.untilWallMs == RequestDesk.noonMs + 1_800_000)
        #expect(try give("kid", "wrong").refusal?.code == "auth.wrong_passcode")
        #expect(try give("owner", RequestDesk.passcode).request?.request == "R2")
        #expect(try desk.bench.ask(RequestList.self, .init()).requests.count == 2)
        let none = RequestGrant.Request(member: "kid", items: [], durationMs: 60_000)
        #expect(try desk.bench.refusal(RequestGrant.self, none)?.code == "auth.proof_needed")
        let long = RequestGrant.Request(member: "kid", items: [], durationMs: 90_000_000)
        #expect(try desk.bench.refusal(RequestGrant.self, long)?.code == "request.bad_duration")
    }
}
