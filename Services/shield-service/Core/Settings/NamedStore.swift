package import STContracts
package import STDomain
package import STPlatform

/// One named store: the settings of an app, in the app's form and by canonical names.
package struct NamedStore: Sendable, Equatable {
    /// Number of changes.
    package var version: Int64 = 0
    /// The settings as the app set them, including tokens.
    package var settings: [String: JSONValue] = [:]
    /// The same settings by canonical names.
    package var values: [SettingKey: SettingValue] = [:]
    /// Generation of the permission under which the app made the settings.
    package var generation: Int64 = 0
    /// The store's own switch.
    package var isActive = true
    package var isInForce = false
    package var reason: String?
    package var changed = WallTime(ms: 0)

    package init() {}

    /// Removes all settings. The following settings belong to the permission `generation`.
    mutating func empty(_ generation: Int64) {
        settings = [:]
        values = [:]
        isActive = true
        self.generation = generation
    }

    package var shields: StoreShields { StoreShields(values) }

    /// Sizes in bytes: of the settings as the app set them, and of the values as events carry them.
    package struct Size: Sendable, Equatable {
        package var settings = 0
        package var event = 0

        package var all: Int { settings + event }
    }

    /// Measured when the store is set, and when it is loaded.
    package private(set) var size = Size()

    /// Updates `size`.
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

/// Settings by canonical names, in the form of events and rows.
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

    /// Returns the values of the settings that this version contains. Rows were checked when they were received.
    static func values(_ members: [String: JSONValue]) -> [SettingKey: SettingValue] {
        var values: [SettingKey: SettingValue] = [:]
        for (name, json) in members {
            guard let key = SettingKey.stored(name), let value = value(json, key.kind) else { continue }
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

/// Limits of stores and settings: Apple's numbers, and own bounds for the rest.
package enum SettingLimits {
    /// Upper bound on the stores of one app for one member.
    package static let storesPerApp = 50
    /// Upper bound on the stores of all apps and members, because all are in memory.
    package static let storesMax = 5_000
    package static let nameBytesMax = 128
    /// Upper bound on the bytes of an app name that a desktop may report.
    package static let idBytesMax = 256
    /// Upper bound on the bytes of an app's settings in one store, with all tokens.
    package static let storeBytesMax = 128 * 1024
    /// Upper bound on the bytes of one store's values in an event.
    ///
    /// The rest of the event is for names, a cause, and additions by a later change of the permission.
    package static let eventBytesMax = BusLimits.eventBodyBytes - 2 * 1024
    /// Upper bound on the size of all stores together, as set and as events carry them, because all are in memory.
    package static let allBytesMax = 32 * 1024 * 1024
    /// Upper bound on the apps and sites in one list of `settings.effective`.
    package static let effectiveNamesMax = 500
}
