/// The tables that every service's database has.
package enum StoreMigrations {
    /// Frozen: a database counts its steps, so one put in here later would shift those of every service.
    ///
    /// What these tables need later is a new step at the end of each service's own list.
    package static let base = [
        EventLog.migration, CursorTable.migration, IdempotencyTable.migration, MetaTable.migration,
    ]
}
