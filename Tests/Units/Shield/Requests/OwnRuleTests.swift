import STContracts
import STPlatform
import STTestKit
import Testing

@testable import STShieldCore

@Suite("Requests that the member's own rule answers")
struct OwnRuleTests {
    private let desk: RequestDesk

    init() throws { desk = try RequestDesk() }

    private func rule(
        _ member: String = "owner",
        delay: Int64 = 60_000,
        growth: Int64 = 100,
        most: Int64 = 900_000,
        aDay: Int64 = 4
    ) -> RequestRule {
        RequestRule(member: member, delayMs: delay, growthPercent: growth, mostMs: most, aDay: aDay)
    }

    @discardableResult
    private func set(_ rule: RequestRule, _ passcode: String? = nil) throws -> RequestRuleSet.Reply {
        try desk.bench.ask(RequestRuleSet.self, .init(rule: rule, passcode: passcode))
    }

    private func shown(_ member: String? = nil) throws -> RequestRuleState {
        try desk.bench.ask(RequestRuleShow.self, .init(member: member))
    }

    @Test("An own rule grants each request of a day after a longer delay, up to its daily limit")
    func grows() throws {
        for (number, minutes) in [1, 2, 4, 8].enumerated() {
            let asked = try desk.add(nil, minutes: 5)
            #expect(asked.grantsAt == RFC3339.text(wallMs: desk.time.now().wallMs + Int64(minutes) * 60_000))
            try desk.pass(minutes: Int64(minutes), ms: -1)
            #expect(try desk.view("R\(number + 1)").state == .waiting)
            try desk.pass(ms: 1)
            let granted = try desk.view("R\(number + 1)")
            #expect(granted.state == .granted)
            #expect(granted.answeredBy == RequestView.ownRule)
            try desk.pass(minutes: 5)
            #expect(try desk.view("R\(number + 1)").state == .ended)
        }
        #expect(try desk.told().count == 8)
        #expect(try shown().grantedToday == 4)
        desk.set(members: [Member(name: "owner", role: .individual)])
        let refusal = try desk.bench.refusal(RequestAdd.self, RequestDesk.ask(nil, minutes: 5))
        #expect(refusal?.code == "request.day_used_up")

        desk.time.advance(byMs: 12 * 3_600_000)
        #expect(try desk.add(nil, minutes: 5).grantsAt != nil)
    }

