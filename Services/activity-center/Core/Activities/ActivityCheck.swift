package import STContracts
package import STDomain
import STPlatform

/// Checks requests for activities, and rejects those that cannot be watched.
enum ActivityCheck {
    static func checkName(_ text: String, _ field: String) throws {
        guard !text.isEmpty, text.utf8.count <= ActivityLimits.nameBytesMax, text.isPlain else {
            throw Problem(
                "activity.bad_name",
                """
                A name must be 1 to \(ActivityLimits.nameBytesMax, "bytes") bytes long and must not contain \
                control characters.
                """,
                field: field
            )
        }
    }

    static func checkRoom(for key: ActivityKey, in book: WatchedActivities, _ limits: ActivityLimits) throws {
        guard book[key] == nil else { return }
        // `RuleState.activitiesMax` is a lower limit for the activities of rules.
        let max = key.app == BuiltInRules.app ? ActivityLimits.activitiesMax : limits.activitiesPerApp
        guard book.all(ofApp: key.app).count < max else {
            throw Problem(
                "activity.excessive_activities",
                """
                \(key.app, "app") already monitors \(max, "most") activities, which is the limit for an app \
                and its extensions. Stop one of them, or raise activities_max in [activity-center].
                """,
                field: "/activity",
                details: ["limit": String(max)]
            )
        }
        guard book.activities.count < ActivityLimits.activitiesMax else {
            throw Problem(
                "activity.excessive_activities",
                """
                All apps together already monitor \(ActivityLimits.activitiesMax, "most") activities, which \
                is the limit. Stop some of them.
                """,
                key: "activity.excessive_activities.all-apps-together",
                field: "/activity"
            )
        }
    }

    static func checkedEvents(_ specs: [ActivityEventSpec], _ checked: AuthCheck.Reply?, warning: Duration?)
        throws -> [WatchedEvent]
    {
        guard specs.count <= ActivityLimits.eventsPerActivityMax else {
            throw Problem(
                "activity.too_many_events",
                "An activity can have at most \(ActivityLimits.eventsPerActivityMax, "most") events.",
                field: "/events"
            )
        }
        var names: Set<String> = []
        var tokens = (checked?.items ?? [])[...]
        return try specs.enumerated().map { index, spec in
            let field = "/events/\(index)"
            try checkName(spec.name, "\(field)/name")
            guard names.insert(spec.name).inserted else {
                throw Problem(
                    "activity.event_twice",
                    "Two events are called \(spec.name, "name"); give each its own name.",
                    field: "\(field)/name"
                )
            }
            return try checkedEvent(spec, field: field, warning: warning, tokens: &tokens)
        }
    }

    /// Returns the tokens in the order in which they are sent to auth-service, and in which its replies are used.
    static func tokens(of specs: [ActivityEventSpec]) -> [String] {
        specs.flatMap(\.targets).compactMap(\.token)
    }

    private static func checkedEvent(
        _ spec: ActivityEventSpec,
        field: String,
        warning: Duration?,
        tokens: inout ArraySlice<TokenItem>
    ) throws -> WatchedEvent {
        guard spec.targets.count <= ActivityLimits.targetsPerEventMax else {
            throw Problem(
                "activity.too_many_targets",
                "An event can count at most \(ActivityLimits.targetsPerEventMax, "most") apps, categories and sites.",
                field: "\(field)/targets"
            )
        }
        if let restMs = spec.restMs, !ActivityLimits.restMs.contains(restMs) {
            throw Problem(
                "activity.bad_rest",
                """
                A break must last from \
                \(TextFormat.exactDuration(ms: ActivityLimits.restMs.lowerBound), "exactDuration") to \
                \(TextFormat.exactDuration(ms: ActivityLimits.restMs.upperBound), "exactDuration2").
                """,
                field: "\(field)/rest_ms"
            )
        }
        var apps: Set<String> = []
        var categories: Set<String> = []
        var domains: Set<String> = []
        for (place, target) in spec.targets.enumerated() {
            let item = try resolvedItem(target, field: "\(field)/targets/\(place)", tokens: &tokens)
            switch item.kind {
            case .application: apps.insert(item.id)
            case .category:
                categories.insert(try checkedCategory(item.id, "\(field)/targets/\(place)").rawValue)
            case .domain: domains.insert(item.id)
            case .unknown: _ = try item.kind.required("\(field)/targets/\(place)/kind")
            }
        }
        let budget = Budget(
            target: BudgetTarget(apps: apps, categories: categories, domains: domains),
            thresholdMs: try spec.threshold.thresholdMs(field: "\(field)/threshold"),
            warningMs: warning?.ms,
            includesPast: spec.includesPastActivity
        )
        try budget.check(field: field)
        return WatchedEvent(spec: spec, budget: budget)
    }

    static func checkedCategory(_ id: String, _ field: String) throws -> Category {
        if let category = Category(rawValue: id) { return category }
        throw ItemCheck.unknownCategory(id, field)
    }

    private static func resolvedItem(
        _ target: ActivityTarget,
        field: String,
        tokens: inout ArraySlice<TokenItem>
    ) throws -> TokenItem {
        if target.token != nil {
            guard let item = tokens.popFirst() else {
                throw Problem(
                    "token.unknown",
                    "auth-service did not return the app, category or site that this token represents.",
                    field: field
                )
            }
            return item
        }
        guard let id = target.id else {
            throw Problem(
                "activity.bad_target",
                "A target must have a `token` or an `id`.",
                field: field
            )
        }
        try checkName(id, "\(field)/id")
        return TokenItem(kind: target.kind, id: id)
    }
}

/// The limits on activities. The defaults are Apple's, unless the configuration changes them.
package struct ActivityLimits: Sendable, Equatable {
    /// Upper bound on the activities of one app and its extensions together.
    package var activitiesPerApp = 20
    package var schedule = ScheduleLimits()
    package var mode = ScheduleMode.wallClock
    /// True if time in front of a shield counts as use of the covered app, as on a phone.
    package var countsShielded = false
    /// True on a protected computer: a gap in a child's active use counts as use of an unknown app.
    package var isProtected = false
    package var faults: [PhoneFault] = []

    static let eventsPerActivityMax = 200
    static let targetsPerEventMax = 1_000
    static let nameBytesMax = 256
    static let restMs: ClosedRange<Int64> = 1_000...86_400_000
    /// Upper bound on all activities of all apps, so that a pass over them stays fast.
    static let activitiesMax = 2_000

    package init() {}
}
