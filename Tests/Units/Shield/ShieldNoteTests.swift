import STContracts
import STDomain
import STPlatform
import STTestKit
import Testing

@testable import STShieldCore

@Suite("The setting `shield.note` of rules")
struct ShieldNoteTests {
    private static let name = "shield.note"
    private static let note: JSONValue = ["rule": "evenings", "says": "You promised", "opens_ms": 1_000]

    private let desk: ShieldDesk

    init() throws { desk = try ShieldDesk() }

    private func set(_ value: JSONValue) throws -> SettingsGet.Reply {
        try desk.set([Self.name: value], app: BuiltInRules.app, store: "r")
    }

    @Test("A rule's shield note is stored and published, survives a restart, and can be removed")
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

    @Test("Effective settings omit shield notes, and apps have no setting of that name")
    func apart() throws {
        _ = try set(Self.note)
        try desk.set(["siri.denySiri": true])
        let effective = try desk.bench.ask(SettingsEffective.self, .init()).settings
        #expect(effective.map(\.setting) == ["siri.denySiri"])
        #expect(SettingKey.named(Self.name) == nil)
        #expect(SettingKey.stored(Self.name) == .note && SettingKey.note.rule == .apart)
    }

    @Test("An explanation names the rule, and the end only for current shields whose rules all state one")
    func explained() throws {
        let hour = JSONValue.integer(desk.now + 3_600_000)
        let apps: JSONValue = [["id": "steam"]]
        let note: JSONValue = ["rule": "evenings", "opens_ms": hour]
        let settings = ["shield.applications": apps, Self.name: note]
        try desk.set(settings, app: BuiltInRules.app, store: "r")
        let lifts = try desk.explain(app: "steam").lifts.map(\.english)
        #expect(lifts.first == "The shield does not end automatically before 15:13.")
        #expect(
            lifts.dropFirst().first
                == "Pause the rule “evenings”, for example: screentime rule pause evenings --for 1h"
        )
        desk.pass(ms: 2_000)
        let past = try desk.explain(app: "steam", at: desk.now - 1_000)
        let opening = "shield-why.does-not-open-before"
        #expect(past.decision.isShielded && past.lifts.allSatisfy { $0.key != opening })

        try desk.set(["shield.applications": apps], app: BuiltInRules.app, store: "other")
        #expect(try desk.explain(app: "steam").lifts.allSatisfy { $0.key != opening })
    }

    @Test("An app that sets or removes `shield.note` is refused with `settings.unknown`")
    func app() throws {
        let problem = try desk.refusal([Self.name: Self.note])
        #expect(problem?.code == "settings.unknown")
        #expect(problem?.field == "/settings/shield.note")
        #expect(try desk.refusal([Self.name: .null])?.code == "settings.unknown")
    }
}
