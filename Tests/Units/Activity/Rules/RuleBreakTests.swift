import STContracts
import STDomain
import STPlatform
import STRules
import STTestKit
import Testing

@testable import STActivityCore

@Suite("Break rules")
struct RuleBreakTests {
    private static let minute: Int64 = 60_000
    private let shields: ShieldDesk
    private var desk: RuleDesk { shields.desk }

    init() throws { shields = try ShieldDesk() }

    static func rest(_ minutes: Int64 = 5, after: Int64 = 50) -> RuleSpec {
        RuleSpec(kind: .break, durationMs: after * minute, restMs: minutes * minute)
    }

    private func pass(_ ms: Int64) throws {
        desk.bench.time.advance(byMs: ms)
        while desk.bench.rulesDue.isDue(at: desk.bench.time.now()) { try desk.bench.passRules() }
        try shields.keep()
    }

    private func reached(_ occasion: ActivityOccasion = .thresholdReached) -> ActivityOccurrence {
        RuleDesk.occurrence(
            "break",
            occasion,
            event: BuiltInRules.usedEvent,
            dueMs: desk.bench.time.now().wallMs,
            countedMs: 50 * Self.minute,
            thresholdMs: 50 * Self.minute
        )
    }

    @Test(
        "A break shields everything for its length, also across a restart, and the rule remains"
    )
    func whole() throws {
        try shields.add(Self.rest(), say: "Walk for {limit}: that was {used}.")
        let start = try #require(desk.book.watches.values.first?.request)
        #expect(start.events.map(\.restMs) == [5 * Self.minute] && start.events[0].targets.isEmpty)
        try pass(0)
        #expect(try shields.stores.isEmpty)

        try shields.deliver("d1", reached())
        #expect(try shields.stores == ["owner/break": "all"])
        #expect(try shields.note("owner/break")?.message == "Walk for 5 min: that was 50 min.")
        #expect(try shields.note("owner/break")?.opensMs == RuleDesk.noonMs + 5 * Self.minute)
        try pass(5 * Self.minute - 1)
        try desk.restart()
        try pass(0)
        #expect(try shields.stores == ["owner/break": "all"])
        try pass(1)
        #expect(try shields.stores.values.allSatisfy { $0 != "all" } && desk.book.rules["break"]?.ends == nil)
        #expect(desk.book.rules["break"] != nil, "the rule itself stays")
    }

    @Test("Setting the clock does not change a break's length, and withdrawn usage ends the break")
    func clock() throws {
        try shields.add(Self.rest())
        try shields.deliver("d1", reached())
        desk.bench.time.stepWall(byMs: 86_400_000)
        try pass(5 * Self.minute - 1)
        #expect(try shields.stores == ["owner/break": "all"])
        desk.bench.time.stepWall(byMs: -2 * 86_400_000)
        try pass(1)
        #expect(try shields.stores.values.allSatisfy { $0 != "all" })

        try shields.deliver("d2", reached())
        #expect(try shields.stores == ["owner/break": "all"])
        try shields.deliver("d3", reached(.thresholdReturned))
        try shields.keep()
        #expect(try shields.stores.values.allSatisfy { $0 != "all" })
    }

    @Test("A break rule that is removed while the clock is set beyond its end has a history line")
    func removed() throws {
        try shields.add(Self.rest())
        try shields.deliver("d1", reached())
        desk.bench.time.stepWall(byMs: 86_400_000)
        let before = desk.book
        _ = try desk.bench.ask(RuleRemove.self, .init(name: "break"))
        let now = desk.bench.time.now().wall
        let difference = RuleDifference(from: before, to: desk.book)
        let lines = RuleHistory.lines(from: before, to: desk.book, difference, by: nil, now: now)
        #expect(lines.map(\.about) == ["break"])
    }

    @Test("A break notifies an adult, in English or Korean")
    func messages() throws {
        try desk.add(Self.rest())
        let posts = try desk.deliver("d1", reached())
        #expect(posts.map(\.title) == ["Time for a break of 5 min"])
        #expect(posts.map(\.body) == ["You have used the computer for 50 min without a break."])
        let korean = try RuleDesk(language: "ko")
        try korean.add(Self.rest())
        #expect(try korean.deliver("d1", reached()).map(\.title) == ["5분 쉴 시간입니다"])
    }

    @Test("Later or shorter breaks are looser, and an edit during a break applies to the next one")
    func edits() throws {
        let spec = Self.rest()
        #expect(RuleLoosening.isLooser(from: spec, to: Self.rest(4)))
        #expect(RuleLoosening.isLooser(from: spec, to: Self.rest(after: 51)))
        #expect(!RuleLoosening.isLooser(from: spec, to: Self.rest(6, after: 49)))
        try shields.add(spec)
        try shields.deliver("d1", reached())
        _ = try desk.bench.ask(RuleEdit.self, .init(name: "break", restMs: 10 * Self.minute))
        try shields.keep()
        try pass(5 * Self.minute)
        #expect(try shields.stores.values.allSatisfy { $0 != "all" })
        #expect(desk.book.rules["break"]?.spec.typedAmount == "10m --after 50m")
    }

    @Test(
        "An invalid break is refused with the reason",
        arguments: [
            (RuleSpec(kind: .break), "rule.bad_duration"),
            (RuleSpec(kind: .break, durationMs: 3_000_000), "rule.bad_duration"),
            (RuleSpec(kind: .break, durationMs: 3_000_000, restMs: 5 * 3_600_000), "rule.bad_duration"),
            (RuleSpec(kind: .break, durationMs: 60_000, restMs: 60_000, warnMs: 60_000), "rule.bad_warning"),
            (RuleSpec(kind: .limit, durationMs: 60_000, restMs: 60_000), "rule.field_unused"),
            (
                RuleSpec(kind: .break, targets: [RuleDesk.app("code")], durationMs: 60_000, restMs: 60_000),
                "rule.field_unused"
            ),
        ]
    )
    func refused(_ spec: RuleSpec, _ code: String) throws { #expect(try desk.refusal(spec)?.code == code) }
}
