import STContracts
import STDomain
import STPlatform
import Testing

@testable import STCommandCore

@Suite("Stores of settings as people read them")
struct StoreTextTests {
    @Test("The note of a rule on a shield is printed in words without control characters")
    func note() {
        let store = StoreView(
            app: BuiltInRules.app,
            member: "kim",
            store: "firefox",
            version: 1,
            count: 1,
            isInForce: true,
            changedAt: ""
        )
        func line(_ note: JSONValue) -> String? {
            let held = SettingsGet.Reply(
                app: store.app,
                member: store.member,
                store: store.store,
                version: 1,
                settings: [SettingKey.note.name: note]
            )
            let terminal = Terminal(isTerminal: true, isColoured: false, columns: 80)
            let lines = StoreText.show(store, held: held, terminal: terminal)
            #expect(lines.count == 2)
            return lines.last
        }
        let opensMs: Int64 = 1_790_000_000_000
        let note = ShieldNote(rule: "evenings", says: "You\u{1B}[2J promised", opensMs: opensMs)
        let time = TimeText.text(WallTime(ms: opensMs))
        let told = line(note.json)
        #expect(told?.hasPrefix("  shield.note: evenings; “You") == true)
        #expect(told?.hasSuffix("promised”; shielded until \(time)") == true)
        #expect(told?.contains("\u{1B}") == false)
        #expect(line(ShieldNote(rule: "evenings").json) == "  shield.note: evenings")
    }
}
