/// The stores of one member that are in force, and an index of what they name.
///
/// A subject is looked up by what it is called, so the time to decide grows with the stores that shield it and not
/// with those that there are. One store's change costs as much as that store is large.
package struct ShieldRules: Sendable {
    package private(set) var stores: [StoreName: StoreShields] = [:]
    private var index = ShieldIndex()

    package init() {}

    /// Nil takes the store out of force.
    package mutating func set(_ name: StoreName, _ shields: StoreShields?) {
        if let old = stores[name] {
            guard old != shields else { return }
            index.remove(name, old)
        }
        stores[name] = shields
        if let shields { index.add(name, shields) }
    }

    /// All that shields it, by the app and the name of the store.
    package func causes(of thing: ShieldThing) -> ShieldIndex.Found { index.find(thing) }
}

extension ShieldRules: Equatable {
    /// The index follows from the stores.
    package static func == (left: ShieldRules, right: ShieldRules) -> Bool { left.stores == right.stores }
}

/// Whether something is shielded now, by whom, and what exempts it.
package struct ShieldDecision: Sendable, Hashable {
    /// Why something may be used although stores shield it.
    package enum Exemption: Sendable, Hashable {
        /// It is on the list of what is always allowed.
        case always
        /// More time was granted, by the request of this name.
        case grant(String)
    }

    package var isShielded: Bool
    /// All that shield it, also where an exemption lifts that.
    package var causes: [ShieldCause]
    package var exemption: Exemption?

    package init(isShielded: Bool, causes: [ShieldCause], exemption: Exemption? = nil) {
        self.isShielded = isShielded
        self.causes = causes
        self.exemption = exemption
    }

    package static let allowed = ShieldDecision(isShielded: false, causes: [])
}

/// What of one store shields something.
package struct ShieldCause: Sendable, Hashable {
    package enum Way: String, Sendable {
        /// It is named itself.
        case named
        /// Its category is.
        case category
        /// All categories are.
        case all
        /// The app is hidden and may not start.
        case blocked
        /// The filter for web content keeps the site out.
        case filter

        /// Decides between several ways in which one store shields a thing.
        var order: UInt8 {
            switch self {
            case .named: 0
            case .category: 1
            case .all: 2
            case .blocked: 3
            case .filter: 4
            }
        }
    }

    /// What a policy over all categories or all sites names.
    package static let everything = "all"

    package var store: StoreName
    package var way: Way
    /// The app, the site or the category that the store names.
    package var what: String

    package init(store: StoreName, way: Way, what: String) {
        self.store = store
        self.way = way
        self.what = what
    }
}

/// What a person wants to use: an app, and the site open in it, each with its category.
package struct ShieldThing: Sendable, Hashable {
    package var app: String?
    package var category: String?
    package var domain: String?
    /// Nil for a site that no list and no person has put into one.
    package var domainCategory: String?

    package init(
        app: String? = nil,
        category: String? = nil,
        domain: String? = nil,
        domainCategory: String? = nil
    ) {
        self.app = app
        self.category = category
        self.domain = domain.map(DomainName.normal)
        self.domainCategory = domainCategory
    }
}

/// What a rule has to say on the shields that it puts up.
package struct ShieldNote: Sendable, Hashable {
    /// As long as the name of a rule may be.
    package static let ruleBytesMax = 64
    /// All of a person's words with names filled in, and room for what the system adds on a shield.
    package static let saysBytesMax = 700

    /// As the person calls it.
    package var rule: String
    /// The person's own words.
    package var says: String?
    /// By the wall clock; nil when that is unknown.
    package var opensMs: Int64?

    package init(rule: String, says: String? = nil, opensMs: Int64? = nil) {
        self.rule = rule
        self.says = says
        self.opensMs = opensMs
    }

    /// When the last one of several opens; nil where one of them does not say.
    package static func opensMs(_ notes: [ShieldNote?]) -> Int64? {
        let moments = notes.map { $0?.opensMs }
        return moments.contains(nil) ? nil : moments.compactMap(\.self).max()
    }
}
