import STContracts
import STDomain
import STPlatform
import STTestKit
import Testing

@testable import STMonitorCore

@Suite("Keeping shield-service at what the rules want")
struct RuleShieldKeepingTests {
    private let shields: ShieldDesk
    private var desk: RuleDesk { shields.desk }

    init() throws { shields = try ShieldDesk() }

    @Test(
        "a request whose answer was lost is repeated with the same key, also after a restart, and done once"
    )
    func lost() throws {
        try shields.add(RuleDesk.limit())
        let first = try desk.bench.deliver("d1", RuleDesk.reached("firefox")).shields
        try shields.take(first[0], answers: false)
        try desk.restart()

        let again = try desk.bench.deliver("d1", RuleDesk.reached("firefox")).shields
        #expect(again == first && first.count == 1)
        try shields.keep()
        #expect(shields.asked.count == 1)
        #expect(try desk.bench.nextShield().ask == nil)
    }

    @Test("the keeper leaves requests of a callback under way to that callback")
    func underWay() throws {
        try shields.add(RuleDesk.limit())
        let event = try CoreBench<MonitorState>.event(
            ThresholdReached.self,
            1,
            subject: "screentime.rules/owner/firefox/used",
            RuleDesk.reached("firefox")
        )
        try desk.bench.follow([event])
        let next = try desk.bench.nextDeliveries()
        let number = try #require(next.first).number
        _ = try desk.bench.begin([number])
        _ = try desk.bench.deliver(event.header.id, RuleDesk.reached("firefox"))
        #expect(try desk.bench.nextShield().ask == nil)

        let failed = DeliveryResult(problem: Problem("internal", "It went wrong."))
        try desk.bench.finish(number, attempt: 1, failed)
        try shields.keep()
        #expect(shields.asked == ["set owner/firefox apps firefox <- event-1"])
    }

    @Test(
        "a start restores what others changed, removes leftovers of old rules, and leaves other apps alone"
    )
    func compared() throws {
        try shields.add(RuleDesk.limit())
        try shields.deliver("d1", RuleDesk.reached("firefox"))
        try shields.compare()
        try shields.keep()
        #expect(shields.asked.count == 1)

        shields.tamper("owner/firefox", [:])
        shields.tamper("owner/orphan", ["shield.applications": [["id": "code"]]])
        try shields.compare()
        try shields.keep()

        #expect(shields.stores == ["owner/firefox": "apps firefox"])
        shields.tamper("owner/firefox", nil)
        try shields.compare()
        try shields.keep()
        #expect(shields.stores == ["owner/firefox": "apps firefox"])
        #expect(shields.asked.filter { $0.hasPrefix("set") }.allSatisfy { $0.hasSuffix("<- d1") })
    }

    @Test("a request during the comparison is not made twice")
    func askedMeanwhile() throws {
        try shields.add(RuleDesk.limit())
        let isTaken = try shields.compare {
            try shields.deliver("d1", RuleDesk.reached("firefox"))
        }
        #expect(!isTaken)
        try shields.keep()
        #expect(try shields.compare())
        try shields.keep()
        #expect(shields.asked == ["set owner/firefox apps firefox <- d1"])
    }

    @Test("the same apps in another order are no difference")
    func order() throws {
        var spec = RuleDesk.limit()
        spec.targets = [RuleDesk.app("b"), RuleDesk.app("a")]
        try shields.add(spec)
        try shields.deliver("d1", RuleDesk.reached("b"))
        var settings: [String: JSONValue] = ["shield.applications": [["id": "b"], ["id": "a"]]]
        settings["shield.note"] = shields.note("owner/b")?.json
        shields.tamper("owner/b", settings)
        try shields.compare()
        try shields.keep()

        #expect(shields.asked.count == 1)
    }

    @Test("a final refusal is shown with the rule until an edit or a restart")
    func refused() throws {
        try shields.add(RuleDesk.limit())
        shields.refusal = Problem("settings.bad_value", "No.")
        try shields.deliver("d1", RuleDesk.reached("firefox"))
        try shields.keep()
        let view = try desk.bench.ask(RuleList.self, .init()).rules[0]
        #expect(view.isShielding == false)
        #expect(view.problem == "settings.bad_value: No.")

        shields.refusal = nil
        try shields.compare()
        try shields.keep()
        #expect(shields.stores == ["owner/firefox": "apps firefox"])
        #expect(try desk.bench.ask(RuleList.self, .init()).rules[0].problem == nil)
    }

    @Test("an overdue stretch is asked about, and ends when activity-center no longer knows it")
    func lostEnd() throws {
        try shields.add(RuleDesk.downtime("11:00", "14:00"))
        let startMs = RuleDesk.wallMs(day: 20, hour: 11)
        let endMs = RuleDesk.wallMs(day: 20, hour: 14)
        try shields.deliver("d1", RuleDesk.begun("downtime", startMs, endMs))
        desk.bench.time.advance(byMs: endMs + 59_999 - RuleDesk.noonMs)
        #expect(try !desk.bench.nextShield().mustCheck)
        #expect(try desk.bench.nextShield().nextWallMs == endMs + 60_000)
        desk.bench.time.advance(byMs: 1)
        #expect(try desk.bench.nextShield().mustCheck)

        try check(IntervalSpan(startWallMs: startMs, endWallMs: endMs + 3_600_000, zone: "UTC"))
        try shields.keep()
        #expect(shields.stores == ["owner/downtime": "all"])
        #expect(try !desk.bench.nextShield().mustCheck)
        desk.bench.time.advance(byMs: 3_600_000)
        try check(nil)
        try shields.keep()
        #expect(shields.stores == ["owner/downtime": ""])
    }

