import STDomain

/// Decides by going through all stores one by one, with the words of the documentation beside them.
///
/// Nothing in here is shared with the rules, so that both would have to be wrong in the same way.
struct SlowPolicy {
    var stores: [(name: StoreName, shields: StoreShields)]
    var allowed = ThingSet()
    var grants: [TimeGrant] = []

    func decide(_ thing: ShieldThing, at wallMs: Int64) -> ShieldDecision {
        var app: [ShieldCause] = []
        var site: [ShieldCause] = []
        for store in stores {
            app += appCauses(store.name, store.shields, thing)
            site += siteCauses(store.name, store.shields, thing)
        }
        let causes = (app + site).sorted { rank($0, thing) < rank($1, thing) }
        if causes.isEmpty { return ShieldDecision(isShielded: false, causes: []) }
        let liftsApp = app.isEmpty ? .some(nil) : lift(wallMs) { covers($0, thing.app, thing.category) }
        let liftsSite = site.isEmpty ? .some(nil) : lift(wallMs) { coversSite($0, thing) }
        guard let liftsApp, let liftsSite else { return ShieldDecision(isShielded: true, causes: causes) }
        let lifts = [liftsApp, liftsSite].compactMap(\.self)
        // A grant of the app, else of the site, else the list.
        let best = lifts.first { $0 != .always } ?? lifts.last
        return ShieldDecision(isShielded: false, causes: causes, exemption: best)
    }

    private func appCauses(_ name: StoreName, _ shields: StoreShields, _ thing: ShieldThing) -> [ShieldCause]
    {
        var causes: [ShieldCause] = []
        if let app = thing.app {
            for named in shields.apps where named == app {
                causes.append(.init(store: name, way: .named, what: app))
            }
        }
        let isExcept = shields.categories.except.contains { $0 == thing.app }
        switch shields.categories.reach {
        case .none: break
        case .specific:
            for category in shields.categories.categories where category == thing.category && !isExcept {
                causes.append(.init(store: name, way: .category, what: category))
            }
        case .all:
            if thing.app != nil || thing.category != nil, !isExcept, thing.app != name.app {
                causes.append(.init(store: name, way: .all, what: "all"))
            }
        }
        if let app = thing.app, shields.blockedApps.contains(app) {
            causes.append(.init(store: name, way: .blocked, what: app))
        }
        return causes
    }

    private func siteCauses(_ name: StoreName, _ shields: StoreShields, _ thing: ShieldThing) -> [ShieldCause]
    {
        guard thing.domain != nil || thing.domainCategory != nil else { return [] }
        var causes = shields.domains.filter { isPart(thing.domain, of: $0) }
            .map { ShieldCause(store: name, way: .named, what: $0) }
        let policy = shields.domainCategories
        if !policy.except.contains(where: { isPart(thing.domain, of: $0) }) {
            switch policy.reach {
            case .none: break
            case .specific:
                for category in policy.categories where category == thing.domainCategory {
                    causes.append(.init(store: name, way: .category, what: category))
                }
            case .all: causes.append(.init(store: name, way: .all, what: "all"))
            }
        }
        let filter = shields.filter
        if thing.domain != nil, !filter.except.contains(where: { isPart(thing.domain, of: $0) }) {
            switch filter.reach {
            case .none: break
            case .specific, .auto:
                for domain in filter.domains where isPart(thing.domain, of: domain) {
                    causes.append(.init(store: name, way: .filter, what: domain))
                }
            case .all: causes.append(.init(store: name, way: .filter, what: "all"))
            }
        }
        return causes
    }

    private func isPart(_ domain: String?, of whole: String) -> Bool {
        guard let domain else { return false }
        return domain == whole || domain.hasSuffix("." + whole)
    }

    /// By app, store, way, and from the longest name of a site to the shortest; of an app before of its site.
    private func rank(_ cause: ShieldCause, _ thing: ShieldThing) -> String {
        let way =
            switch cause.way {
            case .named: "0"
            case .category: "1"
            case .all: "2"
            case .blocked: "3"
            case .filter: "4"
            }
        let isSite = cause.what != thing.app && cause.what != thing.category
        let length = String(999 - cause.what.utf8.count)
        return [cause.store.app, cause.store.store, way, isSite ? "1" : "0", length].joined(
            separator: "\u{1}"
        )
    }

    // MARK: - What lifts

    /// Nil when nothing does.
    private func lift(_ wallMs: Int64, _ covers: (ThingSet) -> Bool) -> ShieldDecision.Exemption?? {
        if covers(allowed) { return .some(.always) }
        var best: TimeGrant?
        for grant in grants where grant.untilMs.map({ wallMs < $0 }) ?? true {
            guard grant.things.isEmpty || covers(grant.things) else { continue }
            guard let other = best else {
                best = grant
                continue
            }
            let isLonger = (grant.untilMs ?? .max) > (other.untilMs ?? .max)
            let isEqual = grant.untilMs == other.untilMs
            if isLonger || isEqual && grant.request < other.request { best = grant }
        }
        return best.map { .some(.grant($0.request)) }
    }

    private func covers(_ set: ThingSet, _ app: String?, _ category: String?) -> Bool {
        set.apps.contains { $0 == app } || set.categories.contains { $0 == category }
    }

    private func coversSite(_ set: ThingSet, _ thing: ShieldThing) -> Bool {
        set.domains.contains { isPart(thing.domain, of: $0) }
            || set.categories.contains { $0 == thing.domainCategory }
    }
}
