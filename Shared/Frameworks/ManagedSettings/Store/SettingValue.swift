import Foundation
import STContracts

/// What can be the value of a setting, and how it travels.
protocol SettingValue {
    /// Nil for what is not of this kind.
    init?(setting: JSONValue)
    var setting: JSONValue { get }
}

extension Bool: SettingValue {
    init?(setting: JSONValue) {
        guard case .bool(let value) = setting else { return nil }
        self = value
    }

    var setting: JSONValue { .bool(self) }
}

extension Int: SettingValue {
    init?(setting: JSONValue) {
        guard case .integer(let value) = setting else { return nil }
        self = Int(value)
    }

    var setting: JSONValue { .integer(Int64(self)) }
}

extension SafariSettings.CookiePolicy: SettingValue {
    init?(setting: JSONValue) { self.init(rawValue: setting.string ?? "") }

    var setting: JSONValue { .string(rawValue) }
}

/// Sets travel as lists, in an order of their own: the same set is the same text each time, which repeats of a callback
/// rely on.
extension Set: SettingValue where Element: SettingThing {
    init?(setting: JSONValue) {
        guard case .array(let things) = setting else { return nil }
        self.init(things.compactMap(Element.init(thing:)))
    }

    var setting: JSONValue {
        .array(map { (name: $0.thing, sortKey: $0.sortKey) }.sorted { $0.sortKey < $1.sortKey }.map(\.name))
    }
}

extension ShieldSettings.ActivityCategoryPolicy: SettingValue {
    init?(setting: JSONValue) {
        let except = Set<Token<Activity>>(setting: setting["except"] ?? []) ?? []
        switch setting["policy"]?.string {
        case "none": self = .none
        case "specific": self = .specific(Set(setting: setting["categories"] ?? []) ?? [], except: except)
        case "all": self = .all(except: except)
        default: return nil
        }
    }

    var setting: JSONValue {
        switch self {
        case .none: ["policy": "none"]
        case .specific(let categories, let except):
            ["policy": "specific", "categories": categories.setting, "except": except.setting]
        case .all(let except): ["policy": "all", "except": except.setting]
        }
    }
}

extension WebContentSettings.FilterPolicy: SettingValue {
    init?(setting: JSONValue) {
        let domains = Set<WebDomain>(setting: setting["domains"] ?? []) ?? []
        let except = Set<WebDomain>(setting: setting["except"] ?? []) ?? []
        switch setting["policy"]?.string {
        case "none": self = .none
        case "specific": self = .specific(domains)
        case "auto": self = .auto(domains, except: except)
        case "all": self = .all(except: except)
        default: return nil
        }
    }

    var setting: JSONValue {
        switch self {
        case .none: ["policy": "none"]
        case .specific(let domains): ["policy": "specific", "domains": domains.setting]
        case .auto(let domains, let except):
            ["policy": "auto", "domains": domains.setting, "except": except.setting]
        case .all(let except): ["policy": "all", "except": except.setting]
        }
    }
}
