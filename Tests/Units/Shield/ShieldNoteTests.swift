import STContracts
import STDomain
import STPlatform
import STTestKit
import Testing

@testable import STShieldCore

@Suite("What rules say on their shields, as a setting")
struct ShieldNoteTests {
    private static let name = "shield.note"
    private static let note: JSONValue = ["rule": "evenings", "says": "You promised", "opens_ms": 1_000]

    private let desk: ShieldDesk

    init() throws { desk = try ShieldDesk() }

    private func set(_ value: JSONValue) throws -> SettingsGet.Reply {
        try desk.set([Self.name: value], app: BuiltInRules.app, store: "r")
    }

    @Test("is kept, read back and told as it was set, also after a start, and taken away again")
    func kept() throws {
        #expect(try set(Self.note).settings == [Self.name: Self.note])
        let told = try #require(try desk.bench.events.last?.decoded(PolicyStoreChanged.self))
        #expect(told.settings == [Self.name: Self.note] && told.shields.shields?.isEmpty == true)
        let name = StoreName(app: BuiltInRules.app, member: ShieldDesk.member, store: "r")
        let value = SettingValue.note(ShieldNote(rule: "evenings", says: "You promised", opensMs: 1_000))
        #expect(desk.bench.state.stores[name]?.values == [.note: value])
        try desk.reopen()
        #expect(desk.bench.state.stores[name]?.values == [.note: value])
        #expect(try desk.view(app: BuiltInRules.app, store: "r")?.count == 1)

        #expect(try set(["rule": "x"]).settings == [Self.name: ["rule": "x"]])
        #expect(try set(.null).settings.isEmpty)
        #expect(desk.bench.state.stores[name]?.values.isEmpty == true)
    }

    @Test("is not combined from several stores, and not shown to apps")
    func apart() throws {
        _ = try set(Self.note)
        try desk.set(["siri.denySiri": true])
        let effective = try desk.bench.ask(SettingsEffective.self, .init()).settings
        #expect(effective.map(\.setting) == ["siri.denySiri"])
        #expect(SettingKey.named(Self.name) == nil)
        #expect(SettingKey.stored(Self.name) == .note && SettingKey.note.rule == .apart)
    }

    @Test("names the rule where it is said what would lift a shield, and when that happens by itself")
    func explained() throws {
        let hour = JSONValue.integer(desk.now + 3_600_000)
        let apps: JSONValue = [["id": "steam"]]
        let note: JSONValue = ["rule": "evenings", "opens_ms": hour]
        let settings = ["shield.applications": apps, Self.name: note]
        try desk.set(settings, app: BuiltInRules.app, store: "r")
        let lifts = try desk.explain(app: "steam").lifts.map(\.english)
        #expect(lifts.first == "The shield does not end automatically before 15:13.")
        #expect(lifts.dropFirst().first == "The rule evenings has to stop shielding steam.")
        desk.pass(ms: 2_000)
        let past = try desk.explain(app: "steam", at: desk.now - 1_000)
        let opening = "shield-why.does-not-open-before"
        #expect(past.decision.isShielded && past.lifts.allSatisfy { $0.key != opening })

        try desk.set(["shield.applications": apps], app: BuiltInRules.app, store: "other")
        #expect(try desk.explain(app: "steam").lifts.allSatisfy { $0.key != opening })
    }

    @Test("is no setting at all for an app")
    func app() throws {
        let problem = try desk.refusal([Self.name: Self.note])
        #expect(problem?.code == "settings.unknown")
        #expect(problem?.field == "/settings/shield.note")
        #expect(try desk.refusal([Self.name: .null])?.code == "settings.unknown")
    }
}