    @Test("Requests that wait at the same time get increasing delays")
    func several() throws {
        let moments = try ["a", "b", "c"].map {
            try desk.add(nil, minutes: 5, items: [RequestDesk.app($0)]).grantsAt
        }
        #expect(
            moments
                == [1, 2, 4].map { RFC3339.text(wallMs: RequestDesk.noonMs + Int64($0) * 60_000) }
        )
    }

    @Test("Members cannot approve requests that their own rule answers, but a guardian can")
    func notOneself() throws {
        try desk.add(nil, minutes: 5)
        for by in [nil, "owner"] {
            let request = RequestApprove.Request(request: "R1", by: by, passcode: "owner's")
            #expect(try desk.bench.refusal(RequestApprove.self, request)?.code == "request.own_rule")
        }
        #expect(try desk.approve("R1", by: RequestDesk.guardian).request.state == .granted)
        #expect(try shown().grantedToday == 0)
    }

    @Test("A request longer than the rule's maximum needs a guardian, and without a guardian it is refused")
    func tooLong() throws {
        let asked = try desk.bench.ask(RequestAdd.self, RequestDesk.ask(nil, minutes: 16))
        #expect(asked.notes.map(\.code) == ["request.too_long"])
        #expect(asked.request.grantsAt == nil)
        // The approval does not have to name the guardian.
        #expect(try desk.approve("R1").request.answeredBy == RequestDesk.guardian)
        desk.set(members: [Member(name: "owner", role: .individual)])
        let request = RequestDesk.ask(nil, minutes: 20, items: [RequestDesk.app("code")])
        #expect(try desk.bench.refusal(RequestAdd.self, request)?.code == "request.too_long")
    }

    @Test(
        "If no guardian has a passcode, an adult's long request is refused and a child's reports the problem"
    )
    func noPasscode() throws {
        desk.set(provers: [])
        #expect(
            try desk.bench.refusal(RequestAdd.self, RequestDesk.ask(nil, minutes: 20))?.code
                == "request.too_long"
        )
        let child = try desk.bench.ask(RequestAdd.self, RequestDesk.ask("kid", minutes: 20))
        #expect(child.notes.map(\.code) == ["request.no_guardian"])
        #expect(child.notes[0].text.english.contains("screentime member passcode guardian"))
    }

    @Test("Setting the clock neither advances a waiting request nor lengthens a grant")
    func clock() throws {
        try desk.add(nil, minutes: 10)
        desk.time.stepWall(byMs: 3_600_000)
        try desk.settle()
        #expect(try desk.view("R1").state == .waiting)
        desk.time.stepWall(byMs: -7_200_000)
        try desk.pass(minutes: 1)
        #expect(try desk.view("R1").state == .granted)

        try desk.pass(minutes: 4)
        desk.time.stepWall(byMs: -3_600_000)
        try desk.pass(minutes: 6, ms: -1)
        #expect(try desk.view("R1").state == .granted)
        try desk.pass(ms: 1)
        #expect(try desk.view("R1").state == .ended)

        try desk.add(nil, minutes: 10)
        try desk.pass(minutes: 2)
        desk.time.stepWall(byMs: 600_000)
        try desk.settle()
        #expect(try desk.view("R2").state == .ended)
    }

    @Test("A clock that is set back during a reboot does not lengthen a grant")
    func reboot() throws {
        try desk.add()
        try desk.approve("R1")
        try desk.reboot(wallMs: RequestDesk.noonMs - 86_400_000)
        #expect(try desk.view("R1").state == .granted)
        try desk.pass(minutes: 15)
        #expect(try desk.view("R1").state == .ended)
    }

    @Test("Setting the clock forward a day and back does not renew the day's grants")
    func days() throws {
        try set(rule(delay: 0, aDay: 1))
        try desk.add(nil, minutes: 1)
        try desk.pass(minutes: 1)
        desk.set(members: [Member(name: "owner", role: .individual)])
        for stepMs: Int64 in [86_400_000, -86_400_000] {
            desk.time.stepWall(byMs: stepMs)
            let refusal = try desk.bench.refusal(RequestAdd.self, RequestDesk.ask(nil, minutes: 1))
            #expect(refusal?.code == "request.day_used_up")
        }
    }

    @Test("Setting the clock forward starts no new day, and a full history keeps the day of new grants")
    func stepped() throws {
        try set(rule(delay: 0, aDay: 1))
        try desk.add(nil, minutes: 1)
        for _ in 0..<3 {
            desk.time.stepWall(byMs: 86_400_000)
            #expect(try shown().grantedToday == 1)
        }
        try desk.pass(minutes: 24 * 60)
        #expect(try shown().grantedToday == 0)

        var book = MoreTimeRequests()
        for day in 1...MoreTimeRequests.daysMax {
            book.recordGrant("kim", day: "2027-01-\(day < 10 ? "0" : "")\(day)")
        }
        for _ in 0..<3 { book.recordGrant("kim", day: "2026-12-31") }
        #expect(book.granted("kim", day: "2026-12-31") == 3)
    }

    @Test("A reboot with the clock set back a day starts no new day")
    func restarted() throws {
        try set(rule(delay: 0, aDay: 1))
        try desk.add(nil, minutes: 1)
        try desk.reboot(wallMs: RequestDesk.noonMs - 86_400_000)
        #expect(try shown().grantedToday == 1)
    }

    @Test("A waiting request is denied when its delay ends if the rule no longer permits it")
    func tightened() throws {
        try desk.add(nil, minutes: 10, items: [RequestDesk.app("a")])
        try set(rule(most: 300_000))
        try desk.pass(minutes: 1)
        #expect(try desk.view("R1").state == .denied)
        #expect(try desk.view("R1").answer?.english == "The rule now grants at most 5 min at a time.")

        try desk.add(nil, minutes: 5, items: [RequestDesk.app("b")])
        try desk.add(nil, minutes: 5, items: [RequestDesk.app("c")])
        try set(rule(most: 300_000, aDay: 1))
        try desk.pass(minutes: 2)
        #expect(try ["R2", "R3"].map { try desk.view($0).state } == [.granted, .denied])
        #expect(try desk.view("R3").answer?.english == "The rule now grants more time only once a day.")
        #expect(try shown().grantedToday == 1)
    }

    @Test("A waiting request waits longer if the rule's delay is increased")
    func slower() throws {
        try desk.add(nil, minutes: 5)
        try set(rule(delay: 600_000))
        try desk.pass(minutes: 10, ms: -1)
        #expect(try desk.view("R1").state == .waiting)
        try desk.pass(ms: 1)
        #expect(try desk.view("R1").state == .granted)
    }

    @Test("A stricter rule applies immediately, and a looser one after the delay of the member's rules")
    func loosening() throws {
        desk.set(delayMs: 3_600_000)
        #expect(try set(rule(delay: 120_000)).fromWallMs == nil)
        #expect(!desk.asked.contains(RuleDelay.name) && !desk.asked.contains(AuthProve.name))
        let reply = try set(rule(delay: 60_000, aDay: 3))
        #expect(reply.fromWallMs == RequestDesk.noonMs + 3_600_000)
        // The stricter part of the rule applies immediately.
        #expect(try shown().rule == rule(delay: 120_000, aDay: 3))
        #expect(try shown().next == rule(delay: 60_000, aDay: 3))
        desk.time.stepWall(byMs: 86_400_000)
        try desk.settle()
        #expect(try shown().next != nil)
        try desk.restart()
        try desk.pass(minutes: 60)
        #expect(try shown().rule == rule(delay: 60_000, aDay: 3))
        #expect(try shown().next == nil)
    }

    @Test("Setting the stricter rule again cancels the pending looser rule")
    func cancel() throws {
        desk.set(delayMs: 3_600_000)
        try set(rule(aDay: 10))
        try set(rule())
        try desk.pass(minutes: 120)
        #expect(try shown() == RequestRuleState(rule: rule()))
    }

    @Test("Without a delay, a looser rule applies immediately")
    func noDelay() throws {
        #expect(try set(rule(aDay: 10)).fromWallMs == nil)
        #expect(try shown().rule.aDay == 10)
    }

    @Test("Loosening a child's rule requires a guardian's passcode and lets the rule grant requests")
    func child() throws {
        #expect(try shown("kid").rule.aDay == 0)
        let looser = rule("kid", aDay: 1)
        let without = RequestRuleSet.Request(rule: looser)
        #expect(try desk.bench.refusal(RequestRuleSet.self, without)?.code == "auth.proof_needed")
        #expect(try set(looser, "wrong").refusal?.code == "auth.wrong_passcode")
        #expect(try shown("kid").rule.aDay == 0)
        #expect(try set(looser, RequestDesk.passcode).refusal == nil)
        #expect(try desk.add("kid", minutes: 5).grantsAt != nil)
        // Beyond the rule's daily limit, a guardian answers.
        #expect(try desk.add("kid", minutes: 5, items: [RequestDesk.app("code")]).grantsAt == nil)
    }

    @Test("A rule with a value out of bounds is refused, and a growing delay stops at the maximum")
    func bounds() throws {
        let bad = [
            rule(delay: -1), rule(delay: 86_400_001), rule(growth: -1), rule(growth: 1_001), rule(most: 0),
            rule(most: 86_400_001), rule(aDay: -1), rule(aDay: 51),
        ]
        for rule in bad {
            #expect(
                try desk.bench.refusal(RequestRuleSet.self, .init(rule: rule))?.code == "request.bad_rule"
            )
        }
        #expect(
            CustomRequestRule.delay(rule(delay: 1, growth: 1_000), after: 50).ms == RequestRule.delayMsMax
        )
        #expect(CustomRequestRule.delay(rule(delay: 0), after: 50) == .zero)
    }
}
