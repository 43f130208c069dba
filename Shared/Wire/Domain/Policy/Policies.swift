import STPlatform

/// The policies in force, by member. Built from the `policy` stream, so a decision needs no request to a service.
package struct Policies: Sendable, Equatable {
    /// The number of the last policy change applied.
    package private(set) var number: Int64 = 0
    package private(set) var members: [String: MemberPolicy] = [:]

    package init() {}

    /// Sets the shields of a store. `nil` takes the store out of force.
    package mutating func set(_ name: StoreName, _ shields: StoreShields?) {
        guard shields != nil || members[name.member] != nil else { return }
        members[name.member, default: MemberPolicy()].rules.set(name, shields)
    }

    package mutating func allow(_ things: SubjectSet, member: String) {
        members[member, default: MemberPolicy()].allowed = things
    }

    package mutating func set(_ grant: TimeGrant) {
        members[grant.member, default: MemberPolicy()].grants[grant.request] = grant
    }

    package mutating func removeGrant(grant request: String, member: String) {
        members[member]?.grants[request] = nil
    }

    /// Records a change number. An older number that arrives late has no effect.
    package mutating func advance(_ number: Int64) { self.number = max(self.number, number) }

    package func decide(_ thing: ClassifiedSubject, member: String, wallMs: Int64) -> ShieldDecision {
        members[member]?.decide(thing, wallMs: wallMs) ?? .allowed
    }
}

/// The policy in force for one member.
package struct MemberPolicy: Sendable, Equatable {
    package var rules = ShieldRules()
    /// Apps, categories and sites that are never shielded, even if a store shields them.
    package var allowed = SubjectSet()
    /// The grants, by request.
    package var grants: [String: TimeGrant] = [:]

    package init() {}

    /// Decides if an app or site is shielded. The always-allowed list and grants take precedence over all stores.
    ///
    /// The app and its site are decided separately: a browser on the always-allowed list does not open a shielded site.
    package func decide(_ thing: ClassifiedSubject, wallMs: Int64) -> ShieldDecision {
        let found = rules.causes(of: thing)
        guard !found.causes.isEmpty else { return .allowed }
        if allowed.isEmpty && grants.isEmpty { return ShieldDecision(isShielded: true, causes: found.causes) }
        let wall = WallTime(ms: wallMs)
        var exemption: ShieldDecision.Exemption?
        if found.isAppShielded {
            guard let lift = appExemption(thing, wall) else {
                return ShieldDecision(isShielded: true, causes: found.causes)
            }
            exemption = lift
        }
        if found.isSiteShielded {
            guard let lift = siteExemption(thing, wall) else {
                return ShieldDecision(isShielded: true, causes: found.causes)
            }
            // Report the exemption that ends.
            if exemption == nil || exemption == .always { exemption = lift }
        }
        return ShieldDecision(isShielded: false, causes: found.causes, exemption: exemption)
    }

    /// The next moment at which a decision may change without another event.
    package func nextGrantEndMs(after wallMs: Int64) -> Int64? {
        grants.values.compactMap(\.untilMs).filter { $0 > wallMs }.min()
    }

    /// The moment until which more time was granted for an app. `nil` if none was granted, or a grant has no end.
    package func grantedUntilMs(_ thing: ClassifiedSubject, wallMs: Int64) -> Int64? {
        let grants = grants.values.filter {
            $0.isActive(at: WallTime(ms: wallMs)) && $0.covers(app: thing.app, category: thing.category)
        }
        return grants.contains { $0.untilMs == nil } ? nil : grants.compactMap(\.untilMs).max()
    }

    private func appExemption(_ thing: ClassifiedSubject, _ wall: WallTime) -> ShieldDecision.Exemption? {
        if allowed.contains(app: thing.app, category: thing.category) { return .always }
        return grant(wall) { $0.covers(app: thing.app, category: thing.category) }
    }

    private func siteExemption(_ thing: ClassifiedSubject, _ wall: WallTime) -> ShieldDecision.Exemption? {
        if allowed.contains(domain: thing.domain, category: thing.domainCategory) { return .always }
        return grant(wall) { $0.covers(domain: thing.domain, category: thing.domainCategory) }
    }

    /// The grant that lasts longest, if several apply.
    private func grant(_ wall: WallTime, _ holds: (TimeGrant) -> Bool) -> ShieldDecision.Exemption? {
        grants.values.filter { $0.isActive(at: wall) && holds($0) }
            .max { ($0.untilMs ?? .max, $1.request) < ($1.untilMs ?? .max, $0.request) }
            .map { .grant($0.request) }
    }
}

/// A named store of one app for one member.
package struct StoreName: Sendable, Hashable, Comparable {
    package var app: String
    package var member: String
    package var store: String

    package init(app: String, member: String, store: String) {
        self.app = app
        self.member = member
        self.store = store
    }

    /// Orders stores by app, then by name, which is the order of listed causes.
    package static func < (left: StoreName, right: StoreName) -> Bool {
        (left.app, left.store, left.member) < (right.app, right.store, right.member)
    }
}

