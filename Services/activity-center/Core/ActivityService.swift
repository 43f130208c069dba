package import STContracts
package import STEngine
import STFollowing

/// Defines activity-center: the ledger of usage, with the activities, rules and categories that depend on it.
package enum ActivityService {
    /// `agents`: the agents that may report. If empty, every agent of this account may. `services`: the services whose history is
    /// kept here. `language`: the language of the rules' notices.
    package static func definition(
        agents: Set<String> = [],
        services: [ServiceName] = ServiceName.all,
        limits: ActivityLimits = ActivityLimits(),
        language: String = "en"
    ) -> ServiceDefinition<ActivityState> {
        ServiceDefinition(
            name: .activity,
            migrations: ActivityTables.migrations,
            streams: [.usage, .activity, .decision],
            passing: [
                .activity: [
                    IntervalStarted.type, IntervalEnded.type, IntervalWillStart.type, IntervalWillEnd.type,
                    ThresholdReached.type, ThresholdWarning.type,
                ]
            ],
            retold: [LedgerTable.rebuiltEvents, NotificationTable.rebuiltEvents],
            upgrade: LedgerUpgrade.move,
            load: { database in
                var state = try ActivityTables.load(database)
                state.activities.countsShielded = limits.countsShielded
                state.limits = limits
                state.rules.strings = NoticeStrings(language: language)
                return state
            },
            begin: { state, change in
                try LedgerUpgrade.begin(&state, change)
                try RuleTables.copyFormerRules(&state, change)
            },
            save: ActivityTables.save,
            routes: ActivityRoutes.all(agents) + RemoteUsageTracker.routes + CategoryRoutes.all
                + RuleRoutes.all
                + [RuleRoutes.follow],
            subscriptions: [authorization] + services.filter { $0 != .activity }.map(history),
            remember: { line, state, change in try state.history.append(line, change) }
        )
    }

    /// Adds the history lines of another service to the one chain.
    private static func history(of service: ServiceName) -> Subscription<ActivityState> {
        Subscription(
            source: service,
            stream: .history(of: service),
            // Earlier lines remain. After a rebuild, the service sends the same lines again.
            reset: { _, _ in },
            apply: { state, event, change in try state.history.append(event, of: service, change) }
        )
    }

    /// Follows auth-service for the members whose time counts, and for the apps that may watch it.
    private static var authorization: Subscription<ActivityState> {
        Subscription(
            source: .auth,
            stream: .authorization,
            reset: { state, change in
                try state.household.removeAll(change.database)
            },
            apply: { state, event, change in
                switch event.header.type {
                case MemberAdded.type: try state.household.apply(event, change.database)
                case MemberRemoved.type:
                    try state.household.apply(event, change.database)
                    try RuleSteps.removeMember(
                        try event.decoded(MemberRemoved.self).name,
                        state: &state,
                        change: change
                    )
                case AuthorizationChanged.type:
                    let word = try event.decoded(AuthorizationChanged.self)
                    if word.status == .approved, word.access { return }
                    try ActivityRules.stopAll(
                        app: word.app,
                        member: word.member,
                        .revoked,
                        state: &state,
                        change: change
                    )
                case AppRemoved.type:
                    let app = try event.decoded(AppRemoved.self).app
                    try ActivityRules.stopAll(app: app, member: nil, .removed, state: &state, change: change)
                default: break
                }
            },
            reached: { $0.household.isComplete = true }
        )
    }
}
