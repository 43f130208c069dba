import STContracts
import STDomain
import STPlatform
import STTestKit
import Testing

@testable import STActivityCore

@Suite("Decisions of rules over time")
struct RuleShieldKeepingTests {
    private let shields: ShieldDesk
    private var desk: RuleDesk { shields.desk }

    init() throws { shields = try ShieldDesk() }

    @Test("A downtime does not shield its exceptions until an edit removes them")
    func leavesOpen() throws {
        var spec = RuleDesk.downtime("11:00", "14:00")
        spec.opens = [TokenItem(kind: .application, id: "code")]
        try shields.add(spec)
        let startMs = RuleDesk.wallMs(day: 20, hour: 11)
        let endMs = RuleDesk.wallMs(day: 20, hour: 14)
        try shields.deliver("d1", RuleDesk.begun("downtime", startMs: startMs, endMs: endMs))
        #expect(try shields.stores["owner/downtime"]?.hasPrefix("all but code") == true)
        _ = try desk.bench.ask(RuleEdit.self, .init(name: "downtime", opens: []))
        try shields.keep()
        #expect(try shields.stores == ["owner/downtime": "all"])
    }

    @Test("If a zone change has moved the end of a downtime into the past, the downtime ends immediately")
    func passedEnd() throws {
        try shields.add(RuleDesk.downtime("11:00", "14:00"))
        let startMs = RuleDesk.wallMs(day: 20, hour: 11)
        let endMs = RuleDesk.wallMs(day: 20, hour: 14)
        try shields.deliver("d1", RuleDesk.begun("downtime", startMs: startMs, endMs: endMs))
        #expect(try shields.stores == ["owner/downtime": "all"])

        let ended = RuleDesk.ended(
            "downtime",
            startMs: startMs,
            endMs: endMs - 7_200_000,
            dueMs: endMs - 3_600_000
        )
        try shields.deliver("d2", ended)
        #expect(try shields.stores == ["owner/downtime": ""])
    }

    @Test(
        "After any sequence of changes and restarts, the published decisions match the rules"
    )
    func anyStory() throws {
        var random = SeededRandom(seed: 4)
        var shielded = 0
        for story in 0..<20 {
            let shields = try ShieldDesk()
            for step in 0..<60 { try move(shields, id: "d\(story)-\(step)", random: &random) }
            try shields.keep()
            let now = shields.desk.bench.time.now().wall
            var wanted: [String: String] = [:]
            for rule in shields.desk.book.rules.values {
                let words = NoticeStrings(language: "en")
                guard let shield = RuleState.shield(of: rule, now: now, words) else { continue }
                #expect(try shields.want("owner/\(rule.id)") == shield.want)
                wanted["owner/\(rule.id)"] = "apps \(rule.spec.targets[0].id)"
            }
            shielded += wanted.count
            #expect(try shields.stores.filter { !$0.value.isEmpty } == wanted)
            let known = Set(shields.desk.book.rules.keys.map { "owner/\($0)" })
            #expect(try Set(shields.stores.keys).isSubset(of: known))
        }
        #expect(shielded > 0)
    }

    @Test(
        "A tick that checks only changed rules gives the same result as a check of all rules",
        arguments: 0..<10
    )
    func overlooksNothing(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let shields = try ShieldDesk()
        var shielded = 0
        for step in 0..<80 {
            try change(shields, id: "e\(step)", random: &random)
            _ = try shields.desk.bench.tick()
            let state = shields.desk.bench.state
            #expect(state.uncheckedRules != nil)
            var whole = state.rules
            whole.strings = state.noticeStrings
            whole.updateShields(now: shields.desk.bench.time.now().wall)
            #expect(whole.shields == state.rules.shields && whole.nextStep() == nil, "step \(step)")
            shielded += shields.desk.book.rules.values.count { shields.desk.book.isShielding($0) == true }
        }
        #expect(shielded > 0)
    }

    private func change(_ shields: ShieldDesk, id: String, random: inout SeededRandom) throws {
        let desk = shields.desk
        let minute: Int64 = 60_000
        switch random.next() % 12 {
        case 0:
            guard desk.book.rules.count < 6 else { return try move(shields, id: id, random: &random) }
            let specs = [
                RuleDesk.downtime("12:00", "14:00"), RuleDesk.window("11:00", "13:00"), RuleBreakTests.rest(),
                RuleSpec(kind: .allow, targets: [RuleDesk.app("code")]),
            ]
            guard let spec = specs.randomElement(using: &random) else { return }
            // activity-center may refuse a second rule of the same kind.
            do { try shields.add(spec) } catch { #expect(Problem(error).code.hasPrefix("rule.")) }
        case 1: desk.bench.time.advance(byMs: Int64.random(in: 1...180, using: &random) * minute)
        case 2: desk.bench.time.stepWall(byMs: Int64.random(in: -180...180, using: &random) * minute)
        case 3:
            guard let rule = desk.book.sorted.randomElement(using: &random), rule.spec.kind != .allow else {
                return
            }
            _ = try desk.bench.ask(RulePause.self, .init(name: rule.name, forMs: minute * 30))
        case 4:
            guard let rule = desk.book.sorted.randomElement(using: &random) else { return }
            _ = try desk.bench.ask(RuleRemove.self, .init(name: rule.name))
        case 5:
            let used = RuleDesk.occurrence(
                "break",
                .thresholdReached,
                event: BuiltInRules.usedEvent,
                dueMs: desk.bench.time.now().wallMs,
                countedMs: 50 * minute,
                thresholdMs: 50 * minute
            )
            try shields.deliver(id, used)
        case 6:
            let zones = ["Asia/Seoul", "America/New_York", "Europe/Berlin"]
            if let zone = zones.randomElement(using: &random) { desk.bench.time.travel(toZone: zone) }
        default: try move(shields, id: id, random: &random)
        }
    }

    private func move(_ shields: ShieldDesk, id: String, random: inout SeededRandom) throws {
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
            _ = try shields.stores
            try desk.restart()
        default: try shields.keep()
        }
    }
}
