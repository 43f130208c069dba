package import STContracts
package import STDomain
import STPlatform

/// One store: what the app set in it, and what that means.
package struct NamedStore: Sendable, Equatable {
    /// Counts the changes.
    package var version: Int64 = 0
    /// As the app set them, tokens and all.
    package var settings: [String: JSONValue] = [:]
    /// The same by canonical names.
    package var values: [SettingKey: SettingValue] = [:]
    /// The permission under which it was set, by its generation.
    package var generation: Int64 = 0
    /// The store's own switch.
    package var isActive = true
    package var isInForce = false
    package var reason: String?
    package var changedWallMs: Int64 = 0

    package init() {}

    /// Forgets what was set; what comes is set under this permission.
    mutating func empty(_ generation: Int64) {
        settings = [:]
        values = [:]
        isActive = true
        self.generation = generation
    }

    package var shields: StoreShields { StoreShields(values) }

    /// In bytes: as the app set it, and as events carry it.
    package struct Size: Sendable, Equatable {
        package var settings = 0
        package var event = 0

        package var all: Int { settings + event }
    }

    /// Measured when it is set, and when it is read from the disk.
    package private(set) var size = Size()

    /// Measures it as the app set it, and as events carry its values.
    mutating func measure() {
        let body = PolicyStore(
            policy: .max,
            app: "",
            member: "",
            store: "",
            version: .max,
            isInForce: true,
            reason: nil,
            shields: StoreShieldsBody(shields),
            settings: SettingWire.canonical(values.filter { !StoreShields.keys.contains($0.key) }),
            wallMs: .max,
            cause: nil
        )
        size = Size(
            settings: JSONValue.object(settings).text.count,
            event: (try? body.encodedBody().count) ?? BusLimits.eventBodyBytes
        )
    }
}

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

    /// Leaves out what this version does not know: rows were checked when they came.
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

/// Apple's numbers, and bounds for the rest.
package enum SettingLimits {
    /// Stores of one app for one member.
    package static let storesPerApp = 50
    /// Stores of all apps and members together, as memory holds all of them.
    package static let storesMax = 5_000
    package static let nameBytesMax = 128
    /// The longest name of an app that a desktop may report.
    package static let idBytesMax = 256
    /// What an app set in one store, with all tokens.
    package static let storeBytesMax = 128 * 1024
    /// Of one store's values in an event; the rest is for names, a cause, and what a later change of the permission
    /// adds.
    package static let eventBytesMax = BusLimits.eventBodyBytes - 2 * 1024
    /// The size of all stores together, as they were set and as events carry them: memory holds all of them.
    package static let allBytesMax = 32 * 1024 * 1024
    /// Apps and sites that one list of `settings.effective` names.
    package static let effectiveNamesMax = 500
}
