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

    @Test("A reached limit shields its apps until the end of its day")
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

    @Test("A rule that only notifies shields nothing, and shields immediately after an edit")
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

    @Test("A downtime shields everything from its start to its end, also if its start is late")
    func downtime() throws {
        try shields.add(RuleDesk.downtime())
        let startMs = RuleDesk.wallMs(day: 20, hour: 21, minute: 30)
        let endMs = RuleDesk.wallMs(day: 21, hour: 7)

        try shields.deliver(
            "d1",
            RuleDesk.begun("downtime", startMs: startMs, endMs: endMs, dueMs: startMs + 3_600_000)
        )
        #expect(try shields.stores == ["owner/downtime": "all"])
        try shields.deliver("d2", RuleDesk.ended("downtime", startMs: startMs, endMs: endMs))

        #expect(try shields.decided == ["set owner/downtime all <- d1", "clear owner/downtime <- d2"])
    }

    @Test("A window shields its apps outside it, without a gap on days on which it never opens")
    func window() throws {
        try shields.add(RuleDesk.window(days: [6]))
        // The window opens on Friday, 17:00 to 20:00. The closed time of the other days is divided at 17:00.
        let from = RuleDesk.wallMs(day: 20, hour: 17)
        let to = RuleDesk.wallMs(day: 20, hour: 20)
        let saturday = RuleDesk.wallMs(day: 21, hour: 17)
        let sunday = RuleDesk.wallMs(day: 22, hour: 17)

        try shields.deliver(
            "d1",
            RuleDesk.begun(
                "social-window/off",
                startMs: from - 86_400_000,
                endMs: from,
                dueMs: RuleDesk.noonMs
            )
        )
        #expect(try shields.stores == ["owner/social-window": "categories social"])
        try shields.deliver(
            "d2",
            RuleDesk.ended("social-window/off", startMs: from - 86_400_000, endMs: from)
        )
        #expect(try shields.stores == ["owner/social-window": ""])
        try shields.deliver("d3", RuleDesk.begun("social-window", startMs: to, endMs: saturday))
        try shields.deliver("d4", RuleDesk.begun("social-window/off", startMs: saturday, endMs: sunday))
        try shields.deliver("d5", RuleDesk.ended("social-window", startMs: to, endMs: saturday))

        #expect(try shields.stores == ["owner/social-window": "categories social"])
        #expect(try shields.decided.count == 3)
    }

    @Test("A goal's reward is shielded until the goal is met, and again on the next day")
    func goal() throws {
        try shields.add(RuleDesk.goal())
        let thirdMs = RuleDesk.wallMs(day: 22, hour: 0)

        try shields.deliver("d1", RuleDesk.begun("code-goal", dueMs: RuleDesk.noonMs))
        #expect(try shields.stores == ["owner/code-goal": "categories games"])
        try shields.deliver("d2", RuleDesk.reached("code-goal", minutes: 120))
        #expect(try shields.stores == ["owner/code-goal": ""])
        try shields.deliver("d3", RuleDesk.ended("code-goal"))
        try shields.deliver("d4", RuleDesk.begun("code-goal", startMs: RuleDesk.nextMs, endMs: thirdMs))

        // The rule was added during its interval, so the start of the activity published the first decision.
        #expect(try shields.decided.first?.hasPrefix("set owner/code-goal categories games <- ") == true)
        #expect(
            try Array(shields.decided.dropFirst()) == [
                "clear owner/code-goal <- d2", "set owner/code-goal categories games <- d4",
            ]
        )
    }

    @Test("A limit on everything shields everything")
    func everything() throws {
        var spec = RuleDesk.limit()
        spec.targets = []
        try shields.add(spec)
        try shields.deliver("d1", RuleDesk.reached("everything"))

        #expect(try shields.stores == ["owner/everything": "all"])
    }

    @Test("A pause removes the shield, and its end restores it unless the day has ended")
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

    @Test("Withdrawn usage removes the shield that it caused, but not one of another day")
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

    @Test("A limit that is reached during a pause shields after the pause")
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

    @Test("A removed rule's store is deleted, and a new rule of the same name starts without a shield")
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
        "An edit of a reached limit keeps its shield unless the new limit is longer",
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
        // This occurrence is about the earlier, shorter limit.
        try shields.deliver("d2", RuleDesk.reached("firefox"))
        #expect(try shields.stores == ["owner/firefox": isUp ? "apps firefox" : ""])
    }

    @Test("A downtime that is moved away opens immediately, and its late occurrence shields nothing")
    func moved() throws {
        try shields.add(RuleDesk.downtime())
        let startMs = RuleDesk.wallMs(day: 20, hour: 21, minute: 30)
        let endMs = RuleDesk.wallMs(day: 21, hour: 7)
        go(toHour: 21, 40)
        try shields.deliver("d1", RuleDesk.begun("downtime", startMs: startMs, endMs: endMs))
        _ = try desk.bench.ask(
            RuleEdit.self,
            .init(name: "downtime", window: .init(from: "22:00", to: "07:00"))
        )
        try shields.keep()
        #expect(try shields.stores == ["owner/downtime": ""])

        try shields.deliver("d2", RuleDesk.begun("downtime", startMs: startMs, endMs: endMs))
        #expect(try shields.stores == ["owner/downtime": ""])
        let laterMs = RuleDesk.wallMs(day: 20, hour: 22)
        try shields.deliver("d3", RuleDesk.begun("downtime", startMs: laterMs, endMs: endMs))
        #expect(try shields.stores == ["owner/downtime": "all"])
    }

    @Test("A longer goal shields again, and an edit of the warning does not change the shield")
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

    @Test("The shield remains if a clock that is set back ends and restarts the same interval")
    func clockSetBack() throws {
        try shields.add(RuleDesk.limit())
        try shields.deliver("d1", RuleDesk.reached("firefox"))
        try shields.deliver("d2", RuleDesk.ended("firefox", dueMs: RuleDesk.dayMs))
        try shields.deliver("d3", RuleDesk.begun("firefox"))

        #expect(try shields.decided.count == 1)
        #expect(try shields.stores == ["owner/firefox": "apps firefox"])
    }

    @Test("Two rules that cover one app have two stores, and the end of one keeps the other")
    func two() throws {
        try shields.add(RuleDesk.limit())
        try shields.add(RuleDesk.downtime("11:00", "14:00"))
        let from = RuleDesk.wallMs(day: 20, hour: 11)
        try shields.deliver("d1", RuleDesk.reached("firefox"))
        try shields.deliver("d2", RuleDesk.begun("downtime", startMs: from, endMs: from + 10_800_000))
        try shields.deliver("d3", RuleDesk.ended("downtime", startMs: from, endMs: from + 10_800_000))

        #expect(try shields.stores == ["owner/firefox": "apps firefox", "owner/downtime": ""])
    }
}
