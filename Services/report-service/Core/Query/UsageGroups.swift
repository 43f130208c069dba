import STCPublicSuffix
import STContracts
import STDomain

/// The groups that form the rows of a report, by their keys.
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
    /// The group of each thing, for one member at one device at a time.
    private var known: [Known] = []
    private var owner: Int64 = 0

    private enum Known {
        case unresolved, excluded
        case group(Int)
    }

    /// If `areHostsApart` is true, the hosts of a site such as `old.reddit.com` are separate.
    init(
        _ wanted: Set<ReportKey>,
        names: ReportNames,
        categories: CategoryNames,
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

    /// Returns `nil` if there is no row: a report by site omits time without a site.
    mutating func group(_ who: Int64, _ thing: Int64) -> Int? {
        if self.owner != who {
            self.owner = who
            known = Array(repeating: .unresolved, count: names.subjects.count + 1)
        }
        let index = Int(thing)
        switch known[index] {
        case .group(let group): return group
        case .excluded: return nil
        case .unresolved:
            let group = make(who, thing)
            known[index] = group.map { .group($0) } ?? .excluded
            return group
        }
    }

    private mutating func make(_ who: Int64, _ thing: Int64) -> Int? {
        let person = names.owner(who)
        let thing = names.subject(thing)
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

/// The registered name of a host, which is how people name the site: `youtube.com` for `m.youtube.com`.
enum SiteName {
    // unsafe: the list is built into the library, and nothing changes it.
    private nonisolated(unsafe) static let list = psl_builtin()

    static func of(_ host: String) -> String {
        // An IP address has no registered part.
        let isAddress = host.utf8.allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ".") }
        guard !isAddress, let name = psl_registrable_domain(list, host) else { return host }
        return String(cString: name)
    }
}

/// The category of a thing: as in the ledger, else the present one.
///
/// Notifications have no category in the ledger.
struct CategoryNames {
    private static let map = CategoryMap()
    private let names: ReportNames
    private let state: ReportState
    /// Created on first use, because most reports group by app and do not need it.
    private var ofApps: [String: String]?

    init(_ names: ReportNames, _ state: ReportState) {
        self.names = names
        self.state = state
    }

    mutating func category(of thing: ReportNames.UsageSubject) -> String? {
        if let category = thing.category { return category }
        guard let app = thing.app else { return nil }
        let ofApps = ofApps ?? Self.find(names)
        self.ofApps = ofApps
        return ofApps[app] ?? state.facts[ReportState.key(app)]?.category
            ?? Self.map.category(ofApp: app).rawValue
    }

    private static func find(_ names: ReportNames) -> [String: String] {
        var found: [String: String] = [:]
        for thing in names.subjects where thing.domain == nil {
            if let app = thing.app, let category = thing.category { found[app] = category }
        }
        return found
    }
}

/// The names of things for people, in one language.
struct UsageLabels {
    private let state: ReportState
    private let language: String?

    init(_ state: ReportState, _ language: String?) {
        self.state = state
        self.language = language
    }

    /// Returns the name of the most specific key.
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
