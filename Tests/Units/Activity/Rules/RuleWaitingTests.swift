import STContracts
import STPlatform
import STTestKit
import Testing

@testable import STActivityCore

@Suite("Waiting changes of rules")
struct RuleWaitingTests {
    private static let hourMs: Int64 = 3_600_000
    private let desk: RuleDesk

    init() throws {
        desk = try RuleDesk()
        try desk.add(RuleDesk.limit())
        _ = try delay(Self.hourMs)
    }

    @discardableResult
    private func delay(_ ms: Int64?, _ member: String? = nil) throws -> RuleDelay.Reply {
        try desk.bench.ask(RuleDelay.self, .init(member: member, delayMs: ms))
    }

    private func edit(_ minutes: Int64, _ name: String = "firefox") throws -> RuleView {
        try desk.bench.ask(RuleEdit.self, .init(name: name, durationMs: minutes * 60_000)).rule
    }

    private func rule(_ name: String = "firefox") throws -> RuleView? {
        try desk.bench.ask(RuleList.self, .init()).rules.first { $0.rule.name == name }
    }

    /// Advances the time and applies due changes of rules.
    private func pass(_ ms: Int64) throws {
        desk.bench.time.advance(byMs: ms)
        try settle()
    }

    private func settle() throws {
        while desk.bench.rulesDue.isDue(at: desk.bench.time.now()) {
            #expect(try desk.bench.passRules().isEmpty)
        }
    }

