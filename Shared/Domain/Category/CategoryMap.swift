/// Which category an app or a site belongs to: what a person said, else the list that comes with the system.
package struct CategoryMap: Sendable, Equatable {
    private var apps: [String: Category]
    private var domains: [String: Category]

    /// Entries of a person's own, of apps and of sites each.
    package static let entriesMax = 1000

    /// Both say what is different from the list that comes with the system.
    package init(apps: [String: Category] = [:], domains: [String: Category] = [:]) {
        self.apps = [:]
        self.domains = [:]
        for (app, category) in apps.sorted(by: { $0.key < $1.key }) { set(app: app, category) }
        for (domain, category) in domains.sorted(by: { $0.key < $1.key }) { set(domain: domain, category) }
    }

    /// Nil goes back to the list that comes with the system; false, and nothing is done, where the map is full.
    @discardableResult
    package mutating func set(app: String, _ category: Category?) -> Bool {
        Self.set(Self.normal(app: app), category, in: &apps)
    }

    @discardableResult
    package mutating func set(domain: String, _ category: Category?) -> Bool {
        Self.set(DomainName.normal(domain), category, in: &domains)
    }

    /// `other` for an app that nobody has said anything about.
    package func category(ofApp app: String) -> Category {
        let name = Self.normal(app: app)
        if let category = apps[name] ?? KnownApps.categories[name] { return category }
        // Windows of games that Steam runs for Windows are called by their number alone.
        return name.hasPrefix("steam_app_") ? .games : .other
    }

    /// Nil for a site that nobody has said anything about.
    ///
    /// What is said of a part of a site goes before what is said of the whole.
    package func category(ofDomain domain: String) -> Category? {
        DomainName.first(for: domain, category(ofVery:))
    }

    /// Of this very name, whatever is said of the site that it is part of.
    package func category(ofVery name: String) -> Category? { domains[name] ?? KnownDomains.categories[name] }

    /// Of what is in front: the site's where it is known, as a browser shows everything, else the app's.
    package func category(app: String?, domain: String?) -> Category {
        domain.flatMap(category(ofDomain:)) ?? app.map(category(ofApp:)) ?? .other
    }

    /// The name of a desktop entry however a desktop spells it: `Firefox`, `firefox.desktop`, `firefox_firefox`.
    private static func normal(app: String) -> String {
        var name = app.lowercased()
        // Some programs have that at the end of their own name.
        if name.hasSuffix(".desktop"), KnownApps.categories[name] == nil { name.removeLast(8) }
        let parts = name.split(separator: "_", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0] == parts[1] ? String(parts[0]) : name
    }

    private static func set(_ key: String, _ category: Category?, in map: inout [String: Category]) -> Bool {
        guard category == nil || map[key] != nil || map.count < entriesMax else { return false }
        map[key] = category
        return true
    }
}
