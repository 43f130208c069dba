import STContracts
import STPlatform
import STTestKit
import Testing

@testable import STActivityCore

@Suite("Always-allowed lists")
struct RuleAllowedTests {
    private let shields: ShieldDesk
    private var desk: RuleDesk { shields.desk }

    init() throws { shields = try ShieldDesk() }

    @Test("The always-allowed apps form one list for each member, which follows every change")
    func allowed() throws {
        func allow(_ id: String, member: String = "owner") -> RuleSpec {
            RuleSpec(kind: .allow, name: "a-\(id)", member: member, targets: [RuleDesk.app(id)])
        }
        try desk.add(allow("org.keepassxc.KeePassXC"))
        try desk.add(allow("code"))
        try desk.add(allow("anki", member: "kid"))
        try shields.keep()
        #expect(try shields.allowed == ["owner": ["code", "org.keepassxc.KeePassXC"], "kid": ["anki"]])

        _ = try desk.bench.ask(RulePause.self, .init(name: "a-code", forMs: 60_000))
        _ = try desk.bench.ask(RuleRemove.self, .init(name: "a-anki"))
        try shields.keep()
        #expect(try shields.allowed == ["owner": ["org.keepassxc.KeePassXC"], "kid": []])
        desk.bench.time.advance(byMs: 60_000)
        try shields.keep()
        #expect(try shields.allowed["owner"] == ["code", "org.keepassxc.KeePassXC"])
        #expect(try shields.decided.count == 6)
    }

    @Test("An always-allowed list has at most 200 items, checked when a rule is added or edited")
    func limit() throws {
        for number in 0..<4 {
            let targets = (0..<50).map { RuleDesk.app("a\(number)-\($0)") }
            try desk.add(RuleSpec(kind: .allow, name: "a\(number)", targets: targets))
        }
        var more = RuleSpec(kind: .allow, name: "more", targets: [RuleDesk.app("x")])
        #expect(try desk.refusal(more)?.code == "rule.too_many_allowed")
        more.targets = [RuleDesk.app("a0-0")]
        try desk.add(more)
        let edit = RuleEdit.Request(name: "more", targets: [RuleDesk.app("x")])
        #expect(try desk.bench.refusal(RuleEdit.self, edit)?.code == "rule.too_many_allowed")
        more.member = "kid"
        more.name = "kid"
        more.targets = [RuleDesk.app("x")]
        try desk.add(more)
    }
}
