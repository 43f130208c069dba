package import STContracts
import STDomain

/// What shield-service should have in one place.
package enum ShieldWant: Sendable, Equatable {
    /// All settings of a store.
    case settings([String: JSONValue])
    /// A store that shields nothing at this moment.
    case clear
    /// The store of a rule that is gone.
    case gone
    /// A list of what is always allowed.
    case items([TokenItem])

    private static let apps = "shield.applications"
    private static let appCategories = "shield.applicationCategories"
    private static let sites = "shield.webDomains"
    private static let siteCategories = "shield.webDomainCategories"
    /// The store's own switch, which is on.
    static let isActive = "isActive"
    /// All that the store of a rule may hold.
    static let names = shieldNames + [SettingKey.note.name]
    private static let shieldNames = [apps, appCategories, sites, siteCategories]

    /// Shields these things, and says so; nothing named is everything there is.
    ///
    /// A category is one of apps and of sites: somebody who shuts social means both.
    static func shielding(_ items: [TokenItem], _ note: ShieldNote) -> ShieldWant {
        var settings = [SettingKey.note.name: note.json]
        guard !items.isEmpty else {
            let all: JSONValue = ["policy": "all", "categories": [], "except": []]
            settings[appCategories] = all
            settings[siteCategories] = all
            return .storing(settings)
        }
        func things(_ kind: TokenKind) -> JSONValue? {
            let ids = Set(items.filter { $0.kind == kind }.map(\.id)).sorted()
            return ids.isEmpty ? nil : .array(ids.map { ["id": .string($0)] })
        }
        settings[apps] = things(.application)
        settings[sites] = things(.domain)
        if let categories = things(.category) {
            let policy: JSONValue = ["policy": "specific", "categories": categories, "except": []]
            settings[appCategories] = policy
            settings[siteCategories] = policy
        }
        return .storing(settings)
    }

    /// Things are named in any order, so that one order is compared with.
    static func storing(_ settings: [String: JSONValue]) -> ShieldWant {
        .settings(settings.mapValues(sorted))
    }

    private static func sorted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let items): .array(items.sorted { ($0["id"]?.string ?? "") < ($1["id"]?.string ?? "") })
        case .object(let members): .object(members.mapValues(sorted))
        default: value
        }
    }

    static func allowing(_ items: [TokenItem]) -> ShieldWant {
        .items(Set(items).sorted(by: order))
    }

    /// Whether this is what shield-service tells of the store.
    ///
    /// A wrong no costs one more comparison, so it need not know how things are written.
    func isSame(as store: PolicyStore) -> Bool {
        let shields = store.shields
        switch self {
        case .gone: return store.version == 0
        case .items: return false
        case .clear, .settings:
            guard shields.blockedApps.isEmpty, shields.filter.reach == .none, store.settings == others else {
                return false
            }
        }
        guard case .settings(let settings) = self else {
            return shields.apps.isEmpty && shields.domains.isEmpty && shields.categories.reach == .none
                && shields.domainCategories.reach == .none
        }
        return store.isInForce && Set(shields.apps) == Self.ids(settings[Self.apps])
            && Set(shields.domains) == Self.ids(settings[Self.sites])
            && Self.isSame(settings[Self.appCategories], shields.categories)
            && Self.isSame(settings[Self.siteCategories], shields.domainCategories)
    }

    /// What is told by name, beside what shields.
    private var others: [String: JSONValue] {
        guard case .settings(let settings) = self else { return [:] }
        return settings.filter { !Self.shieldNames.contains($0.key) }
    }

    private static func isSame(_ value: JSONValue?, _ policy: CategoryPolicyBody) -> Bool {
        (value?["policy"]?.string ?? "none") == policy.reach.rawValue && policy.except.isEmpty
            && ids(value?["categories"]) == Set(policy.categories)
    }

    private static func ids(_ value: JSONValue?) -> Set<String> {
        guard case .array(let items) = value else { return [] }
        return Set(items.compactMap { $0["id"]?.string })
    }

    private static func order(_ left: TokenItem, _ right: TokenItem) -> Bool {
        (left.kind.rawValue, left.id) < (right.kind.rawValue, right.id)
    }
}
