/// One setting of a store: what it takes, how several stores combine, and what comes of it on Linux.
package struct SettingKey: Sendable {
    /// Such as `shield.applications`: Apple's names of the group and of the property.
    package let name: String
    package let kind: SettingKind
    /// What holds when nobody has set it.
    package let initial: SettingValue
    package let reach: SettingReach
    /// What a Linux computer does about it, as a sentence.
    package let sentence: String

    init(
        _ name: String,
        _ kind: SettingKind,
        _ initial: SettingValue,
        _ reach: SettingReach,
        _ sentence: String
    ) {
        self.name = name
        self.kind = kind
        self.initial = initial
        self.reach = reach
        self.sentence = sentence
    }

    package var rule: CombineRule {
        switch kind {
        case .bool: .or
        case .integer, .cookies: .min
        case .apps, .domains: .union
        case .appPolicy, .domainPolicy, .filter: .mostRestrictive
        case .note: .apart
        }
    }

    package static func named(_ name: String) -> SettingKey? { byName[name] }

    /// As `named`, and what only the stores of rules hold.
    package static func kept(_ name: String) -> SettingKey? {
        named(name) ?? (name == note.name ? note : nil)
    }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}

extension SettingKey: Hashable {
    package static func == (left: SettingKey, right: SettingKey) -> Bool { left.name == right.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
