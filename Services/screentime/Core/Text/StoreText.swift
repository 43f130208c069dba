import STContracts
import STDomain
import STPlatform

/// Stores of settings as people read them.
enum StoreText {
    static func list(_ stores: [StoreView], _ terminal: Terminal) -> [String] {
        guard !stores.isEmpty else {
            return ["No app has set anything. An app does it with ManagedSettingsStore, a rule by itself."]
        }
        var table = TextTable([
            ("STORE", .left), ("FOR", .left), ("SETTINGS", .right), ("IN FORCE", .left), ("SINCE", .left),
        ])
        for store in stores {
            table.add([
                .init("\(store.app)/\(store.store)"), .init(store.member), .init(String(store.count)),
                .init(store.isInForce ? "yes" : "no: \(store.problem ?? "")"),
                .init(LocalTime.text(wire: store.changedAt)),
            ])
        }
        return table.lines(columns: terminal.columns, terminal)
    }

    static func show(_ view: StoreView, _ held: SettingsGet.Reply, _ terminal: Terminal) -> [String] {
        let name = harmless("\(view.app)/\(view.store)")
        let force = view.isInForce ? "in force" : "not in force: \(harmless(view.problem ?? ""))"
        var lines = [terminal.styled("\(name) of \(harmless(view.member)): \(force)", .bold)]
        guard !held.settings.isEmpty else { return lines + ["It holds nothing."] }
        for (setting, value) in held.settings.sorted(by: { $0.key < $1.key }) {
            lines.append("  \(harmless(setting)): \(harmless(words(value)))")
            if let key = SettingKey.named(setting), key.reach != .enforced {
                lines.append(terminal.styled("    " + key.sentence, .dim))
            }
        }
        return lines
    }

    /// A list by its length where it is of tokens, which say nothing to people.
    static func words(_ value: JSONValue) -> String {
        switch value {
        case .array(let items):
            let names = items.compactMap { $0["id"]?.string }
            return names.count == items.count ? names.joined(separator: ", ") : "\(items.count) chosen"
        case .object(let members):
            if let note = ShieldNote(value) { return words(note) }
            guard case .string(let policy)? = members["policy"] else { break }
            let parts = ["categories", "domains", "except"].compactMap { key -> String? in
                guard let list = members[key], case .array(let items) = list, !items.isEmpty else {
                    return nil
                }
                return "\(key): \(words(list))"
            }
            return ([policy] + parts).joined(separator: "; ")
        default: break
        }
        return String(decoding: JSONOutput.compact(value), as: UTF8.self)
    }

    private static func words(_ note: ShieldNote) -> String {
        let opens = note.opensMs.map { "shut until \(LocalTime.text(wallMs: $0))" }
        return [note.rule, note.says.map { "“\($0)”" }, opens].compactMap(\.self).joined(separator: "; ")
    }

    private static func harmless(_ text: String) -> String { DisplayWidth.harmless(text) }
}
