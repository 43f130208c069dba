package import STContracts
import STDomain
package import STPlatform

/// What shield-service was last asked for: a store for each rule that shields, a list for each member.
package struct ShieldBook: Sendable, Equatable {
    package enum Place: Sendable, Hashable, Comparable {
        /// The always-allowed list; sorted before the stores, so that no shield covers what is on it.
        case allowed(member: String)
        case store(member: String, rule: String)

        package var member: String {
            switch self {
            case .allowed(let member), .store(let member, _): member
            }
        }

        package static func < (left: Place, right: Place) -> Bool { left.order < right.order }

        private var order: (Int, String, String) {
            switch self {
            case .allowed(let member): (0, member, "")
            case .store(let member, let rule): (1, member, rule)
            }
        }
    }

    package struct Asked: Sendable, Equatable {
        package var want: ShieldWant
        /// Makes a repeat harmless.
        package var key: String
        /// The delivery or request that led to it.
        package var cause: String?
        package var isConfirmed = false
        /// Why shield-service refused it.
        package var problem: Problem?
        /// Keys of older requests that are still under way and may take effect after this one.
        package var superseded: [String] = []
        /// For a refusal that may pass: how often in a row, and when to ask again.
        package var refusals = 0
        package var againWallMs: Int64?
        /// Whether an older request has already put a shield up.
        package var isUp = false

        package init(
            want: ShieldWant,
            key: String,
            cause: String? = nil,
            isConfirmed: Bool = false,
            problem: Problem? = nil
        ) {
            self.want = want
            self.key = key
            self.cause = cause
            self.isConfirmed = isConfirmed
            self.problem = problem
        }
    }

    /// How many older keys are remembered; there are never more changes during one call.
    static let supersededMax = 8
    /// Refusals that may pass are asked again after these times.
    static let againFirstMs: Int64 = 5_000
    static let againMostMs: Int64 = 600_000
    static let passing: Set<String> = ["member.unknown", "unavailable"]

    package var asked: [Place: Asked] = [:]
    /// Counts changes in shield-service that no rule asked for, and how many of them a comparison has settled.
    ///
    /// Not saved: each start compares everything anyway.
    package var doubts: Int64 = 0
    package var settledDoubts: Int64 = 0
    /// How often shield-service has answered; not saved either.
    package var answers: Int64 = 0

    package init() {}

    package var isDoubtful: Bool { doubts != settledDoubts }

    /// Takes an event about a rule's store: a difference from what was asked for raises a doubt.
    package mutating func hear(_ store: PolicyStore) {
        guard store.app == BuiltInRules.app else { return }
        let want = asked[.store(member: store.member, rule: store.store)]?.want ?? .gone
        if !want.isSame(as: store) { doubts += 1 }
    }

    package mutating func hear(_ list: PolicyAllowed) {
        let want = asked[.allowed(member: list.member)]?.want ?? .items([])
        if want != .allowing(list.items) { doubts += 1 }
    }

    /// Takes over what shield-service has where it had confirmed, so that what another program changed is asked for again.
    package mutating func compare(stores: [SettingsGet.Reply], allowed: [ShieldAllowedSet.Reply]) {
        var actual: [Place: ShieldWant] = [:]
        for store in stores where store.app == BuiltInRules.app {
            let want: ShieldWant = store.settings.isEmpty ? .clear : .storing(store.settings)
            actual[.store(member: store.member, rule: store.store)] = want
        }
        for list in allowed where !list.items.isEmpty {
            actual[.allowed(member: list.member)] = .allowing(list.items)
        }
        for place in Set(actual.keys).union(asked.keys) {
            let has = actual[place]
            switch (asked[place], has) {
            case (let known?, _) where !known.isConfirmed && known.problem == nil: break
            case (let known?, let has?) where known.want == has && known.problem == nil: break
            case (_, let has?): asked[place] = Asked(want: has, key: "", cause: nil, isConfirmed: true)
            case (_, nil): asked[place] = nil
            }
        }
    }
}

/// What shield-service should have in one store or list.
package enum ShieldWant: Sendable, Equatable {
    /// A store with these settings.
    case settings([String: JSONValue])
    /// A store that shields nothing at this moment.
    case clear
    /// The store of a rule that is gone.
    case gone
    /// An always-allowed list.
    case items([TokenItem])

    private static let apps = "shield.applications"
    private static let appCategories = "shield.applicationCategories"
    private static let sites = "shield.webDomains"
    private static let siteCategories = "shield.webDomainCategories"
    /// The switch of a store; a rule's store is always on.
    static let isActive = "isActive"
    /// All settings that a rule's store may hold.
    static let names = shieldNames + [SettingKey.note.name]
    private static let shieldNames = [apps, appCategories, sites, siteCategories]

    /// Shields these apps, sites and categories with a note; an empty list means everything but some apps and sites.
    ///
    /// A category covers apps and sites: a parent who shields social means both.
    static func shielding(_ items: [TokenItem], except free: [TokenItem] = [], _ note: ShieldNote)
        -> ShieldWant
    {
        var settings = [SettingKey.note.name: note.json]
        func things(_ kind: TokenKind, of items: [TokenItem]) -> JSONValue? {
            let ids = Set(items.filter { $0.kind == kind }.map(\.id)).sorted()
            return ids.isEmpty ? nil : .array(ids.map { ["id": .string($0)] })
        }
        guard !items.isEmpty else {
            func all(but kind: TokenKind) -> JSONValue {
                ["policy": "all", "categories": [], "except": things(kind, of: free) ?? []]
            }
            settings[appCategories] = all(but: .application)
            settings[siteCategories] = all(but: .domain)
            return .storing(settings)
        }
        func things(_ kind: TokenKind) -> JSONValue? { things(kind, of: items) }
        settings[apps] = things(.application)
        settings[sites] = things(.domain)
        if let categories = things(.category) {
            let policy: JSONValue = ["policy": "specific", "categories": categories, "except": []]
            settings[appCategories] = policy
            settings[siteCategories] = policy
        }
        return .storing(settings)
    }

    /// Sorts the settings, because shield-service may return them in any order.
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

    /// Whether the store in this event is what was asked for.
    ///
    /// A wrong no only costs one more comparison.
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

    /// The settings besides the shields themselves.
    private var others: [String: JSONValue] {
        guard case .settings(let settings) = self else { return [:] }
        return settings.filter { !Self.shieldNames.contains($0.key) }
    }

    private static func isSame(_ value: JSONValue?, _ policy: CategoryPolicyBody) -> Bool {
        (value?["policy"]?.string ?? "none") == policy.reach.rawValue
            && ids(value?["except"]) == Set(policy.except)
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
