/// What a built-in rule is about.
package enum RuleKind: String, WireEnum {
    /// So much use a day.
    case limit
    /// A time of the day without the computer.
    case downtime
    /// Used at this time of the day only.
    case window
    /// So much use of one thing opens another.
    case goal
    /// Never in the way of anything.
    case allow
    case unknown
}

/// What happens when a rule is broken or met.
package enum RuleConsequence: String, WireEnum {
    case notify, shield, unknown
}

/// A part of the day, `21:30` to `07:00`; one that ends before it starts ends on the next day.
package struct RuleWindow: WireBody, Codable, Equatable, Hashable {
    package var from: String
    package var to: String

    package init(from: String, to: String) {
        self.from = from
        self.to = to
    }
}

/// A rule as somebody asks for it.
package struct RuleSpec: WireBody, Codable, Equatable {
    package var kind: RuleKind
    /// Made from what it is about when absent.
    package var name: String?
    /// Nil is the owner of this computer.
    package var member: String?
    package var targets: [TokenItem]
    package var durationMs: Int64?
    package var window: RuleWindow?
    /// 1 is Sunday; absent or empty is every day.
    package var days: [Int]?
    /// What a goal opens.
    package var opens: [TokenItem]?
    package var then: RuleConsequence?
    /// How long before the moment it warns.
    package var warnMs: Int64?
    /// The person's own words, with `{app}`, `{used}`, `{left}` and `{limit}`.
    package var say: String?

    package init(
        kind: RuleKind,
        name: String? = nil,
        member: String? = nil,
        targets: [TokenItem] = [],
        durationMs: Int64? = nil,
        window: RuleWindow? = nil,
        days: [Int]? = nil,
        opens: [TokenItem]? = nil,
        then: RuleConsequence? = nil,
        warnMs: Int64? = nil,
        say: String? = nil
    ) {
        self.kind = kind
        self.name = name
        self.member = member
        self.targets = targets
        self.durationMs = durationMs
        self.window = window
        self.days = days
        self.opens = opens
        self.then = then
        self.warnMs = warnMs
        self.say = say
    }
}

/// A rule as it stands.
package struct RuleView: WireBody, Codable, Equatable {
    /// Stays when the name changes: it is the name under which activity-center watches for this rule.
    package var id: String
    /// Its name and member are never absent here.
    package var rule: RuleSpec
    package var addedAt: String
    package var pausedUntil: String?
    /// The time it applies to, under way or the next, as a person means it; nil for what always applies.
    package var interval: IntervalSpan?
    /// The same in words, beginning with `now:` or `next:`.
    package var when: String?
    /// Whether activity-center has taken it up.
    package var isWatched: Bool
    /// Why it has not.
    package var problem: String?
    /// Whether its shield is up.
    package var isShielding: Bool?
    /// A change that waits, because it makes the rule looser.
    package var pending: PendingChange?

    package init(
        id: String,
        rule: RuleSpec,
        addedAt: String,
        pausedUntil: String?,
        interval: IntervalSpan?,
        when: String?,
        isWatched: Bool,
        problem: String?,
        isShielding: Bool? = nil,
        pending: PendingChange? = nil
    ) {
        self.id = id
        self.rule = rule
        self.addedAt = addedAt
        self.pausedUntil = pausedUntil
        self.interval = interval
        self.when = when
        self.isWatched = isWatched
        self.problem = problem
        self.isShielding = isShielding
        self.pending = pending
    }
}

/// The built-in rules as activity-center and the notifier know them: an app like any other.
package enum BuiltInRules {
    package static let app = "screentime.rules"
    /// The event of a rule that counts its use.
    package static let usedEvent = "used"
    /// Of everything that monitor-runner asks of shield-service for the rules: nobody else changes their stores.
    package static let shieldKeyPrefix = "rule-shield/"
    /// So much can always be allowed to one member.
    package static let allowedMax = 200
}
