import STContracts
import STDomain
import STPlatform
import STTestKit
import Testing

@testable import STActivityCore

@Suite("Sessions: for a while nothing but what is named")
struct RuleSessionTests {
    private let shields: ShieldDesk
    private var desk: RuleDesk { shields.desk }

    init() throws { shields = try ShieldDesk() }

    private static func session(_ apps: [String] = ["code"], minutes: Int64 = 50) -> RuleSpec {
        RuleSpec(kind: .session, targets: apps.map(RuleDesk.app), durationMs: minutes * 60_000)
    }

    /// Lets time go by, and does what comes by itself in it.
    private func pass(_ ms: Int64) throws {
        desk.bench.time.advance(byMs: ms)
        while desk.bench.rulesDue.isReached(at: desk.bench.time.now()) { try desk.bench.passRules() }
        try shields.keep()
    }

    @Test("a session shields all else from its beginning, with its name and end, and goes by itself")
    func whole() throws {
        let view = try desk.add(Self.session()).rule
        #expect(view.rule.name == "focus" && view.rule.then == .shield && view.when == "now: until 12:50")
        try shields.keep()
        #expect(try shields.stores == ["owner/focus": "all but code; apps only"])
        let free: JSONValue = ["policy": "all", "categories": [], "except": [["id": "code"]]]
        #expect(try shields.setting("shield.applicationCategories", of: "owner/focus") == free)
        #expect(try shields.note("owner/focus")?.opensMs == RuleDesk.noonMs + 3_000_000)

        try pass(2_999_999)
        try desk.restart()
        #expect(desk.book.rules["focus"] != nil)
        try pass(1)
        #expect(try desk.book.rules.isEmpty && shields.stores.isEmpty)
    }

    @Test("a clock that is set neither shortens a session nor makes it longer")
    func clock() throws {
        try desk.add(Self.session([], minutes: 60))
        #expect(desk.book.rules.keys.sorted() == ["stop"])
        desk.bench.time.stepWall(byMs: 86_400_000)
        try pass(3_599_999)
        #expect(try shields.stores == ["owner/stop": "all"])
        desk.bench.time.stepWall(byMs: -2 * 86_400_000)
        try pass(1)
        #expect(try shields.stores.isEmpty)
    }

    @Test("ending a session early is a loosening, which waits; its end by itself is no change of a rule")
    func early() throws {
        _ = try desk.bench.ask(RuleDelay.self, .init(delayMs: 600_000))
        try desk.add(Self.session())
        let pending = try desk.bench.ask(RuleRemove.self, .init(name: "focus")).rule.pending
        #expect(pending?.change == "remove")
        try pass(600_000)
        #expect(desk.book.rules.isEmpty)
    }

    @Test(
        "what makes no session is refused with a reason",
        arguments: [
            (RuleSpec(kind: .session), "rule.bad_duration"),
            (RuleSpec(kind: .session, durationMs: 90_000_000), "rule.bad_duration"),
            (
                RuleSpec(
                    kind: .session,
                    targets: [TokenItem(kind: .category, id: "games")],
                    durationMs: 60_000
                ),
                "rule.bad_targets"
            ),
            (RuleSpec(kind: .session, durationMs: 60_000, then: .notify), "rule.bad_consequence"),
            (RuleSpec(kind: .session, durationMs: 60_000, days: [1]), "rule.field_unused"),
        ]
    )
    func refused(_ spec: RuleSpec, _ code: String) throws {
        #expect(try desk.refusal(spec)?.code == code)
        try desk.add(Self.session())
        let edit = RuleEdit.Request(name: "focus", durationMs: 60_000)
        #expect(try desk.bench.refusal(RuleEdit.self, edit)?.code == "rule.session_fixed")
    }
}
