/// One step of a schema.
///
/// Once released it never changes: a later step corrects it.
package struct Migration: Sendable, Equatable {
    package var name: String
    package var sql: String

    package init(name: String, sql: String) {
        self.name = name
        self.sql = sql
    }

    /// FNV-1a of the SQL: it notices an edit, it does not resist a forger, who could change the table as well.
    var checksum: String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in sql.utf8 {
            hash ^= UInt64(byte)
            hash &*= 0x100_0000_01b3
        }
        return Hexadecimal.text(hash)
    }
}

/// The tables that every service's database has.
package enum StoreMigrations {
    /// Frozen: a database counts its steps, so one put in here later would shift those of every service.
    ///
    /// What these tables need later is a new step at the end of each service's own list.
    package static let base = [
        EventLog.migration, CursorTable.migration, IdempotencyTable.migration, MetaTable.migration,
    ]
}
