package import STDomain

/// What apps and sites are called and for: activity-center's word, else the list that comes with the system.
package struct FactBook: Sendable, Equatable {
    package private(set) var known: [String: SubjectFacts] = [:]
    /// Sites that people have added, list by list.
    package var lists = DomainLists()
    private static let map = CategoryMap()

    package init() {}

    package static let sitePrefix = "site:"

    /// One name for an app, however a desktop spells it, as activity-center has it.
    package static func key(_ subject: String) -> String {
        subject.hasPrefix(sitePrefix) ? subject : CategoryMap.normal(app: subject)
    }

    package mutating func take(_ facts: SubjectFacts) { known[Self.key(facts.subject)] = facts }

    /// A part of a list, as activity-center tells it; a category that this version does not know counts nothing.
    package mutating func take(_ part: DomainListPart) {
        guard let category = Category(rawValue: part.category) else { return }
        lists.set(part.name, part: Int(clamping: part.part), part.domains, category)
    }

    package func facts(app: String) -> SubjectFacts? { known[Self.key(app)] }

    package func facts(domain: String) -> SubjectFacts? {
        DomainName.first(for: domain) { known[Self.sitePrefix + $0] }
    }

    package func category(ofApp app: String) -> String {
        facts(app: app)?.category ?? Self.map.category(ofApp: app).rawValue
    }

    /// Nil for a site that nobody has said anything about; what is said of a part goes before the whole.
    package func category(ofDomain domain: String) -> String? {
        DomainName.first(for: domain) { name in
            known[Self.sitePrefix + name]?.category
                ?? lists.exact(name)?.category.rawValue
                // The shorter names follow by themselves, so only this very one is asked for.
                ?? Self.map.category(ofVery: name)?.rawValue
        }
    }

    package func thing(_ subject: ShieldSubject) -> ShieldThing {
        ShieldThing(
            app: subject.app,
            category: subject.app.map(category(ofApp:)) ?? subject.category,
            domain: subject.domain,
            domainCategory: subject.domain.flatMap(category(ofDomain:))
        )
    }
}
