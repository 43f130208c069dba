import STContracts
import STDomain
import STPlatform
import STTestKit
import Testing

@testable import STActivityCore

@Suite("Session rules")
struct RuleSessionTests {
    private let shields: ShieldDesk
    private var desk: RuleDesk { shields.desk }

    init() throws { shields = try ShieldDesk() }

    private static func session(_ apps: [String] = ["code"], minutes: Int64 = 50) -> RuleSpec {
        RuleSpec(kind: .session, targets: apps.map(RuleDesk.app), durationMs: minutes * 60_000)
    }

    /// Advances the time and applies due changes of rules.
    private func pass(_ ms: Int64) throws {
        desk.bench.time.advance(byMs: ms)
        while desk.bench.rulesDue.isDue(at: desk.bench.time.now()) { try desk.bench.passRules() }
        try shields.keep()
    }

    @Test("A session shields everything except its targets from its start, and is removed at its end")
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

    @Test("Setting the clock does not change a session's length")
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

    @Test("Ending a session early is a loosening change, which waits")
    func early() throws {
        _ = try desk.bench.ask(RuleDelay.self, .init(delayMs: 600_000))
        try desk.add(Self.session())
        let pending = try desk.bench.ask(RuleRemove.self, .init(name: "focus")).rule.pending
        #expect(pending?.change == "remove")
        try pass(600_000)
        #expect(desk.book.rules.isEmpty)
    }

    @Test(
        "An invalid session is refused with the reason, and a session cannot be edited",
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
