import STContracts
package import STEngine

/// Named stores of settings as ManagedSettingsStore has them, and what is shielded by them.
package enum ShieldService {
    package static func definition() -> ServiceDefinition<ShieldState> {
        ServiceDefinition(
            name: .shield,
            migrations: ShieldStore.migrations,
            streams: [.policy],
            load: { try ShieldStore.load($0) },
            begin: { state, change in try ChangeLog.begin(&state, change) },
            routes: SettingsHandlers.routes + DecisionHandlers.routes,
            subscriptions: [ShieldFollowing.authorization, ShieldFollowing.facts]
        )
    }
}
