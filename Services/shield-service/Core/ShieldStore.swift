import STContracts
import STEngine
import STFollowing
import STStore

/// The tables of shield-service: one file for each topic.
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
        AppTable.migration, FactFollowing.facts, FactFollowing.lists, StoreTable.migration,
        ChangeTable.migration,
        ShieldHistory.migration, OutputStore.migration,
        RequestTable.migration,
        Household.migration(
            former: "SELECT name, iif(is_individual, 'individual', '') FROM members ORDER BY rowid",
            table: "members"
        ),
    ]

    static func load(_ database: Database) throws -> ShieldState {
        var state = ShieldState()
        try AppTable.load(into: &state, database)
        state.household = try Household(database)
        state.facts = try FactFollowing.load(database)
        try StoreTable.load(into: &state, database)
        try ChangeTable.load(into: &state, database)
        try RequestTable.load(into: &state, database)
        return state
    }
}
