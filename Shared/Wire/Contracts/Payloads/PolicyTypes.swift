/// How far a policy over categories reaches.
package enum CategoryReach: String, WireEnum {
    case none
    case specific
    case all
    case unknown
}

/// A policy over categories, by canonical names.
package struct CategoryPolicyBody: WireBody, Codable, Equatable {
    package var reach: CategoryReach
    package var categories: [String]
    /// Apps or sites exempt from this policy alone.
    package var except: [String]

    package init(reach: CategoryReach, categories: [String], except: [String]) {
        self.reach = reach
        self.categories = categories
        self.except = except
    }
}

/// How far a filter for web content reaches.
package enum FilterReach: String, WireEnum {
    case none
    case specific
    case auto
    case all
    case unknown
}

package struct WebFilterBody: WireBody, Codable, Equatable {
    package var reach: FilterReach
    package var domains: [String]
    package var except: [String]

    package init(reach: FilterReach, domains: [String], except: [String]) {
        self.reach = reach
        self.domains = domains
        self.except = except
    }
}

/// What one store shields, by canonical names.
package struct StoreShieldsBody: WireBody, Codable, Equatable {
    package var apps: [String]
    package var categories: CategoryPolicyBody
    package var domains: [String]
    package var domainCategories: CategoryPolicyBody
    package var blockedApps: [String]
    package var filter: WebFilterBody

    package init(
        apps: [String],
        categories: CategoryPolicyBody,
        domains: [String],
        domainCategories: CategoryPolicyBody,
        blockedApps: [String],
        filter: WebFilterBody
    ) {
        self.apps = apps
        self.categories = categories
        self.domains = domains
        self.domainCategories = domainCategories
        self.blockedApps = blockedApps
        self.filter = filter
    }
}

/// In which way a store shields something.
package enum ShieldWay: String, WireEnum {
    case named
    case category
    case all
    case blocked
    case filter
    case unknown
}

/// What of one store shields something.
package struct ShieldCauseBody: WireBody, Codable, Hashable {
    package var app: String
    package var member: String
    package var store: String
    package var way: ShieldWay
    /// The app, the site or the category that the store names.
    package var what: String

    package init(app: String, member: String, store: String, way: ShieldWay, what: String) {
        self.app = app
        self.member = member
        self.store = store
        self.way = way
        self.what = what
    }
}

/// Whether something is shielded, by whom, and what exempts it.
package struct ShieldDecisionBody: WireBody, Codable, Equatable {
    package var isShielded: Bool
    /// All that shield it, also where an exemption lifts that.
    ///
    /// The first of them; `more` counts the others.
    package var causes: [ShieldCauseBody]
    /// Causes that are not named; nil when all are.
    package var more: Int64?
    /// Whether it is on the list of what is always allowed.
    package var isAlwaysAllowed: Bool
    /// The request that was granted for it, such as R7.
    package var grant: String?

    package init(
        isShielded: Bool,
        causes: [ShieldCauseBody],
        more: Int64? = nil,
        isAlwaysAllowed: Bool,
        grant: String? = nil
    ) {
        self.isShielded = isShielded
        self.causes = causes
        self.more = more
        self.isAlwaysAllowed = isAlwaysAllowed
        self.grant = grant
    }
}
