import STContracts
package import STEngine
import STFollowing
import STPlatform

/// The ledger of use, and what is watched in it.
package enum ActivityService {
    /// `agents`: who may report; empty means whichever the account runs.
    package static func definition(
        agents: Set<String> = [],
        limits: ActivityLimits = ActivityLimits()
    ) -> ServiceDefinition<ActivityState> {
        ServiceDefinition(
            name: .activity,
            migrations: ActivityStore.migrations,
            streams: [.usage, .activity],
            load: { database in
                var state = try ActivityStore.load(database)
                state.book.countsShielded = limits.countsShielded
                return state
            },
            begin: { state, change in try LedgerUpgrade.begin(&state, change) },
            routes: ledger(agents) + ActivityRoutes.all(limits) + CategoryHandlers.routes,
            subscriptions: [authorization]
        )
    }

    private static func ledger(_ agents: Set<String>) -> [ServiceRoute<ActivityState>] {
        [
            .write(UsageObserve.self) { state, request, context, change in
                try ActivityRules.advance(&state, context, change)
                let reply = try UsageLedger.observe(request, agents: agents, &state, context, change)
                try ActivityTable.save(&state.book, change.database)
                return reply
            },
            .read(UsagePreview.self) { state, request, context in
                try UsagePreviewing.preview(request, state, home: context.bootID)
            },
            .query(UsageList.self) { state, request, _, database in
                try LedgerListing.page(request, state, database)
            },
            .query(UsageSegment.self) { state, request, _, database in
                try SegmentSearch.find(request, state, database)
            },
            .read(UsageNow.self) { state, _, _ in
                UsageNow.Reply(
                    open: state.timelines.values.flatMap(\.open).sorted { $0.segment < $1.segment },
                    agents: state.agents.sorted { $0.key < $1.key }
                        .map { UsageAgent(agent: $0.key, firstWallMs: $0.value) },
                    devices: state.devices.isEmpty ? nil : state.devices
                )
            },
            .query(UsageVerify.self) { _, request, _, database in
                try LedgerCheck.page(request, database)
            },
            .query(UsageNotifications.self) { state, request, _, database in
                try NotificationTable.page(request, state, database)
            },
            .write(UsageImport.self) { state, request, context, change in
                try LedgerImport.take(request, &state, context, change)
            },
            .write(UsageForget.self) { state, request, _, change in
                let reply = try LedgerForget.forget(request, &state, change)
                try ActivityTable.save(&state.book, change.database)
                return reply
            },
        ]
    }

    /// Whose time is counted, and which apps may watch it, is auth-service's to say.
    private static var authorization: Subscription<ActivityState> {
        Subscription(
            source: .auth,
            stream: .authorization,
            reset: { state, change in
                try state.household.forget(change.database)
            },
            apply: { state, event, change in
                switch event.header.type {
                case MemberAdded.type: _ = try state.household.take(event, change.database)
                case AuthorizationChanged.type:
                    let word = try event.decoded(AuthorizationChanged.self)
                    if word.status == .approved, word.access { return }
                    try ActivityRules.forget(app: word.app, member: word.member, .revoked, &state, change)
                case AppRemoved.type:
                    let app = try event.decoded(AppRemoved.self).app
                    try ActivityRules.forget(app: app, member: nil, .removed, &state, change)
                default: break
                }
            },
            reached: { $0.household.isWhole = true }
        )
    }
}
