import STCSQLite
import STPlatform

/// The settings of a connection (engineering.md, 3). Each is set and then read back: SQLite ignores what it cannot do.
extension Database {
    private static let busyTimeoutMs: Int64 = 5_000
    /// The log is cut to this after a checkpoint, so that one large transaction does not hold the space for ever.
    private static let journalSizeLimit: Int64 = 4 << 20

    func configure(_ file: DatabaseFile) throws {
        // Until the file is known to be ours, closing must leave its log alone. A reader never touches it.
        try flag(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
        try flag(SQLITE_DBCONFIG_DEFENSIVE, true)
        try flag(SQLITE_DBCONFIG_DQS_DDL, false)
        try flag(SQLITE_DBCONFIG_DQS_DML, false)
        try set("busy_timeout", Self.busyTimeoutMs)
        try set("trusted_schema", 0)
        try set("cell_size_check", 1)
        try requireOurs()
        try set("foreign_keys", 1)
        try set("synchronous", Int64(options.synchronous.rawValue))
        if options.readOnly {
            try set("query_only", 1)
            try set("wal_autocheckpoint", 0)
            return
        }
        let mode = try first("PRAGMA journal_mode = WAL") { try $0.text(0) }
        guard mode == "wal" else { throw setting("journal_mode", mode) }
        try set("journal_size_limit", Self.journalSizeLimit)
        // What was deleted is overwritten: a person's past must not stay readable in the file.
        try set("secure_delete", 1)
        watchLog()
        if file.wasStoppedUncleanly { try check() }
        try flag(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)
    }

    /// Reads the structure of the whole file.
    ///
    /// Its time grows with the file (150 MB in memory: 50 ms), so it runs only after an unclean stop.
    package func check() throws {
        let finding = try first("PRAGMA quick_check(1)") { try $0.text(0) }
        guard finding == "ok" else { throw StoreProblem.corrupt(path, finding ?? "no result") }
    }

    /// Marks an empty file as ours and refuses one of somebody else, before anything is written to it.
    private func requireOurs() throws {
        let found = try first("PRAGMA application_id") { try $0.int(0) } ?? 0
        guard found != Int64(options.applicationID) else { return }
        let tables = try first("SELECT count(*) FROM sqlite_schema") { try $0.int(0) }
        guard found == 0, tables == 0, !options.readOnly else {
            throw StoreProblem.foreign(path, found: found, expected: options.applicationID)
        }
        try set("application_id", Int64(options.applicationID))
    }

    private func flag(_ option: Int32, _ isOn: Bool) throws {
        let result = st_sqlite_set_flag(try usable(), option, isOn ? 1 : 0)
        guard result == SQLITE_OK else { throw problem(result) }
    }

    private func set(_ name: String, _ value: Int64) throws {
        // A pragma takes no bound values; the names and numbers are constants of this file.
        try execute("PRAGMA \(name) = \(value)")
        let found = try first("PRAGMA \(name)") { try $0.int(0) }
        guard found == value else { throw setting(name, found.map { String($0) }) }
    }

    private func setting(_ name: String, _ found: String?) -> Problem {
        Problem(
            "store.setting",
            "SQLite did not take \(name) for \(path) (it is \(found ?? "unknown")). "
                + "Check that the file is on a local disk and that the distribution's SQLite is installed.",
            details: ["path": path, "setting": name]
        )
    }
}