/// The shields of one store, by canonical names. Decisions need no other data.
package struct StoreShields: Sendable, Hashable {
    package var apps: Set<String>
    package var categories: CategoryPolicy
    package var domains: Set<String>
    package var domainCategories: CategoryPolicy
    /// The apps in the setting `application.blockedApplications`. They are shielded like `apps`.
    package var blockedApps: Set<String>
    package var filter: WebFilter

    package init(
        apps: Set<String> = [],
        categories: CategoryPolicy = .none,
        domains: Set<String> = [],
        domainCategories: CategoryPolicy = .none,
        blockedApps: Set<String> = [],
        filter: WebFilter = .none
    ) {
        self.apps = apps
        self.categories = categories
        self.domains = domains
        self.domainCategories = domainCategories
        self.blockedApps = blockedApps
        self.filter = filter
    }

    package var isEmpty: Bool { self == StoreShields() }

    /// Takes the shielding settings from all settings.
    package init(_ values: [SettingKey: SettingValue]) {
        self.init()
        for (key, value) in values {
            switch (key, value) {
            case (.applications, .names(let names)): apps = names
            case (.blockedApplications, .names(let names)): blockedApps = names
            case (.webDomains, .names(let names)): domains = names
            case (.applicationCategories, .policy(let policy)): categories = policy
            case (.webDomainCategories, .policy(let policy)): domainCategories = policy
            case (.blockedByFilter, .filter(let filter)): self.filter = filter
            default: break
            }
        }
    }

    /// Settings that are published as shields and not by their names.
    package static let keys: Set<SettingKey> = [
        .applications, .blockedApplications, .webDomains, .applicationCategories, .webDomainCategories,
        .blockedByFilter,
    ]
}

/// The shielded categories, and the apps or sites in them that are exempt.
package struct CategoryPolicy: Sendable, Hashable {
    package enum Reach: String, Sendable {
        case none, specific, all
    }

    package var reach: Reach
    /// Canonical names of categories. Only for `specific`.
    package var categories: Set<String>
    /// Canonical names of apps or sites that are exempt from this policy only.
    package var except: Set<String>

    package init(_ reach: Reach, categories: Set<String> = [], except: Set<String> = []) {
        self.reach = reach
        self.categories = categories
        self.except = except
    }

    package static let none = CategoryPolicy(.none)
}

/// A set of apps, categories and sites.
package struct SubjectSet: Sendable, Hashable {
    package var apps: Set<String>
    package var categories: Set<String>
    package var domains: Set<String>

    package init(apps: Set<String> = [], categories: Set<String> = [], domains: Set<String> = []) {
        self.apps = apps
        self.categories = categories
        self.domains = domains
    }

    package var isEmpty: Bool { apps.isEmpty && categories.isEmpty && domains.isEmpty }

    func contains(app: String?, category: String?) -> Bool {
        app.map(apps.contains) == true || category.map(categories.contains) == true
    }

    func contains(domain: String?, category: String?) -> Bool {
        if let category, categories.contains(category) { return true }
        guard let domain, !domains.isEmpty else { return false }
        return DomainName.first(for: domain) { domains.contains($0) ? true : nil } ?? false
    }
}

/// The sites that a browser may not open.
package struct WebFilter: Sendable, Hashable {
    package enum Reach: String, Sendable {
        case none, specific, auto, all
    }

    package var reach: Reach
    package var domains: Set<String>
    package var except: Set<String>

    package init(_ reach: Reach, domains: Set<String> = [], except: Set<String> = []) {
        self.reach = reach
        self.domains = domains
        self.except = except
    }

    package static let none = WebFilter(.none)
}

/// The cookies that a browser accepts, strictest first.
package enum CookiePolicy: String, Sendable, CaseIterable, Comparable {
    case never, currentWebsite, visitedWebsites, always

    package static func < (left: CookiePolicy, right: CookiePolicy) -> Bool {
        left.strictness < right.strictness
    }

    private var strictness: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// More time that was granted. Until its end, the apps and sites in it are not shielded.
package struct TimeGrant: Sendable, Hashable {
    /// The request's name, such as R7.
    package var request: String
    package var member: String
    /// The apps, categories and sites. Empty means everything.
    package var subjects: SubjectSet
    /// Wall time. `nil` means without an end.
    package var untilMs: Int64?

    package init(request: String, member: String, things: SubjectSet, untilMs: Int64?) {
        self.request = request
        self.member = member
        self.subjects = things
        self.untilMs = untilMs
    }

    func isActive(at wall: WallTime) -> Bool { untilMs.map { wall < WallTime(ms: $0) } ?? true }

    func covers(app: String?, category: String?) -> Bool {
        subjects.isEmpty || subjects.contains(app: app, category: category)
    }

    func covers(domain: String?, category: String?) -> Bool {
        subjects.isEmpty || subjects.contains(domain: domain, category: category)
    }
}
