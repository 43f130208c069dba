import STContracts
import STPlatform
import STTestKit
import Testing

@testable import STActivityCore

@Suite("Shields of rules")
struct RuleShieldTests {
    private let shields: ShieldDesk
    private var desk: RuleDesk { shields.desk }

    init() throws { shields = try ShieldDesk() }

    private func go(toHour hour: Int, _ minute: Int = 0, day: Int = 20) {
        let ms = RuleDesk.wallMs(day: day, hour: hour, minute: minute)
        desk.bench.time.advance(byMs: ms - desk.bench.time.now().wallMs)
    }

    private func view(_ name: String) throws -> RuleView? {
        try desk.bench.ask(RuleList.self, .init()).rules.first { $0.rule.name == name }
    }

    @Test("a used-up limit blocks its apps until the end of its day")
    func limit() throws {
        var spec = RuleDesk.limit()
        spec.targets += [
            TokenItem(kind: .category, id: "social"), TokenItem(kind: .domain, id: "reddit.com"),
        ]
        try shields.add(spec)
        try shields.keep()
        #expect(try shields.decided.isEmpty)
        #expect(try view("firefox")?.isShielding == false)

        try shields.deliver("d1", RuleDesk.begun("firefox"))
        try shields.deliver("d2", RuleDesk.reached("firefox"))
        #expect(try shields.stores == ["owner/firefox": "apps firefox; sites reddit.com; categories social"])
        #expect(try view("firefox")?.isShielding == true)
        try shields.deliver("d3", RuleDesk.ended("firefox"))

        #expect(try shields.stores == ["owner/firefox": ""])
        #expect(try shields.decided.map { $0.suffix(6) } == ["<- d2", "<- d3"].map { " \($0)" })
        try shields.keep()
        #expect(try shields.decided.count == 2)
        #expect(try view("firefox")?.isShielding == false)
    }

    @Test("a rule that only notifies shields nothing, but does so at once after an edit")
    func consequence() throws {
        var spec = RuleDesk.limit()
        spec.then = .notify
        try desk.add(spec)
        try shields.deliver("d1", RuleDesk.reached("firefox"))
        try shields.keep()
        #expect(try shields.decided.isEmpty)
        #expect(try view("firefox")?.isShielding == nil)

        _ = try desk.bench.ask(RuleEdit.self, .init(name: "firefox", then: .shield))
        try shields.keep()
        #expect(try shields.decided == ["set owner/firefox apps firefox <- d1"])
        _ = try desk.bench.ask(RuleEdit.self, .init(name: "firefox", then: .notify))
        try shields.keep()
        #expect(try shields.stores == ["owner/firefox": ""])
    }

    @Test("a downtime shuts everything from its start to its end, also when added in between")
    func downtime() throws {
        try shields.add(RuleDesk.downtime())
        let startMs = RuleDesk.wallMs(day: 20, hour: 21, minute: 30)
        let endMs = RuleDesk.wallMs(day: 21, hour: 7)

        try shields.deliver("d1", RuleDesk.begun("downtime", startMs, endMs, dueMs: startMs + 3_600_000))
        #expect(try shields.stores == ["owner/downtime": "all"])
        try shields.deliver("d2", RuleDesk.ended("downtime", startMs, endMs))

        #expect(try shields.decided == ["set owner/downtime all <- d1", "clear owner/downtime <- d2"])
    }

    @Test("a window shuts its apps outside it, without a gap at a day on which it never opens")
    func window() throws {
        try shields.add(RuleDesk.window(days: [6]))
        // Friday it opens from 17:00 to 20:00; the other days are off, cut at 17:00.
        let from = RuleDesk.wallMs(day: 20, hour: 17)
        let to = RuleDesk.wallMs(day: 20, hour: 20)
        let saturday = RuleDesk.wallMs(day: 21, hour: 17)
        let sunday = RuleDesk.wallMs(day: 22, hour: 17)

        try shields.deliver(
            "d1",
            RuleDesk.begun("social-window/off", from - 86_400_000, from, dueMs: RuleDesk.noonMs)
        )
        #expect(try shields.stores == ["owner/social-window": "categories social"])
        try shields.deliver("d2", RuleDesk.ended("social-window/off", from - 86_400_000, from))
        #expect(try shields.stores == ["owner/social-window": ""])
        try shields.deliver("d3", RuleDesk.begun("social-window", to, saturday))
        try shields.deliver("d4", RuleDesk.begun("social-window/off", saturday, sunday))
        try shields.deliver("d5", RuleDesk.ended("social-window", to, saturday))

        #expect(try shields.stores == ["owner/social-window": "categories social"])
        #expect(try shields.decided.count == 3)
    }

