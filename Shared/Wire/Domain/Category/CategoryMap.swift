import STPlatform

/// Which category an app or a site belongs to.
///
/// What a person said comes first, then the lists that people added, then the list that comes with the system, and of
/// apps what their desktop entries say.
package struct CategoryMap: Sendable, Equatable {
    /// Who says what something is for.
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

    /// Entries of a person's own, of apps and of sites each.
    package static let entriesMax = 1000

    /// Both say what is different from the list that comes with the system.
    package init(apps: [String: Category] = [:], domains: [String: Category] = [:]) {
        self.apps = [:]
        self.domains = [:]
        for (app, category) in apps.sorted(by: { $0.key < $1.key }) { set(app: app, category) }
        for (domain, category) in domains.sorted(by: { $0.key < $1.key }) { set(domain: domain, category) }
    }

    /// Nil goes back to what is known otherwise; false, and nothing is done, where the map is full.
    @discardableResult
    package mutating func set(app: String, _ category: Category?) -> Bool {
        Self.set(Self.normal(app: app), category, in: &apps)
    }

    @discardableResult
    package mutating func set(domain: String, _ category: Category?) -> Bool {
        Self.set(DomainName.shown(domain), category, in: &domains)
    }

    /// `other` for an app that nothing is known about.
    package func category(ofApp app: String) -> Category { find(app: app)?.category ?? .other }

    /// Nil for a site that no list and no person has put into one.
    ///
    /// What is known of a part of a site goes before what is known of the whole.
    package func category(ofDomain domain: String) -> Category? { find(domain: domain)?.category }

    /// The category of exactly this name, and not of the site that it is part of.
    package func category(ofVery name: String) -> Category? { find(very: name)?.category }

    /// The category of what is in front: the site's where it is known, as a browser shows everything, else the app's.
    package func category(app: String?, domain: String?) -> Category {
        domain.flatMap(category(ofDomain:)) ?? app.map(category(ofApp:)) ?? .other
    }

    /// Nil for an app that nothing is known about.
    package func find(app: String) -> (category: Category, source: Source)? {
        let name = Self.normal(app: app)
        if let category = apps[name] { return (category, .person) }
        if let category = KnownApps.categories[name] { return (category, .known) }
        if let category = desktop.apps[name]?.category { return (category, .desktop) }
        // Windows of games that Steam runs for Windows are called by their number alone.
        return name.hasPrefix("steam_app_") ? (.games, .known) : nil
    }

    package func find(domain: String) -> (category: Category, source: Source)? {
        DomainName.first(for: domain, find(very:))
    }

    private func find(very name: String) -> (category: Category, source: Source)? {
        if let category = domains[name] { return (category, .person) }
        if let found = lists.exact(name) { return (found.category, .added(found.list)) }
        return KnownDomains.categories[name].map { ($0, .known) }
    }

    /// The name of a desktop entry however a desktop spells it: `Firefox`, `firefox.desktop`, `firefox_firefox`.
    package static func normal(app: String) -> String {
        // Nearly all names, which are asked for at every row.
        let isPlain = app.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "_") && !(0x41...0x5A ~= $0) }
        if isPlain, !app.hasSuffix(".desktop") { return app }
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

/// What apps and sites are for: the list that Apple's picker shows.
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

    /// In a language such as `en` or `ko_KR.UTF-8`.
    package func name(language: String = "en") -> String {
        let words = WordLanguage(of: language)
        return switch self {
        case .social: words.say("category.social", "Social")
        case .games: words.say("category.games", "Games")
        case .entertainment: words.say("category.entertainment", "Entertainment")
        case .creativity: words.say("category.creativity", "Creativity")
        case .productivity: words.say("category.productivity", "Productivity & Finance")
        case .education: words.say("category.education", "Education")
        case .informationReading: words.say("category.information-reading", "Information & Reading")
        case .healthFitness: words.say("category.health-fitness", "Health & Fitness")
        case .utilities: words.say("category.utilities", "Utilities")
        case .shoppingFood: words.say("category.shopping-food", "Shopping & Food")
        case .travel: words.say("category.travel", "Travel")
        case .other: words.say("category.other", "Other")
        }
    }
}
