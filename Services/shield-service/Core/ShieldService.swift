import STContracts
package import STEngine
import STFollowing
import STStore

/// The service of named stores as in `ManagedSettingsStore`, the shields that they cause, and requests for more time.
package enum ShieldService {
    /// Returns the definition of the service. `language` applies to shields whose request names none.
    package static func definition(language: String = "en") -> ServiceDefinition<ShieldState> {
        ServiceDefinition(
            name: .shield,
            migrations: ShieldStore.migrations,
            streams: [.policy, .shield],
            passing: [.shield: [ShieldShown.type, ShieldRedacted.type, RequestChanged.type]],
            load: { try ShieldStore.load($0) },
            begin: { state, change in try ChangeLog.begin(&state, change) },
            routes: ShieldRoutes.all + [RequestSharing.route, RequestRules.follow]
                + ShieldPresentation(language: language).routes
                + OutputRoutes.all(ShieldLog.self),
            subscriptions: [ShieldFollowing.authorization, ShieldFollowing.facts, ShieldFollowing.decisions]
        )
    }
}

/// The migrations in their order, and the state that the tables contain.
enum ShieldStore {
    static let migrations = [
        Migration(
            name: "stores",
            sql: """
                CREATE TABLE stores (
                    app TEXT NOT NULL, store TEXT NOT NULL, version INTEGER NOT NULL, settings BLOB NOT NULL,
                    PRIMARY KEY (app, store)
                ) STRICT;
                """
        ),
        AppTable.migration, SubjectFactStore.facts, SubjectFactStore.lists, StoreTable.migration,
        ChangeTable.migration,
        ShieldHistory.migration, OutputStore.migration,
        RequestTable.migration,
        Household.migration(
            former: "SELECT name, iif(is_individual, 'individual', '') FROM members ORDER BY rowid",
            table: "members"
        ),
        ShieldHistory.countsMigration, Household.accountsMigration, AgreedSettings.migration,
    ]

    static func load(_ database: Database) throws -> ShieldState {
        var state = ShieldState()
        try AppTable.load(into: &state, database)
        state.household = try Household(database)
        state.facts = try SubjectFactStore.load(database)
        try StoreTable.load(into: &state, database)
        try ChangeTable.load(into: &state, database)
        try RequestTable.load(into: &state, database)
        state.agreedSettings = try AgreedSettings(database)
        return state
    }
}