    @Test("A longer limit is stored and shown as pending, and takes effect at its time")
    func waits() throws {
        let reply = try edit(45)
        #expect(reply.rule.durationMs == 1_800_000)
        let pending = try #require(reply.pending)
        #expect(pending.text.english == "30 min becomes 45 min")
        #expect(
            pending
                == PendingChange(
                    change: "edit",
                    text: pending.text,
                    askedAt: RFC3339.text(wallMs: RuleDesk.noonMs),
                    takesEffectWallMs: RuleDesk.noonMs + Self.hourMs
                )
        )
        #expect(try rule() == reply)
        try pass(Self.hourMs - 1)
        #expect(try rule()?.rule.durationMs == 1_800_000)
        try desk.restart()
        try pass(1)
        #expect(try rule()?.rule.durationMs == 2_700_000)
        #expect(try rule()?.pending == nil)
        // The activity of the rule must be restarted with the new amount.
        #expect(desk.book.nextStep() != nil)
    }

    @Test("A shorter limit takes effect immediately and cancels only that rule's waiting change")
    func tightens() throws {
        try desk.add(RuleDesk.limit("code"))
        _ = try edit(45)
        _ = try edit(45, "code")
        let reply = try edit(20)
        #expect(reply.rule.durationMs == 1_200_000)
        #expect(reply.pending == nil)
        #expect(try rule("code")?.pending != nil)
        try pass(2 * Self.hourMs)
        #expect(try rule()?.rule.durationMs == 1_200_000)
        #expect(try rule("code")?.rule.durationMs == 2_700_000)
    }

    @Test("An edit to the current amount cancels the waiting change")
    func cancel() throws {
        _ = try edit(45)
        #expect(try edit(30).pending == nil)
        try pass(2 * Self.hourMs)
        #expect(try rule()?.rule.durationMs == 1_800_000)
    }

    @Test("Repeating a request does not restart its wait, and requesting another change does")
    func again() throws {
        let first = try edit(45)
        try pass(600_000)
        #expect(try edit(45).pending == first.pending)
        #expect(try edit(50).pending?.takesEffectWallMs == RuleDesk.noonMs + 600_000 + Self.hourMs)
    }

    @Test("Requests through account-door can change only the account's own rules")
    func door() throws {
        let bench = desk.bench
        bench.behalf = "another"
        let refused = try [
            bench.refusal(RuleEdit.self, .init(name: "firefox", durationMs: 60_000)),
            bench.refusal(RuleRemove.self, .init(name: "firefox")),
            bench.refusal(RulePause.self, .init(name: "firefox", forMs: 60_000)),
        ]
        #expect(refused.map { $0?.code } == Array(repeating: "access.not_yours", count: 3))
        bench.behalf = try #require(try rule()?.rule.member)
        #expect(try edit(10).rule.durationMs == 600_000)
    }

    @Test("A removal takes effect at its time, and an edit of the rule cancels it")
    func remove() throws {
        let reply = try desk.bench.ask(RuleRemove.self, .init(name: "firefox"))
        #expect(reply.rule.pending?.change == "remove")
        #expect(try edit(30).pending == nil)
        _ = try desk.bench.ask(RuleRemove.self, .init(name: "firefox"))
        try pass(Self.hourMs)
        #expect(try rule() == nil)
    }

    @Test("A new or longer pause waits, and the current pause can be shortened or ended immediately")
    func pause() throws {
        let pause = { (forMs: Int64) in
            try desk.bench.ask(RulePause.self, .init(name: "firefox", forMs: forMs)).rule
        }
        #expect(try pause(Self.hourMs).pausedUntil == nil)
        try pass(Self.hourMs)
        let until = RuleDesk.noonMs + 2 * Self.hourMs
        #expect(try rule()?.pausedUntil == RFC3339.text(wallMs: until))
        // A longer pause waits, and a shorter one does not.
        #expect(try pause(2 * Self.hourMs).pending?.change == "pause")
        #expect(try rule()?.pausedUntil == RFC3339.text(wallMs: until))
        #expect(try pause(600_000).pausedUntil == RFC3339.text(wallMs: until - Self.hourMs + 600_000))
        #expect(try rule()?.pending == nil)
        #expect(try pause(0).pausedUntil == nil)
        _ = try pause(Self.hourMs)
        #expect(try pause(0).pending == nil)
        try pass(3 * Self.hourMs)
        #expect(try rule()?.pausedUntil == nil)
    }

    @Test("A looser edit of a paused rule waits too")
    func pausedEdit() throws {
        try delay(0)
        try pass(Self.hourMs)
        _ = try desk.bench.ask(RulePause.self, .init(name: "firefox", forMs: 10 * Self.hourMs))
        try delay(Self.hourMs)
        let reply = try edit(45)
        #expect(reply.pausedUntil != nil && reply.pending?.change == "edit")
        try pass(Self.hourMs)
        #expect(try rule()?.rule.durationMs == 2_700_000)
        #expect(try rule()?.pausedUntil != nil)
    }

    @Test("An allow rule waits before it takes effect, and its removal is immediate")
    func allow() throws {
        let spec = RuleSpec(kind: .allow, name: "ok", targets: [RuleDesk.app("code")])
        #expect(try desk.add(spec).rule.pending?.change == "add")
        #expect(desk.book.find("ok")?.isInEffect == false)
        #expect(desk.book.shields.decisions.isEmpty)
        // An edit that adds a target restarts the wait. One that removes a target does not shorten it.
        try pass(600_000)
        var more = RuleEdit.Request(name: "ok", targets: [RuleDesk.app("code"), RuleDesk.app("firefox")])
        let later = try desk.bench.ask(RuleEdit.self, more).rule.pending?.takesEffectWallMs
        #expect(later == RuleDesk.noonMs + 600_000 + Self.hourMs)
        more.targets = [RuleDesk.app("code")]
        #expect(try desk.bench.ask(RuleEdit.self, more).rule.pending?.takesEffectWallMs == later)
        #expect(desk.book.find("ok")?.isInEffect == false)
        try pass(Self.hourMs)
        #expect(desk.book.find("ok")?.isInEffect == true)
        #expect(desk.book.shields.decisions.values.map(\.shield) == [.allowing([RuleDesk.app("code")])])
        #expect(try desk.bench.ask(RuleRemove.self, .init(name: "ok")).rule.pending == nil)
        #expect(desk.book.find("ok") == nil)
    }

    @Test("A longer delay takes effect immediately, a shorter one after the old delay")
    func delays() throws {
        #expect(try delay(2 * Self.hourMs).delayMs == 2 * Self.hourMs)
        let shorter = try delay(0)
        #expect(shorter.delayMs == 2 * Self.hourMs)
        #expect(shorter.nextDelayMs == 0)
        #expect(shorter.nextFromWallMs == RuleDesk.noonMs + 2 * Self.hourMs)
        try pass(Self.hourMs)
        #expect(try delay(nil) == shorter)
        #expect(try delay(0) == shorter)
        try desk.restart()
        try pass(Self.hourMs)
        #expect(try delay(nil) == RuleDelay.Reply(member: "owner", delayMs: 0))
        #expect(try edit(45).pending == nil)
    }

    @Test("Setting the clock does not shorten the wait of a change")
    func clock() throws {
        _ = try edit(45)
        desk.bench.time.stepWall(byMs: 10 * Self.hourMs)
        try settle()
        #expect(try rule()?.pending != nil)
        desk.bench.time.stepWall(byMs: -20 * Self.hourMs)
        try pass(Self.hourMs)
        #expect(try rule()?.pending == nil)
    }

    @Test("Neither a clock set forward nor a restart of the machine shortens the wait of a change")
    func reboots() throws {
        _ = try edit(45)
        // The running time of each boot counts, except for the time that was not stored.
        try pass(20 * 60_000)
        try reboot(wallMs: RuleDesk.noonMs + 8 * 86_400_000, bootMs: 60_000)
        #expect(try rule()?.pending != nil)
        #expect(try rule()?.rule.durationMs == 1_800_000)
        try pass(39 * 60_000 - 1)
        #expect(try rule()?.pending != nil)
        try pass(1)
        #expect(try rule()?.rule.durationMs == 2_700_000)
    }

    private func reboot(wallMs: Int64, bootMs: Int64) throws {
        try desk.reboot(wallMs: wallMs, bootMs: bootMs)
        try settle()
    }

    @Test("A clock that is set back does not lengthen or restart a pause")
    func pauseAndClock() throws {
        try delay(0)
        try pass(Self.hourMs)
        _ = try desk.bench.ask(RulePause.self, .init(name: "firefox", forMs: Self.hourMs))
        desk.bench.time.stepWall(byMs: -10 * Self.hourMs)
        try pass(Self.hourMs - 1)
        #expect(try rule()?.pausedUntil != nil)
        try pass(1)
        #expect(try rule()?.pausedUntil == nil)
        desk.bench.time.stepWall(byMs: -10 * Self.hourMs)
        try desk.restart()
        #expect(try rule()?.pausedUntil == nil)
    }

    @Test("A delay applies to one member and has a maximum")
    func bounds() throws {
        #expect(try delay(nil, "kid").delayMs == 0)
        for bad: Int64 in [-1, 7 * 24 * Self.hourMs + 1, .max] {
            let request = RuleDelay.Request(delayMs: bad)
            #expect(try desk.bench.refusal(RuleDelay.self, request)?.code == "rule.bad_delay")
        }
        let stranger = RuleDelay.Request(member: "stranger")
        #expect(try desk.bench.refusal(RuleDelay.self, stranger)?.code == "member.unknown")
    }

    @Test("A change that is no longer possible is dropped and reported")
    func dropped() throws {
        _ = try desk.bench.ask(RuleEdit.self, .init(name: "firefox", newName: "a", durationMs: 2_700_000))
        var other = RuleDesk.limit("code")
        other.name = "a"
        try desk.add(other)
        desk.bench.time.advance(byMs: Self.hourMs)
        let dropped = try desk.bench.passRules()
        #expect(dropped.map(\.rule) == ["firefox"])
        #expect(dropped.map(\.problem.code) == ["rule.exists"])
        #expect(try rule()?.pending == nil)
        #expect(try rule()?.rule.durationMs == 1_800_000)
    }
}