    @Test("downtime shields all but what it names, and no more of that after an edit")
    func leavesOpen() throws {
        var spec = RuleDesk.downtime("11:00", "14:00")
        spec.opens = [TokenItem(kind: .application, id: "code")]
        try shields.add(spec)
        let startMs = RuleDesk.wallMs(day: 20, hour: 11)
        let endMs = RuleDesk.wallMs(day: 20, hour: 14)
        try shields.deliver("d1", RuleDesk.begun("downtime", startMs, endMs))
        #expect(shields.stores["owner/downtime"]?.hasPrefix("all but code") == true, "\(shields.stores)")
        _ = try desk.bench.ask(RuleEdit.self, .init(name: "downtime", opens: []))
        try shields.keep()
        #expect(shields.stores == ["owner/downtime": "all"])
    }

    @Test("an end that a journey moved is taken over from activity-center, and shown on the shield")
    func movedEnd() throws {
        try shields.add(RuleDesk.downtime("11:00", "14:00"))
        let startMs = RuleDesk.wallMs(day: 20, hour: 11)
        let endMs = RuleDesk.wallMs(day: 20, hour: 14)
        try shields.deliver("d1", RuleDesk.begun("downtime", startMs, endMs))
        #expect(shields.note("owner/downtime")?.opensMs == endMs)

        let movedMs = endMs - 3_600_000
        try check(IntervalSpan(startWallMs: startMs, endWallMs: movedMs, zone: "Europe/Berlin"))
        try shields.keep()
        #expect(shields.note("owner/downtime")?.opensMs == movedMs)
        // The new request has the end that it has by then.
        try shields.deliver("d2", RuleDesk.ended("downtime", startMs, movedMs))
        #expect(shields.stores == ["owner/downtime": ""])
    }

    @Test("an end that a journey has moved into the past opens at once, also without an earlier question")
    func passedEnd() throws {
        try shields.add(RuleDesk.downtime("11:00", "14:00"))
        let startMs = RuleDesk.wallMs(day: 20, hour: 11)
        let endMs = RuleDesk.wallMs(day: 20, hour: 14)
        try shields.deliver("d1", RuleDesk.begun("downtime", startMs, endMs))
        #expect(shields.stores == ["owner/downtime": "all"])

        let ended = RuleDesk.ended("downtime", startMs, endMs - 7_200_000, dueMs: endMs - 3_600_000)
        try shields.deliver("d2", ended)
        #expect(shields.stores == ["owner/downtime": ""])
    }

    /// What activity-center says goes on.
    private func check(_ interval: IntervalSpan?) throws {
        let views = desk.book.desired.values.map { _, request in
            ActivityView(
                app: request.app,
                member: request.member ?? "",
                activity: request.activity,
                schedule: request.schedule,
                events: request.events,
                mode: .wallClock,
                interval: interval.map {
                    IntervalView(
                        start: "",
                        end: "",
                        startWallMs: $0.startWallMs,
                        endWallMs: $0.endWallMs,
                        zone: $0.zone,
                        isOngoing: true
                    )
                },
                understood: ""
            )
        }
        try desk.bench.compare(views)
    }

    @Test("rules that need no shield ask shield-service for nothing")
    func unneeded() throws {
        try desk.add(RuleDesk.limit())
        try shields.deliver("d1", RuleDesk.reached("firefox"))

        #expect(try !desk.bench.nextShield().isNeeded)
    }

    @Test(
        "after any sequence with lost answers and restarts, the stores are those that the rules want"
    )
    func anyStory() throws {
        var random = SeededRandom(seed: 4)
        var shielded = 0
        for story in 0..<20 {
            let shields = try ShieldDesk()
            for step in 0..<60 { try move(shields, "d\(story)-\(step)", &random) }
            try shields.keep()
            let nowMs = shields.desk.bench.time.now().wallMs
            var wanted: [String: String] = [:]
            for rule in shields.desk.book.rules.values {
                let words = NoticeWords(language: "en")
                guard let shield = RuleBook.shield(of: rule, nowMs: nowMs, words) else { continue }
                #expect(shields.want("owner/\(rule.id)") == shield.want)
                wanted["owner/\(rule.id)"] = "apps \(rule.spec.targets[0].id)"
            }
            shielded += wanted.count
            #expect(shields.stores.filter { !$0.value.isEmpty } == wanted)
            let known = Set(shields.desk.book.rules.keys.map { "owner/\($0)" })
            #expect(Set(shields.stores.keys).isSubset(of: known))
        }
        #expect(shielded > 0)
    }

    private func move(_ shields: ShieldDesk, _ id: String, _ random: inout SeededRandom) throws {
        let desk = shields.desk
        let name = ["a", "b", "c"][Int(random.next() % 3)]
        let isThere = desk.book.rules[name] != nil
        switch random.next() % 9 {
        case 0,
            1 where !isThere:
            guard !isThere else { return }
            var spec = RuleDesk.limit(name)
            spec.then = .shield
            try desk.add(spec)
        case 2, 3: try shields.deliver(id, RuleDesk.reached(name))
        case 4: try shields.deliver(id, RuleDesk.ended(name))
        case 5 where isThere:
            let forMs = Int64(random.next() % 3) * 60_000
            _ = try desk.bench.ask(RulePause.self, .init(name: name, forMs: forMs))
        case 6 where isThere: _ = try desk.bench.ask(RuleRemove.self, .init(name: name))
        case 7:
            desk.bench.time.advance(byMs: 45_000)
            if let ask = try desk.bench.nextShield().ask {
                try shields.take(ask, answers: false)
            }
            try desk.restart()
        default: try shields.keep()
        }
    }
}
