package import STDomain

// The rules know sets, the wire knows sorted lists: the same policy is always the same bytes.

extension CategoryPolicyBody {
    package init(_ policy: CategoryPolicy) {
        let reach: CategoryReach =
            switch policy.reach {
            case .none: .none
            case .specific: .specific
            case .all: .all
            }
        self.init(reach: reach, categories: policy.categories.sorted(), except: policy.except.sorted())
    }

    /// Nil for a reach that this version does not know.
    package var policy: CategoryPolicy? {
        switch reach {
        case .none: CategoryPolicy(.none, categories: Set(categories), except: Set(except))
        case .specific: CategoryPolicy(.specific, categories: Set(categories), except: Set(except))
        case .all: CategoryPolicy(.all, categories: Set(categories), except: Set(except))
        case .unknown: nil
        }
    }
}

extension WebFilterBody {
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

    /// Nil for a reach that this version does not know.
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

extension StoreShieldsBody {
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

    /// Whoever does not understand a policy does not loosen it: then it is nil.
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

extension ShieldCauseBody {
    package init(_ cause: ShieldCause) {
        let way: ShieldWay =
            switch cause.way {
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
            what: cause.what
        )
    }
}

extension ShieldCauseBody {
    /// Named in one reply, event or row: there may be thousands, and their names are long.
    package static let namedMax = 20

    /// Those that are named, in the order in which they come, and how many are left out.
    ///
    /// Where not all fit, the built-in rules go first: they are the person's own.
    package static func first(of causes: [ShieldCauseBody]) -> (causes: [ShieldCauseBody], more: Int64?) {
        guard causes.count > namedMax else { return (causes, nil) }
        let own = causes.filter { $0.app == BuiltInRules.app }
        let others = causes.filter { $0.app != BuiltInRules.app }
        return (Array((own + others).prefix(namedMax)), Int64(causes.count - namedMax))
    }
}

extension ShieldDecisionBody {
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
