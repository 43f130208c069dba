import STContracts
import STDomain

/// Settings by canonical names, as events and rows have them.
enum SettingWire {
    static func canonical(_ values: [SettingKey: SettingValue]) -> [String: JSONValue] {
        Dictionary(uniqueKeysWithValues: values.map { ($0.key.name, json($0.value)) })
    }

    static func json(_ value: SettingValue) -> JSONValue {
        switch value {
        case .bool(let value): .bool(value)
        case .integer(let value): .integer(value)
        case .cookies(let policy): .string(policy.rawValue)
        case .names(let names): list(names)
        case .policy(let policy):
            [
                "policy": .string(policy.reach.rawValue), "categories": list(policy.categories),
                "except": list(policy.except),
            ]
        case .note(let note): note.json
        case .filter(let filter):
            [
                "policy": .string(filter.reach.rawValue), "domains": list(filter.domains),
                "except": list(filter.except),
            ]
        }
    }

    /// What this version does not know of is left out: it was checked when it came.
    static func values(_ members: [String: JSONValue]) -> [SettingKey: SettingValue] {
        var values: [SettingKey: SettingValue] = [:]
        for (name, json) in members {
            guard let key = SettingKey.kept(name), let value = value(json, key.kind) else { continue }
            values[key] = value
        }
        return values
    }

    private static func value(_ json: JSONValue, _ kind: SettingKind) -> SettingValue? {
        switch (kind, json) {
        case (.bool, .bool(let value)): return .bool(value)
        case (.integer, .integer(let value)): return .integer(value)
        case (.cookies, .string(let text)): return CookiePolicy(rawValue: text).map { .cookies($0) }
        case (.apps, .array), (.domains, .array): return .names(names(json))
        case (.appPolicy, .object), (.domainPolicy, .object):
            guard let reach = json["policy"]?.string.flatMap(CategoryPolicy.Reach.init) else { return nil }
            return .policy(
                CategoryPolicy(reach, categories: names(json["categories"]), except: names(json["except"]))
            )
        case (.filter, .object):
            guard let reach = json["policy"]?.string.flatMap(WebFilter.Reach.init) else { return nil }
            return .filter(
                WebFilter(reach, domains: names(json["domains"]), except: names(json["except"]))
            )
        case (.note, .object): return ShieldNote(json).map { .note($0) }
        default: return nil
        }
    }

    private static func list(_ names: Set<String>) -> JSONValue { .array(names.sorted().map { .string($0) }) }

    private static func names(_ json: JSONValue?) -> Set<String> {
        guard case .array(let elements) = json else { return [] }
        return Set(elements.compactMap(\.string))
    }
}
