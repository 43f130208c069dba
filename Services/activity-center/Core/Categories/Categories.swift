package import STContracts
package import STDomain
package import STPlatform

/// The category and name of each app and site, and their sources.
package struct Categories: Sendable, Equatable {
    package private(set) var assigned: [String: Category] = [:]
    /// Apps that are recorded as `CategoryChoice.privateApp`, and sites that are recorded as use of the browser only, by the key
    /// that all spellings share.
    private var ignored: [String: String] = [:]
    package var map = CategoryMap()
    /// The wall time at which each list of sites was added.
    package var listsAdded: [String: WallTime] = [:]
    /// The facts that were last published, by subject.
    package var publishedFacts: [String: SubjectFacts] = [:]
    /// Unknown apps seen since the desktop entries were last read.
    package private(set) var unknown: Set<String> = []
    /// True if a foreground app has no desktop entry, so that the entries should be read again.
    package var needsRefresh: Bool { !unknown.isEmpty }
    /// Apps that a further reading did not explain either.
    private var unresolved: Set<String> = []

    private static let sitePrefix = "site:"
    private static let lookedForMax = 1_000

    package init(_ own: [String: Category] = [:], ignored: [String] = []) {
        self.ignored = Dictionary(ignored.map { (Self.key($0), $0) }) { first, _ in first }
        for (subject, category) in own.sorted(by: { $0.key < $1.key }) { _ = assign(subject, category) }
    }

    package func category(app: String?, domain: String?) -> String? {
        app == nil && domain == nil ? nil : map.category(app: app, domain: domain).rawValue
    }

    package func choice(_ subject: String) -> CategoryChoice {
        guard !isIgnored(subject) else {
            return CategoryChoice(subject: subject, category: CategoryChoice.private, isOwn: true)
        }
        let site = Self.site(subject)
        let category = site.map { map.category(app: nil, domain: $0) } ?? map.category(ofApp: subject)
        return CategoryChoice(subject: subject, category: category.rawValue, isOwn: assigned[subject] != nil)
    }

    /// Returns all known facts of an app or a site.
    package func facts(_ subject: String) -> SubjectFacts {
        let site = Self.site(subject)
        let found = site.map { map.find(domain: $0) } ?? map.find(app: subject)
        let app = site == nil ? map.desktop[subject] : nil
        var facts = SubjectFacts(
            subject: subject,
            category: (found?.category ?? .other).rawValue,
            source: .unknown,
            name: app?.name,
            names: app?.names ?? [:],
            icon: app?.icon
        )
        switch found?.source {
        case .person: facts.source = .person
        case .known: facts.source = .list
        case .desktop: facts.source = .desktop
        case .added(let list):
            facts.source = .list
            facts.list = list
        case nil: break
        }
        return facts
    }

    /// The programs of this computer, and the subjects that people have moved.
    package var subjects: [String] {
        Set(map.desktop.apps.values.map(\.subject)).union(assigned.keys).sorted()
    }

    /// Returns the name of an app or a site on the stream. For an app, it has the spelling of the desktop entry.
    package func canonical(_ subject: String) -> String {
        if let site = Self.site(subject) { return Self.sitePrefix + DomainName.shown(site) }
        return map.desktop[subject]?.subject ?? subject
    }

    /// Returns an ignored subject in the spelling of the request that ignored it, and any other subject unchanged.
    package func spelling(_ subject: String) -> String { ignored[Self.key(subject)] ?? subject }

    /// The subjects that people have moved into a category, or ignored.
    package var changedSubjects: [String] { (Array(assigned.keys) + ignored.values).sorted() }

    /// The subjects that people have moved, and the parts of their lists of sites, in the form of a household.
    package var chosen: [HouseholdRule] {
        assigned.map {
            HouseholdRule(
                id: Self.key($0.key),
                member: HouseholdRule.everyone,
                version: 0,
                category: $0.value.rawValue
            )
        }
            + map.lists.lists.flatMap { name, list in
                list.parts.enumerated().filter { !$0.element.isEmpty }.map { part, sites in
                    HouseholdRule(
                        id: HouseholdRule.list(name, part: part),
                        member: HouseholdRule.everyone,
                        version: 0,
                        category: list.category.rawValue,
                        sites: sites
                    )
                }
            }
    }

    /// Returns the other spellings in which people have moved the same app or site.
    package func otherSpellings(_ subject: String) -> [String] {
        let key = Self.key(subject)
        return assigned.keys.filter { $0 != subject && Self.key($0) == key }
    }

    package func isIgnored(_ subject: String) -> Bool { ignored[Self.key(subject)] != nil }

    /// Ignores a subject. Returns false if there is no room for one more.
    package mutating func ignore(_ subject: String) -> Bool {
        let key = Self.key(subject)
        guard ignored[key] != nil || ignored.count < CategoryMap.entriesMax else { return false }
        _ = assign(subject, nil)
        ignored[key] = subject
        return true
    }

    /// Returns the observations without the names of ignored apps and sites.
    package func withoutIgnored(_ observations: [Observation]) -> [Observation] {
        ignored.isEmpty ? observations : observations.map(withoutIgnored)
    }

    private func withoutIgnored(_ seen: Observation) -> Observation {
        var seen = seen
        if let domain = seen.domain, ignores(site: domain) { seen.domain = nil }
        if let app = seen.app, isIgnored(app) {
            seen.app = CategoryChoice.privateApp
            seen.domain = nil
        }
        if let counts = seen.notifications {
            let kept = counts.map { (isIgnored($0.key) ? CategoryChoice.privateApp : $0.key, $0.value) }
            seen.notifications = Dictionary(kept) { min($0 + $1, UsageObserve.notificationCounts.upperBound) }
        }
        return seen
    }

    private func ignores(site domain: String) -> Bool {
        DomainName.first(for: domain) { ignored[Self.sitePrefix + $0] } != nil
    }

    /// Sets the category of a subject, or removes it if nil. Returns false if there is no room for one more.
    package mutating func assign(_ subject: String, _ category: Category?) -> Bool {
        let isTaken: Bool
        if let site = Self.site(subject) {
            isTaken = map.set(domain: site, category)
        } else {
            isTaken = map.set(app: subject, category)
        }
        if isTaken {
            assigned[subject] = category
            ignored[Self.key(subject)] = nil
        }
        return isTaken
    }

    /// Registers a foreground app. An unknown app may have been installed since the desktop entries were read.
    package mutating func noteForeground(_ app: String) {
        guard unknown.count < Self.lookedForMax, unresolved.count < Self.lookedForMax,
            !unknown.contains(app), !unresolved.contains(app), map.find(app: app) == nil
        else { return }
        unknown.insert(app)
    }

    /// Runs after the desktop entries were read again.
    package mutating func didRefresh() {
        unresolved.formUnion(unknown)
        unknown = []
    }

    package static func key(_ subject: String) -> String {
        site(subject).map { sitePrefix + DomainName.normal($0) } ?? SubjectFactIndex.key(subject)
    }

    package static func isSite(_ subject: String) -> Bool { subject.hasPrefix(sitePrefix) }

    private static func site(_ subject: String) -> String? {
        isSite(subject) ? String(subject.dropFirst(sitePrefix.count)) : nil
    }
}
