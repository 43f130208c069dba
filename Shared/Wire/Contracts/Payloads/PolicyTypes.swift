package import STDomain
import STPlatform

/// The reach of a policy over categories.
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
    /// The apps or sites that are exempt from this policy only.
    package var except: [String]

    package init(reach: CategoryReach, categories: [String], except: [String]) {
        self.reach = reach
        self.categories = categories
        self.except = except
    }

    package init(_ policy: CategoryPolicy) {
        let reach: CategoryReach =
            switch policy.reach {
            case .none: .none
            case .specific: .specific
            case .all: .all
            }
        self.init(reach: reach, categories: policy.categories.sorted(), except: policy.except.sorted())
    }

    /// The policy. `nil` for a reach that this version does not recognise.
    package var policy: CategoryPolicy? {
        switch reach {
        case .none: CategoryPolicy(.none, categories: Set(categories), except: Set(except))
        case .specific: CategoryPolicy(.specific, categories: Set(categories), except: Set(except))
        case .all: CategoryPolicy(.all, categories: Set(categories), except: Set(except))
        case .unknown: nil
        }
    }
}

/// The reach of a filter for web content.
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

    package init(_ filter: WebFilter) {
        let reach: FilterReach =
            switch filter.reach {
            case .none: .none
            case .specific: .specific
            case .auto: .auto
            case .all: .all
            }
        self.init(reach: reach, domains: filter.domains.sorted(), except: filter.except.sorted())
    }

    /// The filter. `nil` for a reach that this version does not recognise.
    package var filter: WebFilter? {
        switch reach {
        case .none: WebFilter(.none, domains: Set(domains), except: Set(except))
        case .specific: WebFilter(.specific, domains: Set(domains), except: Set(except))
        case .auto: WebFilter(.auto, domains: Set(domains), except: Set(except))
        case .all: WebFilter(.all, domains: Set(domains), except: Set(except))
        case .unknown: nil
        }
    }
}

/// The shields of one store, by canonical names.
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

    package init(_ shields: StoreShields) {
        self.init(
            apps: shields.apps.sorted(),
            categories: CategoryPolicyBody(shields.categories),
            domains: shields.domains.sorted(),
            domainCategories: CategoryPolicyBody(shields.domainCategories),
            blockedApps: shields.blockedApps.sorted(),
            filter: WebFilterBody(shields.filter)
        )
    }

    /// The shields. `nil` for a policy that this version does not recognise, so that no policy is loosened by mistake.
    package var shields: StoreShields? {
        guard let categories = categories.policy, let domainCategories = domainCategories.policy,
            let filter = filter.filter
        else { return nil }
        return StoreShields(
            apps: Set(apps),
            categories: categories,
            domains: Set(domains),
            domainCategories: domainCategories,
            blockedApps: Set(blockedApps),
            filter: filter
        )
    }
}

/// The ways in which a store shields something.
package enum ShieldCauseKind: String, WireEnum {
    case named
    case category
    case all
    case blocked
    case filter
    case unknown
}

/// A part of one store that shields something.
package struct ShieldCauseBody: WireBody, Codable, Hashable {
    package var app: String
    package var member: String
    package var store: String
    package var way: ShieldCauseKind
    /// The app, the site or the category that the store names.
    package var what: String

    package init(app: String, member: String, store: String, way: ShieldCauseKind, what: String) {
        self.app = app
        self.member = member
        self.store = store
        self.way = way
        self.what = what
    }

    package init(_ cause: ShieldCause) {
        let way: ShieldCauseKind =
            switch cause.kind {
            case .named: .named
            case .category: .category
            case .all: .all
            case .blocked: .blocked
            case .filter: .filter
            }
        self.init(
            app: cause.store.app,
            member: cause.store.member,
            store: cause.store.store,
            way: way,
            what: cause.name
        )
    }

    /// The maximum number of causes in one reply, event or row. There may be thousands of causes, and their names are long.
    package static let namedMax = 20

    /// Returns the named causes in their order, and the number of the others.
    ///
    /// If not all causes fit, those of the built-in rules come first, because they are the person's own.
    package static func first(of causes: [ShieldCauseBody]) -> (causes: [ShieldCauseBody], more: Int64?) {
        guard causes.count > namedMax else { return (causes, nil) }
        let own = causes.filter { $0.app == BuiltInRules.app }
        let others = causes.filter { $0.app != BuiltInRules.app }
        return (Array((own + others).prefix(namedMax)), Int64(causes.count - namedMax))
    }
}

