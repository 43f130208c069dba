import STContracts
package import STEngine
import STPlatform

/// The ledger of use.
package enum ActivityService {
    /// `agents`: who may report; empty means whichever the account runs.
    package static func definition(agents: Set<String> = []) -> ServiceDefinition<ActivityState> {
        ServiceDefinition(
            name: .activity,
            migrations: ActivityStore.migrations,
            streams: [.usage],
            load: { try ActivityStore.load($0) },
            begin: { state, change in try LedgerUpgrade.begin(&state, change) },
            routes: [
                .write(UsageObserve.self) { state, request, context, change in
                    try UsageLedger.observe(request, agents: agents, &state, context, change)
                },
                .query(UsageList.self) { _, request, _, database in
                    try LedgerStore.page(after: request.next, limit: request.limit, database)
                },
                .read(UsageNow.self) { state, _, _ in
                    UsageNow.Reply(
                        open: state.timelines.values.flatMap(\.open).sorted { $0.segment < $1.segment },
                        agents: state.agents.sorted { $0.key < $1.key }
                            .map { UsageAgent(agent: $0.key, firstWallMs: $0.value) }
                    )
                },
                .query(UsageVerify.self) { _, request, _, database in
                    try LedgerCheck.page(request, database)
                },
                .write(UsageForget.self) { state, request, _, change in
                    try LedgerForget.forget(request, &state, change)
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
                state.owner = nil
                try ActivityStore.forgetMembers(change.database)
            },
            apply: { state, event, change in
                guard event.header.type == MemberAdded.type else { return }
                let member = try event.decoded(MemberAdded.self)
                state.add(member)
                try ActivityStore.insert(member, change.database)
            }
        )
    }
}
