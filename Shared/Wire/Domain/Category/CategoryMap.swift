import STPlatform

/// The categories of apps and sites.
///
/// A person's own entries come first. Then follow the lists that people added, the built-in list and, for apps, the desktop
/// entries.
package struct CategoryMap: Sendable, Equatable {
    /// The origin of a category.
    package enum Source: Sendable, Equatable {
        case person
        /// A list of sites that a person has added.
        case added(String)
        case known
        case desktop
    }

    private var apps: [String: Category]
    private var domains: [String: Category]
    /// The desktop entries of this computer.
    package var desktop = DesktopApps()
    package var lists = DomainLists()

    /// Upper bound on a person's own entries, for apps and sites each.
    package static let entriesMax = 1000

    /// Creates a map. Both parameters contain only the entries that differ from the built-in list.
    package init(apps: [String: Category] = [:], domains: [String: Category] = [:]) {
        self.apps = [:]
        self.domains = [:]
        for (app, category) in apps.sorted(by: { $0.key < $1.key }) { set(app: app, category) }
        for (domain, category) in domains.sorted(by: { $0.key < $1.key }) { set(domain: domain, category) }
    }

    /// Sets an app's category. `nil` removes the entry. Returns false and does nothing if the map is full.
    @discardableResult
    package mutating func set(app: String, _ category: Category?) -> Bool {
        Self.set(Self.normal(app: app), category, in: &apps)
    }

    @discardableResult
    package mutating func set(domain: String, _ category: Category?) -> Bool {
        Self.set(DomainName.shown(domain), category, in: &domains)
    }

    /// The category of an app. `other` for an unknown app.
    package func category(ofApp app: String) -> Category { find(app: app)?.category ?? .other }

    /// The category of a site. `nil` if no list and no person has given it one.
    ///
    /// An entry of a subdomain takes precedence over one of the whole site.
    package func category(ofDomain domain: String) -> Category? { find(domain: domain)?.category }

    /// The category of exactly this name, without its parent domains.
    package func exactCategory(ofVery name: String) -> Category? { findExact(very: name)?.category }

    /// The category of the foreground app and its site. The site's category takes precedence, because a browser shows sites of all
    /// categories.
    package func category(app: String?, domain: String?) -> Category {
        domain.flatMap(category(ofDomain:)) ?? app.map(category(ofApp:)) ?? .other
    }

    /// The category of an app and its origin. `nil` for an unknown app.
    package func find(app: String) -> (category: Category, source: Source)? {
        let name = Self.normal(app: app)
        if let category = apps[name] { return (category, .person) }
        if let category = KnownApps.categories[name] { return (category, .known) }
        if let category = desktop.apps[name]?.category { return (category, .desktop) }
        // Windows of Windows games under Steam have only a number as their name.
        return name.hasPrefix("steam_app_") ? (.games, .known) : nil
    }

    package func find(domain: String) -> (category: Category, source: Source)? {
        DomainName.first(for: domain, findExact(very:))
    }

    private func findExact(very name: String) -> (category: Category, source: Source)? {
        if let category = domains[name] { return (category, .person) }
        if let found = lists.exact(name) { return (found.category, .added(found.list)) }
        return KnownDomains.categories[name].map { ($0, .known) }
    }

    /// The normalised name of an app, because desktops spell it differently: `Firefox`, `firefox.desktop`, `firefox_firefox`.
    package static func normal(app: String) -> String {
        // The fast path for nearly all names, because every row needs one.
        let isPlain = app.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "_") && !(0x41...0x5A ~= $0) }
        if isPlain, !app.hasSuffix(".desktop") { return app }
        var name = app.lowercased()
        // Some programs have `.desktop` at the end of their own name.
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

/// The categories of apps and sites, as in Apple's picker.
package enum Category: String, Codable, Sendable, CaseIterable {
    case social
    case games
    case entertainment
    case creativity
    case productivity
    case education
    case informationReading = "information-reading"
    case healthFitness = "health-fitness"
    case utilities
    case shoppingFood = "shopping-food"
    case travel
    case other

    /// The name in a language such as `en` or `ko_KR.UTF-8`.
    package func name(language: String = "en") -> String {
        let words = DisplayLanguage(of: language)
        return switch self {
        case .social: words.text("category.social", "Social")
        case .games: words.text("category.games", "Games")
        case .entertainment: words.text("category.entertainment", "Entertainment")
        case .creativity: words.text("category.creativity", "Creativity")
        case .productivity: words.text("category.productivity", "Productivity & Finance")
        case .education: words.text("category.education", "Education")
        case .informationReading: words.text("category.information-reading", "Information & Reading")
        case .healthFitness: words.text("category.health-fitness", "Health & Fitness")
        case .utilities: words.text("category.utilities", "Utilities")
        case .shoppingFood: words.text("category.shopping-food", "Shopping & Food")
        case .travel: words.text("category.travel", "Travel")
        case .other: words.text("category.other", "Other")
        }
    }
}
