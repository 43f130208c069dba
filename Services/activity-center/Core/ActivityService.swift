import STContracts
package import STEngine
import STPlatform

/// The ledger of use.
package enum ActivityService {
    package static func definition() -> ServiceDefinition<ActivityState> {
        ServiceDefinition(
            name: .activity,
            migrations: ActivityStore.migrations,
            streams: [.usage],
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
            ],
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
                try ActivityStore.forgetMembers(change.database)
            },
            apply: { state, event, change in
                guard event.header.type == MemberAdded.type else { return }
                let member = try event.decoded(MemberAdded.self)
                state.members.insert(member.name)
                try ActivityStore.insert(member: member.name, change.database)
            }
        )
    }
}
