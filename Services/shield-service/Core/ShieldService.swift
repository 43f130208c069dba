import STContracts
package import STEngine

/// Named stores of settings as ManagedSettingsStore has them, and what is shielded by them.
package enum ShieldService {
    /// `language` is that of shields for whoever names none.
    package static func definition(language: String = "en") -> ServiceDefinition<ShieldState> {
        ServiceDefinition(
            name: .shield,
            migrations: ShieldStore.migrations,
            streams: [.policy, .shield],
            load: { try ShieldStore.load($0) },
            begin: { state, change in try ChangeLog.begin(&state, change) },
            routes: SettingsHandlers.routes + DecisionHandlers.routes
                + ShieldShowing(language: language).routes
                + RequestHandlers.routes + OutputRoutes.all(ShieldLog.self),
            subscriptions: [ShieldFollowing.authorization, ShieldFollowing.facts]
        )
    }
}
