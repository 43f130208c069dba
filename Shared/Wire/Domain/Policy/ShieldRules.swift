/// The stores of one member that are in force, with an index of the names in them.
///
/// A decision looks up the names of its subject. Its time grows with the number of stores that shield the subject, not with the
/// number of stores. Changing a store costs time in proportion to its size.
package struct ShieldRules: Sendable {
    package private(set) var stores: [StoreName: StoreShields] = [:]
    private var index = ShieldIndex()

    package init() {}

    /// Sets the shields of a store. `nil` takes the store out of force.
    package mutating func set(_ name: StoreName, _ shields: StoreShields?) {
        if let old = stores[name] {
            guard old != shields else { return }
            index.remove(name, old)
        }
        stores[name] = shields
        if let shields { index.add(name, shields) }
    }

    /// All causes that shield something, ordered by the app and the name of the store.
    package func causes(of thing: ClassifiedSubject) -> ShieldIndex.Found { index.find(thing) }
}

extension ShieldRules: Equatable {
    /// Compares only the stores, because the index is derived from them.
    package static func == (left: ShieldRules, right: ShieldRules) -> Bool { left.stores == right.stores }
}

/// The decision about an app or site: shielded or not, with the causes and the exemption.
package struct ShieldDecision: Sendable, Hashable {
    /// A reason why something may be used although stores shield it.
    package enum Exemption: Sendable, Hashable {
        /// The always-allowed list contains it.
        case always
        /// More time was granted, by the request of this name.
        case grant(String)
    }

    package var isShielded: Bool
    /// All causes, even if an exemption overrides them.
    package var causes: [ShieldCause]
    package var exemption: Exemption?

    package init(isShielded: Bool, causes: [ShieldCause], exemption: Exemption? = nil) {
        self.isShielded = isShielded
        self.causes = causes
        self.exemption = exemption
    }

    package static let allowed = ShieldDecision(isShielded: false, causes: [])
}

/// The part of one store that shields something.
package struct ShieldCause: Sendable, Hashable {
    package enum Way: String, Sendable {
        /// The store names the app or site itself.
        case named
        /// The store names its category.
        case category
        /// The store shields all categories.
        case all
        /// The store's setting `application.blockedApplications` names the app.
        case blocked
        /// The web content filter blocks the site.
        case filter

        /// The precedence if one store shields a thing in several ways.
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

    /// The name used for a policy over all categories or all sites.
    package static let everything = "all"

    package var store: StoreName
    package var kind: Way
    /// The app, site or category that the store names.
    package var name: String

    package init(store: StoreName, way: Way, what: String) {
        self.store = store
        self.kind = way
        self.name = what
    }
}

/// The subject of a decision: an app, and the site open in it, each with its category.
package struct ClassifiedSubject: Sendable, Hashable {
    package var app: String?
    package var category: String?
    package var domain: String?
    /// The site's category. `nil` if no list and no person has given it one.
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

/// The text that a rule adds to its shields.
package struct ShieldNote: Sendable, Hashable {
    /// The maximum length of a rule's name.
    package static let ruleBytesMax = 64
    /// The maximum length of a person's text with names filled in, with room for the text that the system adds.
    package static let messageBytesMax = 700

    /// The rule's name.
    package var rule: String
    /// The person's own text.
    package var message: String?
    /// The wall time at which the app opens again. `nil` if it is unknown.
    package var opensMs: Int64?
    /// `nil` if an older version wrote the note.
    package var reason: ShieldReason?

    package init(
        rule: String,
        says: String? = nil,
        opensMs: Int64? = nil,
        reason: ShieldReason? = nil
    ) {
        self.rule = rule
        self.message = says
        self.opensMs = opensMs
        self.reason = reason
    }

    /// The moment at which the last of several shields opens. `nil` if a note has no moment.
    package static func opensMs(_ notes: [ShieldNote?]) -> Int64? {
        let moments = notes.map { $0?.opensMs }
        return moments.contains(nil) ? nil : moments.compactMap(\.self).max()
    }
}

/// The reason for a rule's shield, which the shield states in its reader's language.
package enum ShieldReason: Sendable, Hashable {
    /// The time for one app or site is used up.
    case limit(Duration)
    /// The time for several apps, sites or categories together is used up.
    case sharedLimit(Duration)
    /// The hours, such as `22:00-06:00`.
    case downtime(hours: String)
    case window(hours: String)
    case `break`(used: Duration, rest: Duration)
    case session
    case goal
}
