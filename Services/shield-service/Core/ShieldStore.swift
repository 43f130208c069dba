import STContracts
import STEngine
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
        AppTable.migration, FactTable.migration, FactTable.listsMigration, StoreTable.migration,
        ChangeTable.migration,
        ShieldHistory.migration, OutputStore.migration,
        RequestTable.migration,
    ]

    static func load(_ database: Database) throws -> ShieldState {
        var state = ShieldState()
        try AppTable.load(into: &state, database)
        try FactTable.load(into: &state, database)
        try StoreTable.load(into: &state, database)
        try ChangeTable.load(into: &state, database)
        try RequestTable.load(into: &state, database)
        return state
    }
}