/// A decision about a shield, with its causes and exemptions.
package struct ShieldDecisionBody: WireBody, Codable, Equatable {
    package var isShielded: Bool
    /// The first causes of the shield, even if an exemption lifts it. `more` is the number of the others.
    package var causes: [ShieldCauseBody]
    /// The number of causes that are not named. `nil` if all are named.
    package var more: Int64?
    /// True if the subject is on the list of always-allowed items.
    package var isAlwaysAllowed: Bool
    /// The name of the grant that exempts the subject, such as R7.
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

    package init(_ decision: ShieldDecision) {
        var grant: String?
        if case .grant(let request) = decision.exemption { grant = request }
        let (causes, more) = ShieldCauseBody.first(of: decision.causes.map(ShieldCauseBody.init))
        self.init(
            isShielded: decision.isShielded,
            causes: causes,
            more: more,
            isAlwaysAllowed: decision.exemption == .always,
            grant: grant
        )
    }
}

// The rules use sets, and the wire uses sorted lists. The same policy therefore always has the same bytes.

/// The format of a note in settings. activity-center writes it and shield-service reads it.
extension ShieldNote {
    package static let members: Set<String> = ["rule", "says", "opens_ms", "reason"]

    package var json: JSONValue {
        var members: [String: JSONValue] = ["rule": .string(rule)]
        members["says"] = message.map { .string($0) }
        members["opens_ms"] = opensMs.map { .integer($0) }
        members["reason"] = reason.map { .object($0.members) }
        return .object(members)
    }

    /// Returns `nil` if the value is not a note. Does not check the bounds of the values.
    package init?(_ json: JSONValue) {
        guard case .object(let members) = json, let rule = members["rule"]?.string else { return nil }
        self.init(rule: rule)
        switch members["says"] {
        case nil: break
        case .string(let says)?: self.message = says
        default: return nil
        }
        switch members["opens_ms"] {
        case nil: break
        case .integer(let opensMs)?: self.opensMs = opensMs
        default: return nil
        }
        reason = members["reason"].flatMap(ShieldReason.init)
    }
}

extension ShieldReason {
    fileprivate var members: [String: JSONValue] {
        func length(_ length: Duration) -> JSONValue { .integer(length.ms) }
        return switch self {
        case .limit(let used): ["kind": .string("limit"), "used_ms": length(used)]
        case .sharedLimit(let used): ["kind": .string("shared_limit"), "used_ms": length(used)]
        case .downtime(let hours): ["kind": .string("downtime"), "hours": .string(hours)]
        case .window(let hours): ["kind": .string("window"), "hours": .string(hours)]
        case .break(let used, let rest):
            ["kind": .string("break"), "used_ms": length(used), "rest_ms": length(rest)]
        case .session: ["kind": .string("session")]
        case .goal: ["kind": .string("goal")]
        }
    }

    /// Returns `nil` if a newer version wrote the reason. The shield then names only the rule.
    fileprivate init?(_ json: JSONValue) {
        func length(_ name: String) -> Duration? {
            guard case .integer(let ms)? = json[name], ms >= 0 else { return nil }
            return .milliseconds(ms)
        }
        // The shield shows the hours, so they contain nothing else.
        let hours = json["hours"]?.string.flatMap { text in
            text.utf8.count <= 16 && text.allSatisfy { "0123456789:-".contains($0) } ? text : nil
        }
        switch (json["kind"]?.string, length("used_ms"), length("rest_ms"), hours) {
        case ("limit", let used?, _, _): self = .limit(used)
        case ("shared_limit", let used?, _, _): self = .sharedLimit(used)
        case ("downtime", _, _, let hours?): self = .downtime(hours: hours)
        case ("window", _, _, let hours?): self = .window(hours: hours)
        case ("break", let used?, let rest?, _): self = .break(used: used, rest: rest)
        case ("session", _, _, _): self = .session
        case ("goal", _, _, _): self = .goal
        default: return nil
        }
    }
}
