import STContracts
import STDomain
import STPlatform

/// `screentime why setting:NAME`: what a setting means on this computer, and who has set it.
enum WhySetting {
    static let prefix = "setting:"

    static func key(_ subject: String) throws(Problem) -> SettingKey {
        let name = String(subject.dropFirst(prefix.count))
        if let key = SettingKey.named(name) { return key }
        let names = SettingKey.all.map(\.name)
        // People know the property better than its group.
        let inGroup = names.filter { $0.hasSuffix("." + name) }
        let near = inGroup.first ?? TextFormat.closest(to: name, in: names)
        throw Problem(
            "settings.unknown",
            "There is no setting “\(name.prefix(60))”" + (near.map { "; did you mean \($0)?" } ?? "."),
            help: near.map { "screentime why setting:\($0)" } ?? "screentime why setting:shield.applications"
        )
    }

    static func json(_ key: SettingKey, _ effective: SettingsEffective.Reply) throws -> JSONValue {
        let set = effective.settings.first { $0.setting == key.name }
        return [
            "setting": .string(key.name),
            "reach": .string(key.reach.rawValue),
            "sentence": .string(key.sentence),
            "member": .string(effective.member),
            "effective": try set.map { try JSONOutput.value(of: $0) } ?? .null,
        ]
    }

    static func lines(_ key: SettingKey, _ effective: SettingsEffective.Reply, _ terminal: Terminal)
        -> [String]
    {
        let set = effective.settings.first { $0.setting == key.name }
        var lines = [terminal.styled("\(key.name): \(word(key.reach))", .bold), "  " + key.sentence, ""]
        if let set {
            lines.append("In force for \(harmless(effective.member)): \(value(set.value))")
            lines += set.by.map { "  set by \(harmless($0.app))/\(harmless($0.store))" }
        } else {
            lines.append("Nobody has set it for \(harmless(effective.member)).")
        }
        return lines
    }

    private static func word(_ reach: SettingReach) -> String {
        switch reach {
        case .enforced: "kept, and decides what is shielded"
        case .later: "kept, and not enforced yet"
        case .notPossible: "kept, and nothing on Linux it could act on"
        }
    }

    private static func value(_ value: JSONValue) -> String {
        harmless(StoreText.words(value))
    }

    private static func harmless(_ text: String) -> String { DisplayWidth.harmless(text) }
}
