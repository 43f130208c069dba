import STDomain

/// Decides by a linear search through all stores, with quotations of the documentation.
///
/// This reference shares no code with the rules. A mistake goes unnoticed only if both make it.
struct SlowPolicy {
    var stores: [(name: StoreName, shields: StoreShields)]
    var allowed = SubjectSet()
    var grants: [TimeGrant] = []

    func decide(_ thing: ClassifiedSubject, at wallMs: Int64) -> ShieldDecision {
        var app: [ShieldCause] = []
        var site: [ShieldCause] = []
        for store in stores {
            app += appCauses(store.name, shields: store.shields, thing: thing)
            site += siteCauses(store.name, shields: store.shields, thing: thing)
        }
        let causes = (app + site).sorted { rank($0, thing) < rank($1, thing) }
        if causes.isEmpty { return ShieldDecision(isShielded: false, causes: []) }
        let liftsApp =
            app.isEmpty ? .some(nil) : lift(wallMs) { covers($0, app: thing.app, category: thing.category) }
        let liftsSite = site.isEmpty ? .some(nil) : lift(wallMs) { coversSite($0, thing) }
        guard let liftsApp, let liftsSite else { return ShieldDecision(isShielded: true, causes: causes) }
        let lifts = [liftsApp, liftsSite].compactMap(\.self)
        // The exemption is a grant for the app, else a grant for the site, else the list.
        let best = lifts.first { $0 != .always } ?? lifts.last
        return ShieldDecision(isShielded: false, causes: causes, exemption: best)
    }

    private func appCauses(_ name: StoreName, shields: StoreShields, thing: ClassifiedSubject)
        -> [ShieldCause]
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

    private func siteCauses(_ name: StoreName, shields: StoreShields, thing: ClassifiedSubject)
        -> [ShieldCause]
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

    /// The sort key: app, store, way, app before site, and longer site names first.
    private func rank(_ cause: ShieldCause, _ thing: ClassifiedSubject) -> String {
        let way =
            switch cause.kind {
            case .named: "0"
            case .category: "1"
            case .all: "2"
            case .blocked: "3"
            case .filter: "4"
            }
        let isSite = cause.name != thing.app && cause.name != thing.category
        let length = String(999 - cause.name.utf8.count)
        return [cause.store.app, cause.store.store, way, isSite ? "1" : "0", length].joined(
            separator: "\u{1}"
        )
    }

    // MARK: - Exemptions

    /// The list or the grant that lifts the shield. `nil` if nothing lifts it.
    private func lift(_ wallMs: Int64, _ covers: (SubjectSet) -> Bool) -> ShieldDecision.Exemption?? {
        if covers(allowed) { return .some(.always) }
        var best: TimeGrant?
        for grant in grants where grant.untilMs.map({ wallMs < $0 }) ?? true {
            guard grant.subjects.isEmpty || covers(grant.subjects) else { continue }
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

    private func covers(_ set: SubjectSet, app: String?, category: String?) -> Bool {
        set.apps.contains { $0 == app } || set.categories.contains { $0 == category }
    }

    private func coversSite(_ set: SubjectSet, _ thing: ClassifiedSubject) -> Bool {
        set.domains.contains { isPart(thing.domain, of: $0) }
            || set.categories.contains { $0 == thing.domainCategory }
    }
}
