import STContracts
package import STEngine
import STPlatform

/// The ledger of use.
package enum ActivityService {
    package static func definition(_ limits: ActivityLimits = ActivityLimits())
        -> ServiceDefinition<ActivityState>
    {
        ServiceDefinition(
            name: .activity,
            migrations: ActivityStore.migrations,
            streams: [.usage, .activity],
            load: { try ActivityStore.load($0) },
            routes: [
                .write(UsageObserve.self) { state, request, _, change in
                    try UsageLedger.observe(request, &state, change)
                },
                .query(UsageList.self) { _, request, _, database in
                    try ActivityStore.rows(after: request.next, limit: request.limit, database)
                },
                .read(UsageNow.self) { state, _, _ in
                    UsageNow.Reply(
                        open: state.timelines.values.compactMap(\.open).sorted { $0.segment < $1.segment }
                    )
                },
            ] + ActivityRoutes.all(limits) + CategoryHandlers.routes,
            subscriptions: [members]
        )
    }

    /// Whose time is counted is auth-service's to say.
    private static var members: Subscription<ActivityState> {
        Subscription(
            source: .auth,
            stream: .authorization,
            reset: { state, change in
                state.members = []
                state.owner = nil
                try ActivityStore.forgetMembers(change.database)
            },
            apply: { state, event, change in
                switch event.header.type {
                case MemberAdded.type:
                    let member = try event.decoded(MemberAdded.self)
                    state.members.insert(member.name)
                    if state.owner == nil { state.owner = member.name }
                    try ActivityStore.insert(member: member.name, change.database)
                case AuthorizationChanged.type:
                    let word = try event.decoded(AuthorizationChanged.self)
                    if word.status == .approved, word.access { return }
                    try ActivityRules.forget(app: word.app, member: word.member, .revoked, &state, change)
                case AppRemoved.type:
                    let app = try event.decoded(AppRemoved.self).app
                    try ActivityRules.forget(app: app, member: nil, .removed, &state, change)
                default: break
                }
            }
        )
    }
}
