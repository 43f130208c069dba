import STContracts

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
    private let wanted: Set<ReportKey>
    private let names: ReportNames
    private var categories: CategoryNames
    private var numbers: [Key: Int] = [:]
    /// By thing, for one person at one device at a time.
    private var known: [Int64: Int?] = [:]
    private var who: Int64 = 0

    init(_ wanted: Set<ReportKey>, _ names: ReportNames, _ categories: CategoryNames) {
        self.wanted = wanted
        self.names = names
        self.categories = categories
    }

    /// Nil for what has no row: time without a site is none of a report by site.
    mutating func group(_ who: Int64, _ thing: Int64) -> Int? {
        if self.who != who {
            self.who = who
            known = [:]
        }
        if let group = known[thing] { return group }
        let group = make(who, thing)
        known[thing] = .some(group)
        return group
    }

    private mutating func make(_ who: Int64, _ thing: Int64) -> Int? {
        let person = names.who(who)
        let thing = names.thing(thing)
        let isBySiteAlone = wanted.contains(.site) && !wanted.contains(.app) && !wanted.contains(.category)
        if isBySiteAlone, thing.domain == nil { return nil }
        let key = Key(
            app: wanted.contains(.app) ? thing.app : nil,
            category: wanted.contains(.category) ? categories.category(of: thing) : nil,
            site: wanted.contains(.site) ? thing.domain : nil,
            member: wanted.contains(.member) ? person.member : nil,
            device: wanted.contains(.device) ? CoverageReport.id(person.device) : nil
        )
        if let known = numbers[key] { return known }
        keys.append(key)
        numbers[key] = keys.count - 1
        return keys.count - 1
    }
}
