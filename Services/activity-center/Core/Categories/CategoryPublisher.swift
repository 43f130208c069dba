import STContracts
package import STDomain
package import STEngine

/// Announces the name and category of an app or a site when they change.
package enum CategoryPublisher {
    static func publish(_ subject: String, state: inout ActivityState, change: StoreTransaction) throws {
        let facts = state.categories.facts(state.categories.canonical(subject))
        let old = state.categories.publishedFacts[facts.subject]
        guard old != facts else { return }
        let isNothing = facts.source == .unknown && facts.name == nil
        // An unknown subject is published only if other facts were published before.
        if isNothing, old == nil { return }
        try change.emit(SubjectKnown.self, subject: "known/\(facts.subject)", facts)
        state.categories.publishedFacts[facts.subject] = isNothing ? nil : facts
        try CategoryTable.save(facts.subject, facts: isNothing ? nil : facts, database: change.database)
    }

    /// Applies the present desktop entries of this computer.
    package static func updateApps(_ apps: DesktopApps, state: inout ActivityState, change: StoreTransaction)
        throws
    {
        let old = state.categories.map.desktop.apps
        state.categories.didRefresh()
        guard old != apps.apps else { return }
        state.categories.map.desktop = apps
        // The notes on shields contain app names, so the decisions of all rules must be updated.
        state.uncheckedRules = nil
        let changed = Set(old.keys).union(apps.apps.keys).filter { old[$0] != apps.apps[$0] }
        for key in changed.sorted() {
            try CategoryTable.save(key, app: apps.apps[key], database: change.database)
            guard let subject = (apps.apps[key] ?? old[key])?.subject else { continue }
            try publish(subject, state: &state, change: change)
        }
    }

    /// Announces the parts of a list of sites that changed.
    static func publish(
        _ name: String,
        from old: DomainLists.List?,
        to new: DomainLists.List?,
        _ change: StoreTransaction
    ) throws {
        let category = (new ?? old)?.category ?? .other
        let isMoved = old?.category != new?.category
        for part in 0..<max(old?.parts.count ?? 0, new?.parts.count ?? 0) {
            let before = old.flatMap { part < $0.parts.count ? $0.parts[part] : nil }
            let domains = new.flatMap { part < $0.parts.count ? $0.parts[part] : nil }
            guard isMoved || before != domains else { continue }
            try change.emit(
                DomainListKnown.self,
                subject: "list/\(name)/\(part)",
                DomainListPart(
                    name: name,
                    category: category.rawValue,
                    part: Int64(part),
                    domains: domains ?? []
                )
            )
        }
    }
}
