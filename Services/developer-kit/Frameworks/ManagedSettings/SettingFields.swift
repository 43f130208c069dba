import Foundation
import STContracts

/// Settings by name, as the frameworks send them. Values that this version cannot decode are preserved and are not written back.
struct SettingFields: Sendable, Equatable {
    var values: [String: JSONValue] = [:]

    subscript<Value: SettingValue>(_ name: String) -> Value? {
        get { values[name].flatMap(Value.init(setting:)) }
        set { values[name] = newValue?.setting }
    }

    func group<Group: StoredGroup>() -> Group {
        Group(fields: SettingFields(values: values.filter { $0.key.hasPrefix(Group.prefix) }))
    }

    mutating func replace<Group: StoredGroup>(with group: Group) {
        values = values.filter { !$0.key.hasPrefix(Group.prefix) }
        values.merge(group.fields.values) { _, new in new }
    }

    /// Returns the values to write to change the other settings to these. Null removes a setting.
    func changes(from before: SettingFields) -> [String: JSONValue] {
        var changes = values.filter { before.values[$0.key] != $0.value }
        for name in before.values.keys where values[name] == nil { changes[name] = .null }
        return changes
    }
}

/// A value of a setting that can be encoded and decoded.
protocol SettingValue {
    /// Decodes a value. Returns `nil` if it has another type.
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

/// Sets are sent as sorted lists. Equal sets then have equal encodings, which repeated callbacks rely on.
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

/// An app, category or site in a setting. It is identified by its token, or by its id if that is known.
protocol SettingThing: Hashable {
    init?(thing: JSONValue)
    var thing: JSONValue { get }
    var sortKey: String { get }
}

extension Token: SettingThing {
    init?(thing: JSONValue) {
        guard let text = thing["token"]?.string, let data = Data(base64Encoded: text) else { return nil }
        self.init(data: data)
    }

    var thing: JSONValue { ["token": .string(sortKey)] }
    var sortKey: String { data.base64EncodedString() }
}

extension Application: SettingThing {
    init?(thing: JSONValue) {
        if let token = ApplicationToken(thing: thing) {
            self.init(token: token)
        } else {
            guard let id = thing["id"]?.string else { return nil }
            self.init(bundleIdentifier: id)
        }
    }

    var thing: JSONValue { token?.thing ?? ["id": .string(bundleIdentifier ?? "")] }
    var sortKey: String { token?.sortKey ?? bundleIdentifier ?? "" }
}

extension WebDomain: SettingThing {
    init?(thing: JSONValue) {
        if let token = WebDomainToken(thing: thing) {
            self.init(token: token)
        } else {
            guard let name = thing["id"]?.string else { return nil }
            self.init(domain: name)
        }
    }

    var thing: JSONValue { token?.thing ?? ["id": .string(domain ?? "")] }
    var sortKey: String { token?.sortKey ?? domain ?? "" }
}
