import STCPublicSuffix
import STContracts
import STDomain

/// What the rows of a report are, by the keys that tell them apart.
struct UsageGroups {
    struct Key: Hashable {
        var app: String?
        var category: String?
        var site: String?
        var member: String?
        var device: String?
    }

    private(set) var keys: [Key] = []
    private let by: (app: Bool, category: Bool, site: Bool, member: Bool, device: Bool)
    private let areHostsApart: Bool
    private let names: ReportNames
    private var categories: CategoryNames
    private var numbers: [Key: Int] = [:]
    /// By thing, for one person at one device at a time.
    private var known: [Known] = []
    private var who: Int64 = 0

    private enum Known {
        case unasked, without
        case group(Int)
    }

    /// Within one site its hosts stand apart, such as `old.reddit.com`.
    init(
        _ wanted: Set<ReportKey>,
        _ names: ReportNames,
        _ categories: CategoryNames,
        areHostsApart: Bool = false
    ) {
        by = (
            wanted.contains(.app), wanted.contains(.category), wanted.contains(.site),
            wanted.contains(.member), wanted.contains(.device)
        )
        self.names = names
        self.categories = categories
        self.areHostsApart = areHostsApart
    }

    /// Nil for what has no row: a report by site leaves out time without a site.
    mutating func group(_ who: Int64, _ thing: Int64) -> Int? {
        if self.who != who {
            self.who = who
            known = Array(repeating: .unasked, count: names.things.count + 1)
        }
        let index = Int(thing)
        switch known[index] {
        case .group(let group): return group
        case .without: return nil
        case .unasked:
            let group = make(who, thing)
            known[index] = group.map { .group($0) } ?? .without
            return group
        }
    }

    private mutating func make(_ who: Int64, _ thing: Int64) -> Int? {
        let person = names.who(who)
        let thing = names.thing(thing)
        if by.site, !by.app, !by.category, thing.domain == nil { return nil }
        let key = Key(
            app: by.app ? thing.app : nil,
            category: by.category ? categories.category(of: thing) : nil,
            site: by.site ? areHostsApart ? thing.domain : thing.domain.map(SiteName.of) : nil,
            member: by.member ? person.member : nil,
            device: by.device ? CoverageReport.id(person.device) : nil
        )
        if let known = numbers[key] { return known }
        keys.append(key)
        numbers[key] = keys.count - 1
        return keys.count - 1
    }
}

/// The name under which a host was registered, as people call the site: `youtube.com` for `m.youtube.com`.
enum SiteName {
    // unsafe: the list that is built into the library; nothing changes it.
    private nonisolated(unsafe) static let list = psl_builtin()

    static func of(_ host: String) -> String {
        // An address of a computer has no part that others could have registered.
        let isAddress = host.utf8.allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ".") }
        guard !isAddress, let name = psl_registrable_domain(list, host) else { return host }
        return String(cString: name)
    }
}

/// The category of a thing: as the ledger had it, else as it is known now.
///
/// Notifications come without one.
struct CategoryNames {
    private static let map = CategoryMap()
    private let names: ReportNames
    private let state: ReportState
    /// Made when it is first needed: most reports tell apps apart.
    private var ofApps: [String: String]?

    init(_ names: ReportNames, _ state: ReportState) {
        self.names = names
        self.state = state
    }

    mutating func category(of thing: ReportNames.Thing) -> String? {
        if let category = thing.category { return category }
        guard let app = thing.app else { return nil }
        let ofApps = ofApps ?? Self.find(names)
        self.ofApps = ofApps
        return ofApps[app] ?? state.facts[ReportState.key(app)]?.category
            ?? Self.map.category(ofApp: app).rawValue
    }

    private static func find(_ names: ReportNames) -> [String: String] {
        var found: [String: String] = [:]
        for thing in names.things where thing.domain == nil {
            if let app = thing.app, let category = thing.category { found[app] = category }
        }
        return found
    }
}

/// What people call things, in a language.
struct UsageLabels {
    private let state: ReportState
    private let language: String?

    init(_ state: ReportState, _ language: String?) {
        self.state = state
        self.language = language
    }

    /// The name of what tells a row apart most closely.
    func label(_ key: UsageGroups.Key) -> String? {
        if let site = key.site { return site }
        if let app = key.app { return name(app: app) }
        if let category = key.category {
            return Category(rawValue: category)?.name(language: language ?? "en") ?? category
        }
        if let member = key.member { return member }
        guard let device = key.device else { return nil }
        return state.devices[device]?.name ?? CoverageReport.name(language)
    }

    func name(app: String) -> String {
        guard let facts = state.facts[ReportState.key(app)] else { return app }
        if let language {
            // `ko_KR.UTF-8` is also `ko_KR` and `ko`.
            let whole = language.split(separator: ".").first.map(String.init) ?? language
            let short = whole.split { $0 == "_" || $0 == "-" }.first.map(String.init) ?? whole
            if let name = facts.names[whole] ?? facts.names[short] { return name }
        }
        return facts.name ?? app
    }
}
