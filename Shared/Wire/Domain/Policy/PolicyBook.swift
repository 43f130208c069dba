/// All that is in force, by member: folded from the stream of policy, and asked without a request to any service.
package struct PolicyBook: Sendable, Equatable {
    /// Counts the changes of policy; the last one that this knows of.
    package private(set) var number: Int64 = 0
    package private(set) var members: [String: MemberPolicy] = [:]

    package init() {}

    /// Nil takes the store out of force.
    package mutating func set(_ name: StoreName, _ shields: StoreShields?) {
        guard shields != nil || members[name.member] != nil else { return }
        members[name.member, default: MemberPolicy()].rules.set(name, shields)
    }

    package mutating func allow(_ things: ThingSet, member: String) {
        members[member, default: MemberPolicy()].allowed = things
    }

    package mutating func set(_ grant: TimeGrant) {
        members[grant.member, default: MemberPolicy()].grants[grant.request] = grant
    }

    package mutating func end(grant request: String, member: String) {
        members[member]?.grants[request] = nil
    }

    /// Numbers only grow; a late word of an older one changes nothing.
    package mutating func reach(_ number: Int64) { self.number = max(self.number, number) }

    package func decide(_ thing: ShieldThing, member: String, wallMs: Int64) -> ShieldDecision {
        members[member]?.decide(thing, wallMs: wallMs) ?? .allowed
    }
}

/// What is in force for one member.
package struct MemberPolicy: Sendable, Equatable {
    package var rules = ShieldRules()
    /// Never shielded, even if a store shields it.
    package var allowed = ThingSet()
    /// By request.
    package var grants: [String: TimeGrant] = [:]

    package init() {}

    /// What is always allowed and what was granted count after everything else.
    ///
    /// The app and its site are judged apart: a browser that is always allowed opens no site that is shielded.
    package func decide(_ thing: ShieldThing, wallMs: Int64) -> ShieldDecision {
        let found = rules.causes(of: thing)
        guard !found.causes.isEmpty else { return .allowed }
        if allowed.isEmpty && grants.isEmpty { return ShieldDecision(isShielded: true, causes: found.causes) }
        var exemption: ShieldDecision.Exemption?
        if found.ofApp {
            guard let lift = liftOfApp(thing, wallMs) else {
                return ShieldDecision(isShielded: true, causes: found.causes)
            }
            exemption = lift
        }
        if found.ofSite {
            guard let lift = liftOfSite(thing, wallMs) else {
                return ShieldDecision(isShielded: true, causes: found.causes)
            }
            // The one that ends is the one to know of.
            if exemption == nil || exemption == .always { exemption = lift }
        }
        return ShieldDecision(isShielded: false, causes: found.causes, exemption: exemption)
    }

    /// When something may be decided differently without another event.
    package func nextGrantEndMs(after wallMs: Int64) -> Int64? {
        grants.values.compactMap(\.untilMs).filter { $0 > wallMs }.min()
    }

    /// Until when more time was granted for an app; nil: none was, or it has no end.
    package func grantedUntilMs(_ thing: ShieldThing, wallMs: Int64) -> Int64? {
        let grants = grants.values.filter {
            $0.isOn(at: wallMs) && $0.holds(app: thing.app, category: thing.category)
        }
        return grants.contains { $0.untilMs == nil } ? nil : grants.compactMap(\.untilMs).max()
    }

    private func liftOfApp(_ thing: ShieldThing, _ wallMs: Int64) -> ShieldDecision.Exemption? {
        if allowed.holds(app: thing.app, category: thing.category) { return .always }
        return grant(wallMs) { $0.holds(app: thing.app, category: thing.category) }
    }

    private func liftOfSite(_ thing: ShieldThing, _ wallMs: Int64) -> ShieldDecision.Exemption? {
        if allowed.holds(domain: thing.domain, category: thing.domainCategory) { return .always }
        return grant(wallMs) { $0.holds(domain: thing.domain, category: thing.domainCategory) }
    }

    /// Where several hold, the one that lasts longest.
    private func grant(_ wallMs: Int64, _ holds: (TimeGrant) -> Bool) -> ShieldDecision.Exemption? {
        grants.values.filter { $0.isOn(at: wallMs) && holds($0) }
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

    /// By app, then by name: the order in which causes are listed.
    package static func < (left: StoreName, right: StoreName) -> Bool {
        (left.app, left.store, left.member) < (right.app, right.store, right.member)
    }
}

/// What one store shields, by canonical names: all that deciding needs of it.
package struct StoreShields: Sendable, Hashable {
    package var apps: Set<String>
    package var categories: CategoryPolicy
    package var domains: Set<String>
    package var domainCategories: CategoryPolicy
    /// Apps that are hidden and may not start.
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

    /// Takes the settings that shield out of all settings.
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

/// Which categories are shielded, and which apps or sites of them are not.
package struct CategoryPolicy: Sendable, Hashable {
    package enum Reach: String, Sendable {
        case none, specific, all
    }

    package var reach: Reach
    /// Of `specific`: canonical names of categories.
    package var categories: Set<String>
    /// Canonical names of apps or sites; they are exempt from this policy alone.
    package var except: Set<String>

    package init(_ reach: Reach, categories: Set<String> = [], except: Set<String> = []) {
        self.reach = reach
        self.categories = categories
        self.except = except
    }

    package static let none = CategoryPolicy(.none)
}

/// Apps, categories and sites that something holds for.
package struct ThingSet: Sendable, Hashable {
    package var apps: Set<String>
    package var categories: Set<String>
    package var domains: Set<String>

    package init(apps: Set<String> = [], categories: Set<String> = [], domains: Set<String> = []) {
        self.apps = apps
        self.categories = categories
        self.domains = domains
    }

    package var isEmpty: Bool { apps.isEmpty && categories.isEmpty && domains.isEmpty }

    func holds(app: String?, category: String?) -> Bool {
        app.map(apps.contains) == true || category.map(categories.contains) == true
    }

    func holds(domain: String?, category: String?) -> Bool {
        if let category, categories.contains(category) { return true }
        guard let domain, !domains.isEmpty else { return false }
        return DomainName.first(for: domain) { domains.contains($0) ? true : nil } ?? false
    }
}

/// Which sites a browser may not open at all.
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

/// Which cookies a browser takes, the strictest first.
package enum CookiePolicy: String, Sendable, CaseIterable, Comparable {
    case never, currentWebsite, visitedWebsites, always

    package static func < (left: CookiePolicy, right: CookiePolicy) -> Bool {
        left.strictness < right.strictness
    }

    private var strictness: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// More time that was granted: until then its things are not shielded.
package struct TimeGrant: Sendable, Hashable {
    /// The request's name, such as R7.
    package var request: String
    package var member: String
    /// Nothing in it means everything.
    package var things: ThingSet
    /// Wall time; nil has no end.
    package var untilMs: Int64?

    package init(request: String, member: String, things: ThingSet, untilMs: Int64?) {
        self.request = request
        self.member = member
        self.things = things
        self.untilMs = untilMs
    }

    func isOn(at wallMs: Int64) -> Bool { untilMs.map { wallMs < $0 } ?? true }

    func holds(app: String?, category: String?) -> Bool {
        things.isEmpty || things.holds(app: app, category: category)
    }

    func holds(domain: String?, category: String?) -> Bool {
        things.isEmpty || things.holds(domain: domain, category: category)
    }
}