    @Test("a goal's reward is shut until the goal is met, and again on the next day")
    func goal() throws {
        try shields.add(RuleDesk.goal())
        let thirdMs = RuleDesk.wallMs(day: 22, hour: 0)

        try shields.deliver("d1", RuleDesk.begun("code-goal", dueMs: RuleDesk.noonMs))
        #expect(try shields.stores == ["owner/code-goal": "categories games"])
        try shields.deliver("d2", RuleDesk.reached("code-goal", minutes: 120))
        #expect(try shields.stores == ["owner/code-goal": ""])
        try shields.deliver("d3", RuleDesk.ended("code-goal"))
        try shields.deliver("d4", RuleDesk.begun("code-goal", RuleDesk.nextMs, thirdMs))

        // The rule was added during its interval, so the start of the activity published the first decision.
        #expect(try shields.decided.first?.hasPrefix("set owner/code-goal categories games <- ") == true)
        #expect(
            try Array(shields.decided.dropFirst()) == [
                "clear owner/code-goal <- d2", "set owner/code-goal categories games <- d4",
            ]
        )
    }

    @Test("a limit on everything shuts everything")
    func everything() throws {
        var spec = RuleDesk.limit()
        spec.targets = []
        try shields.add(spec)
        try shields.deliver("d1", RuleDesk.reached("everything"))

        #expect(try shields.stores == ["owner/everything": "all"])
    }

    @Test("a pause takes the shield down, its end puts it up again, also for what happened meanwhile")
    func pause() throws {
        try shields.add(RuleDesk.limit())
        try shields.deliver("d1", RuleDesk.reached("firefox"))
        _ = try desk.bench.ask(RulePause.self, .init(name: "firefox", forMs: 3_600_000))
        try shields.keep()
        #expect(try shields.stores == ["owner/firefox": ""])
        #expect(desk.bench.rulesDue.wallMs == RuleDesk.noonMs + 3_600_000)

        go(toHour: 13)
        try shields.keep()
        #expect(try shields.decided.last == "set owner/firefox apps firefox <- d1")

        _ = try desk.bench.ask(RulePause.self, .init(name: "firefox", forMs: 86_400_000))
        try shields.keep()
        try shields.deliver("d2", RuleDesk.ended("firefox"))
        _ = try desk.bench.ask(RulePause.self, .init(name: "firefox", forMs: 0))
        try shields.keep()
        #expect(try shields.stores == ["owner/firefox": ""])
        #expect(try shields.decided.count == 4)
    }

    @Test("use that is taken back takes down the shield that it caused, and another day's leaves it up")
    func returned() throws {
        try shields.add(RuleDesk.limit())
        try shields.deliver("d1", RuleDesk.reached("firefox"))
        func returned(day: Int) -> ActivityOccurrence {
            var occurrence = RuleDesk.reached("firefox", day: day)
            occurrence.occasion = .thresholdReturned
            return occurrence
        }
        try shields.deliver("d2", returned(day: 19))
        #expect(try shields.stores == ["owner/firefox": "apps firefox"])
        try shields.deliver("d3", returned(day: 20))
        #expect(try shields.stores == ["owner/firefox": ""])
        try shields.deliver("d4", RuleDesk.reached("firefox"))
        #expect(try shields.stores == ["owner/firefox": "apps firefox"])
    }

    @Test("a limit reached during a pause shields when the pause is over")
    func reachedInPause() throws {
        try shields.add(RuleDesk.limit())
        _ = try desk.bench.ask(RulePause.self, .init(name: "firefox", forMs: 3_600_000))
        try shields.deliver("d1", RuleDesk.reached("firefox"))
        try shields.keep()
        #expect(try shields.decided.isEmpty)

        go(toHour: 13)
        try shields.keep()
        #expect(try shields.decided == ["set owner/firefox apps firefox <- d1"])
    }

    @Test("a removed rule takes its store away; made again, also for another member, it begins open")
    func removed() throws {
        try shields.add(RuleDesk.limit())
        try shields.deliver("d1", RuleDesk.reached("firefox"))
        _ = try desk.bench.ask(RuleRemove.self, .init(name: "firefox"))
        var spec = RuleDesk.limit()
        spec.member = "kid"
        try shields.add(spec)
        try shields.keep()
        #expect(try shields.stores.isEmpty)
        #expect(try shields.decided.last?.hasPrefix("delete firefox <- request-") == true)

        var again = RuleDesk.reached("firefox")
        again.member = "kid"
        try shields.deliver("d2", again)
        #expect(try shields.stores == ["kid/firefox": "apps firefox"])
    }

    @Test(
        "an edit that tightens keeps the shield up; one that loosens opens until the limit is used up again",
        arguments: [(Int64(20), true), (30, true), (45, false)]
    )
    func edited(minutes: Int64, isUp: Bool) throws {
        try shields.add(RuleDesk.limit())
        try shields.deliver("d1", RuleDesk.reached("firefox"))
        _ = try desk.bench.ask(
            RuleEdit.self,
            .init(name: "firefox", durationMs: minutes * 60_000, say: "Enough")
        )
        try shields.keep()

        #expect(try shields.stores == ["owner/firefox": isUp ? "apps firefox" : ""])
        // What was on its way tells of less than there is now.
        try shields.deliver("d2", RuleDesk.reached("firefox"))
        #expect(try shields.stores == ["owner/firefox": isUp ? "apps firefox" : ""])
    }

    @Test("a downtime that is moved away opens immediately, and its late occurrence shuts nothing")
    func moved() throws {
        try shields.add(RuleDesk.downtime())
        let startMs = RuleDesk.wallMs(day: 20, hour: 21, minute: 30)
        let endMs = RuleDesk.wallMs(day: 21, hour: 7)
        go(toHour: 21, 40)
        try shields.deliver("d1", RuleDesk.begun("downtime", startMs, endMs))
        _ = try desk.bench.ask(
            RuleEdit.self,
            .init(name: "downtime", window: .init(from: "22:00", to: "07:00"))
        )
        try shields.keep()
        #expect(try shields.stores == ["owner/downtime": ""])

        try shields.deliver("d2", RuleDesk.begun("downtime", startMs, endMs))
        #expect(try shields.stores == ["owner/downtime": ""])
        let laterMs = RuleDesk.wallMs(day: 20, hour: 22)
        try shields.deliver("d3", RuleDesk.begun("downtime", laterMs, endMs))
        #expect(try shields.stores == ["owner/downtime": "all"])
    }

    @Test("a longer goal shuts again; another warning leaves the shield as it is")
    func goalEdited() throws {
        try shields.add(RuleDesk.goal())
        try shields.deliver("d1", RuleDesk.begun("code-goal"))
        _ = try desk.bench.ask(RuleEdit.self, .init(name: "code-goal", warnMs: 60_000))
        try shields.deliver("d2", RuleDesk.begun("code-goal", dueMs: RuleDesk.noonMs))
        try shields.keep()
        #expect(try shields.decided.count == 1)

        try shields.deliver("d3", RuleDesk.reached("code-goal", minutes: 120))
        _ = try desk.bench.ask(RuleEdit.self, .init(name: "code-goal", durationMs: 10_800_000))
        try shields.keep()
        #expect(try shields.stores == ["owner/code-goal": "categories games"])
    }

    @Test("a clock that was set back ends and begins the same interval: the shield stays")
    func clockSetBack() throws {
        try shields.add(RuleDesk.limit())
        try shields.deliver("d1", RuleDesk.reached("firefox"))
        try shields.deliver("d2", RuleDesk.ended("firefox", dueMs: RuleDesk.dayMs))
        try shields.deliver("d3", RuleDesk.begun("firefox"))

        #expect(try shields.decided.count == 1)
        #expect(try shields.stores == ["owner/firefox": "apps firefox"])
    }

    @Test("two rules on one app have two stores, and the end of one leaves the other")
    func two() throws {
        try shields.add(RuleDesk.limit())
        try shields.add(RuleDesk.downtime("11:00", "14:00"))
        let from = RuleDesk.wallMs(day: 20, hour: 11)
        try shields.deliver("d1", RuleDesk.reached("firefox"))
        try shields.deliver("d2", RuleDesk.begun("downtime", from, from + 10_800_000))
        try shields.deliver("d3", RuleDesk.ended("downtime", from, from + 10_800_000))

        #expect(try shields.stores == ["owner/firefox": "apps firefox", "owner/downtime": ""])
    }
}
