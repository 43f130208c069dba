import Glibc
import STCSQLite
import STPlatform

/// One connection to one SQLite file.
///
/// Each service stores its state in one such file. A `Database` prepares and caches statements, runs transactions, checkpoints the
/// write-ahead log, and detects changes by other programs. Errors are `Problem`s with a code such as `store.disk_full`.
///
/// ```swift
/// let options = DatabaseOptions(applicationID: StoreMigrations.applicationID)
/// let database = try Database(path: path, options: options)
/// try database.migrate(StoreMigrations.base)
/// try database.transaction {
///     try database.run("INSERT INTO meta(name, value) VALUES (?, ?)", ["zone", "Asia/Seoul"])
/// }
/// let zone = try database.first("SELECT value FROM meta WHERE name = ?", ["zone"]) { try $0.text(0) }
/// try database.close()
/// ```
///
/// A connection belongs to one thread (it is opened `NOMUTEX` and is not `Sendable`). It must be the only connection that writes to
/// or checkpoints its file. With two, SQLite 3.40 can damage the log.
package final class Database {
    package let path: String
    package let options: DatabaseOptions

    private var handle: OpaquePointer?
    /// True while `transaction` runs its closure.
    ///
    /// SQLite ends a transaction by itself on some errors. Code that catches such an error would otherwise continue outside of any
    /// transaction.
    private var expectsTransaction = false
    /// The number of transactions that the next commit will write.
    private var batchedTransactions = 0
    /// Runs before each commit. The owner writes the changes that it has kept in memory until then.
    package var beforeCommit: () throws -> Void = {}
    /// The estimated number of pages of the write-ahead log that are not in the file yet.
    private var logPages: Int32 = 0
    private var cache = StatementCache()
    /// The identity of the open file with its greatest length so far, and the identity of its log.
    private var file: DatabaseFile.FileState?
    private var log: DatabaseFile.FileState?
    /// True if opening replaced the database with a backup.
    package let isRestored: Bool
    /// True if another program changed or removed the file since the last clean close.
    package let isChanged: Bool

    /// Opens the file, creates it if it does not exist, and verifies every setting that its safety depends on.
    package init(path: String, options: DatabaseOptions) throws {
        precondition(options.applicationID != 0, "zero is the application id of any file")
        self.path = path
        self.options = options
        isRestored = options.readOnly ? false : try DatabaseFile.consumeRestoredMark(path)
        let isUnsealed = options.isSealed && DatabaseFile.isUnsealed(path)
        isChanged = isUnsealed && !isRestored
        let file = try DatabaseFile.prepare(path, options)
        let access = options.readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        let result = sqlite3_open_v2(
            path,
            &handle,
            access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
            options.vfs
        )
        guard result == SQLITE_OK else { throw problem(result) }
        try configure(file)
        self.file = DatabaseFile.state(path)
        log = DatabaseFile.state(path + "-wal")
    }

    deinit { release() }

    package var isInTransaction: Bool { handle.map { sqlite3_get_autocommit($0) == 0 } ?? false }

    /// Runs statements without bound values and discards their rows.
    package func execute(_ script: String) throws {
        let handle = try usable()
        let result = sqlite3_exec(handle, script, nil, nil, nil)
        guard result == SQLITE_OK else { throw problem(result, script) }
    }

    /// Runs one statement to its end. Returns the number of rows that it inserted, updated or deleted.
    @discardableResult
    package func run(_ sql: String, _ bindings: [SQLValue] = []) throws -> Int {
        try withStatement(sql, bindings) { statement in
            while try step(statement, sql) {}
            return sqlite3_stmt_readonly(statement.pointer) != 0 ? 0 : Int(sqlite3_changes64(handle))
        }
    }

    /// Returns all rows, each converted to a value.
    @discardableResult
    package func query<Value>(
        _ sql: String,
        _ bindings: [SQLValue] = [],
        value: (borrowing Row) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        try scan(sql, bindings) { row in
            values.append(try value(row))
            return true
        }
        return values
    }

    /// Calls the closure for every row.
    package func query(
        _ sql: String,
        _ bindings: [SQLValue] = [],
        visit: (borrowing Row) throws -> Void
    ) throws {
        try scan(sql, bindings) { row in
            try visit(row)
            return true
        }
    }

    /// Calls the closure for each row until it returns false, so that a page can end in the middle of a result.
    package func scan(
        _ sql: String,
        _ bindings: [SQLValue] = [],
        visit: (borrowing Row) throws -> Bool
    ) throws {
        try withStatement(sql, bindings) { statement in
            while try step(statement, sql) {
                guard try visit(Row(statement.pointer)) else { return }
            }
        }
    }

    /// Returns the first row, or `nil` if there is none. Later rows are not read.
    package func first<Value>(
        _ sql: String,
        _ bindings: [SQLValue] = [],
        value: (borrowing Row) throws -> Value
    ) throws -> Value? {
        try withStatement(sql, bindings) { statement in
            try step(statement, sql) ? try value(Row(statement.pointer)) : nil
        }
    }

    /// Closes cleanly: the main file then contains everything, and the next open need not check it.
    package func close() throws {
        guard handle != nil else { return }
        try commitBatch()
        precondition(!isInTransaction, "a transaction is open")
        defer {
            release()
            if options.isSealed { DatabaseFile.seal(path) }
        }
        if options.readOnly { return }
        let wasBusy = try first("PRAGMA wal_checkpoint(TRUNCATE)") { try $0.bool(0) }
        if wasBusy == true { throw problem(SQLITE_BUSY) }
    }

    /// Returns the connection. Throws if it is closed, or has lost the transaction that its user expects.
    private func usable() throws -> OpaquePointer {
        guard let handle else {
            throw Problem(
                "store.closed",
                "\(path, "path") is closed; the service is stopping.",
                retryable: true
            )
        }
        guard !expectsTransaction || sqlite3_get_autocommit(handle) == 0 else {
            throw Problem(
                "store.transaction_lost",
                "The transaction on \(path, "path") was undone by an earlier error; nothing was changed. Try again.",
                retryable: true
            )
        }
        return handle
    }

    /// Closes by `close_v2`, which cannot fail. A statement that is still being stepped keeps the connection open until it ends.
    private func release() {
        cache.removeAll()
        sqlite3_close_v2(handle)
        handle = nil
    }

    private func step(_ statement: Statement, _ sql: String) throws -> Bool {
        switch sqlite3_step(statement.pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let result: throw problem(result, sql)
        }
    }

    private func withStatement<Value>(
        _ sql: String,
        _ bindings: [SQLValue],
        use: (Statement) throws -> Value
    ) throws -> Value {
        let handle = try usable()
        let statement = try cache.takeIdle(sql) ?? prepare(sql, handle)
        statement.isBusy = true
        defer { statement.reset() }
        let result = statement.bind(bindings)
        guard result == SQLITE_OK else { throw problem(result, sql) }
        return try use(statement)
    }

    private func prepare(_ sql: String, _ handle: OpaquePointer) throws -> Statement {
        var pointer: OpaquePointer?
        var hasMore = false
        let result = sql.withCString { text in
            var tail: UnsafePointer<CChar>?
            let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
            let result = sqlite3_prepare_v3(handle, text, -1, flags, &pointer, &tail)
            hasMore = tail.map { $0.pointee != 0 } ?? false
            return result
        }
        guard result == SQLITE_OK else { throw problem(result, sql) }
        guard let pointer else { throw problem(SQLITE_MISUSE, sql) }
        let statement = Statement(pointer)
        // SQLite would silently ignore anything after the first statement.
        guard !hasMore else { throw problem(SQLITE_MISUSE, sql) }
        cache.store(statement, sql)
        return statement
    }

    // MARK: - Settings

    // Each setting is written and then read back, because SQLite ignores a setting that it does not support.

    private static let busyTimeout = Duration.seconds(5)
    /// The log is truncated to this size after a checkpoint, so that a large transaction does not occupy the space permanently.
    private static let journalSizeLimit: Int64 = 4 << 20

    private func configure(_ file: DatabaseFile) throws {
        // Until the file is verified, closing must not change its log. A reader never changes it.
        try flag(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
        try flag(SQLITE_DBCONFIG_DEFENSIVE, true)
        try flag(SQLITE_DBCONFIG_DQS_DDL, false)
        try flag(SQLITE_DBCONFIG_DQS_DML, false)
        try set("busy_timeout", Self.busyTimeout.ms)
        try set("trusted_schema", 0)
        try set("cell_size_check", 1)
        try requireApplicationID()
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
        if options.transactionsPerCommit > 1 {
            // With the default, SQLite writes the undo data of savepoints to a file once a transaction has many.
            try set("temp_store", 2)
            try set("secure_delete", 0)
        } else {
            // Overwrite deleted data: a person's past must not stay readable in the file.
            try set("secure_delete", 1)
        }
        watchLog()
        if file.wasStoppedUncleanly || isRestored { try check() }
        // Statistics that SQLite collected while a table was small would lead to bad plans for years. Without statistics its plans
        // are those that `StatementTests` checks.
        try execute("DROP TABLE IF EXISTS sqlite_stat1; DROP TABLE IF EXISTS sqlite_stat4")
        try flag(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)
    }

    /// Releases cached pages. Later reads come from the disk, so they detect damage to pages that were in memory.
    package func releaseCache() throws { try execute("PRAGMA shrink_memory") }

    /// Checks the structure of the whole file.
    ///
    /// The duration grows with the file (150 MB in memory: 50 ms), so a check runs only after an unclean stop or a restore.
    package func check() throws {
        let finding = try first("PRAGMA quick_check(1)") { try $0.text(0) }
        guard finding == "ok" else { throw StoreProblem.corrupt(path, finding ?? "no result") }
    }

    /// Marks an empty file as ours, and rejects another program's file before anything is written to it.
    private func requireApplicationID() throws {
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
        // A pragma takes no bound values. The names and numbers are constants of this file.
        try execute("PRAGMA \(name) = \(value)")
        let found = try first("PRAGMA \(name)") { try $0.int(0) }
        guard found == value else { throw setting(name, found.map { String($0) }) }
    }

    private func setting(_ name: String, _ found: String?) -> Problem {
        Problem(
            "store.setting",
            text: found.map {
                Message(
                    "store.setting",
                    """
                    SQLite did not accept \(name, "name") for \(path, "path") (it is \($0, "found")). Check \
                    that the file is on a local disk and that the distribution's SQLite is installed.
                    """
                )
            }
                ?? Message(
                    "store.setting.it-is-unknown",
                    """
                    SQLite did not accept \(name, "name") for \(path, "path"), and did not report the \
                    current value. Check that the file is on a local disk and that the distribution's SQLite \
                    is installed.
                    """
                ),
            details: ["path": path, "setting": name]
        )
    }

    // MARK: - Transactions

    /// Runs the closure in one transaction. Either all its changes are on the disk when this returns, or none of them are made.
    ///
    /// One exception is unavoidable. If the sync of the commit fails, this throws, and after a crash the change may still be in the
    /// file. A retry with the same idempotency key handles that case.
    @discardableResult
    package func transaction<Value>(_ body: () throws -> Value) throws -> Value {
        guard !expectsTransaction, options.transactionsPerCommit > 1 || !isInTransaction else {
            throw Problem(
                "store.transaction_open",
                "A transaction was begun inside another; please report this."
            )
        }
        if options.transactionsPerCommit > 1 { return try batch(body) }
        // Immediate, because a transaction that upgrades from reading to writing could fail in the middle.
        try run("BEGIN IMMEDIATE")
        expectsTransaction = true
        do {
            let value = try body()
            try beforeCommit()
            try run("COMMIT")
            expectsTransaction = false
            return value
        } catch {
            rollBack()
            throw error
        }
    }

    private func batch<Value>(_ body: () throws -> Value) throws -> Value {
        if !isInTransaction { try run("BEGIN IMMEDIATE") }
        expectsTransaction = true
        defer { expectsTransaction = false }
        let value = try savepoint(body)
        batchedTransactions += 1
        if batchedTransactions >= options.transactionsPerCommit { try commitBatch() }
        return value
    }

    private func commitBatch() throws {
        guard batchedTransactions > 0, isInTransaction else { return }
        batchedTransactions = 0
        try beforeCommit()
        try run("COMMIT")
    }

    /// Runs the closure and undoes only its changes if it throws. The surrounding transaction continues.
    @discardableResult
    package func savepoint<Value>(_ body: () throws -> Value) throws -> Value {
        try requireTransaction()
        // Names may repeat, because both statements apply to the innermost.
        try run("SAVEPOINT part")
        do {
            let value = try body()
            try run("RELEASE part")
            return value
        } catch {
            // If the whole transaction is gone, there is nothing to roll back to, and the owner's next statement throws.
            if isInTransaction {
                try run("ROLLBACK TO part")
                try run("RELEASE part")
            }
            throw error
        }
    }

    /// The number of rows that this connection has changed, including changes that were rolled back.
    package var changedRows: Int64 { sqlite3_total_changes64(handle) }

    /// Throws unless a transaction is open. For changes that must be committed together with others.
    package func requireTransaction() throws {
        guard isInTransaction else {
            throw Problem(
                "store.no_transaction",
                "A change was about to be written outside of a transaction; please report this."
            )
        }
    }

    private func rollBack() {
        expectsTransaction = false
        guard isInTransaction else { return }
        // Throw the original error, not one of this statement. If this fails, the next transaction refuses to begin.
        sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
    }

    /// Applies the missing migrations, each in its own transaction. Rejects a file with a different history.
    package func migrate(_ migrations: [Migration]) throws { try SchemaHistory(self).extend(to: migrations) }

    /// The version of the schema: the number of migrations applied.
    package func schemaVersion() throws -> Int {
        Int(try first("PRAGMA user_version") { try $0.int(0) } ?? 0)
    }

    /// The problem to throw immediately after a call on this connection failed.
    private func problem(_ result: Int32, _ sql: String? = nil) -> Problem {
        StoreProblem.make(path: path, handle, result, sql: sql)
    }

    // MARK: - The write-ahead log

    // By default SQLite checkpoints its log during a commit, every thousand pages, and that commit waits for two more syncs. Here
    // the checkpoint runs while the service is idle. It runs in a commit only when the log is four times as long.

    private static let checkpointPages: Int32 = 1_000
    private static let limitPages: Int32 = 4_000

    /// True if the log is long enough for a checkpoint while the service is idle.
    package var needsCheckpoint: Bool { logPages >= Self.checkpointPages }

    /// Checkpoints the write-ahead log into the file.
    ///
    /// If that fails, for example on a full disk, nothing is lost and the next call tries again.
    package func checkpointIfIdle() {
        guard needsCheckpoint, !isInTransaction else { return }
        checkpoint()
    }

    /// Replaces SQLite's own hook, which checkpoints during a commit every thousand pages.
    private func watchLog() {
        sqlite3_wal_hook(
            handle,
            { context, _, _, pages in
                guard let context else { return SQLITE_OK }
                let database = Unmanaged<Database>.fromOpaque(context).takeUnretainedValue()
                database.committed(logPages: pages)
                return SQLITE_OK
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    private func committed(logPages pages: Int32) {
        logPages = pages
        if pages >= Self.limitPages { checkpoint() }
    }

    private func checkpoint() {
        // The next commit reports the length of the log.
        logPages = 0
        sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        // The file can become shorter only here, after rows were deleted.
        file?.bytes = 0
    }

    // MARK: - Changes by other programs

    /// A fault in the files of an open database.
    package enum Harm: String, Sendable {
        /// The file or its log was removed or replaced. The open connection still has all of the data.
        case replaced
        /// The file or its log is shorter than the data written to it.
        case cut
        /// A part of the content is invalid.
        case damaged
    }

    /// Checks the files for changes by other programs. Takes a few microseconds.
    package func findDamage() -> Harm? {
        guard handle != nil, !options.readOnly, let opened = file else { return nil }
        guard let file = DatabaseFile.state(path), file.isSame(as: opened) else { return .replaced }
        guard file.bytes >= opened.bytes else { return .cut }
        self.file = file
        // The log exists for as long as the database is open, even while it is empty.
        guard let found = DatabaseFile.state(path + "-wal"), log.map({ found.isSame(as: $0) }) ?? true
        else {
            return .replaced
        }
        // The log has a header of 32 bytes, and each page has one of 24 bytes.
        if logPages > 0, found.bytes < 32 + Int64(logPages) * (Self.pageBytes + 24) { return .cut }
        log = found
        return nil
    }

    private static let pageBytes: Int64 = 4096

    /// Renames a damaged database, so that a new one can replace it. Returns the new name.
    package static func moveAside(_ path: String) throws -> String {
        try DatabaseFile.moveAside(path, as: "damaged") ?? path
    }

    /// Writes the complete database to its path again and renames the file that is there now. The process must end afterwards,
    /// because this connection still writes to the old file.
    package func save() throws {
        let folder = DatabaseFile.directory(of: path)
        try Directories.prepare(folder)
        let copy = path + ".saved"
        unlink(copy)
        try backup(to: copy)
        if let there = DatabaseFile.state(path), let file, !there.isSame(as: file) {
            try DatabaseFile.moveAside(path, as: "replaced")
        }
        for part in ["-wal", "-shm"] { unlink(path + part) }
        guard rename(copy, path) == 0 else { throw DatabaseFile.refusal(path, errno) }
        try DatabaseFile.synchronize(folder)
    }

    /// Writes a complete, compact copy. It never replaces a file, and gets its name only after it is on the disk.
    package func backup(to destination: String) throws {
        let partial = destination + ".partial"
        for name in [destination, partial] where DatabaseFile.exists(name) {
            throw Problem(
                "store.backup_exists",
                "\(name, "name") already exists and was not replaced. Give another name, or move the file away.",
                details: ["path": name]
            )
        }
        try createPrivate(partial)
        do {
            try commitBatch()
            // SQLite does not sync the target of `VACUUM INTO`.
            try run("VACUUM INTO ?", [.text(partial)])
            try DatabaseFile.synchronize(partial)
            guard rename(partial, destination) == 0 else { throw DatabaseFile.refusal(destination, errno) }
        } catch {
            unlink(partial)
            throw error
        }
        try DatabaseFile.synchronize(DatabaseFile.directory(of: destination))
    }

    /// Creates an empty private file for SQLite to fill. A file created by SQLite would be readable by every account.
    private func createPrivate(_ path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DatabaseFile.refusal(path, errno) }
        Glibc.close(descriptor)
    }

    /// Removes all remains of deleted rows from the file and its log.
    ///
    /// Deleting overwrites a row, but not the copies left behind when pages were split and joined. Therefore this rewrites the
    /// file, which takes time and temporarily needs the same space again.
    package func scrub() throws {
        try commitBatch()
        try run("VACUUM")
        try emptyLog()
    }

    /// Returns free space to the disk if most of a large file is free.
    package func shrink() throws {
        let pages = try first("PRAGMA page_count") { try $0.int(0) } ?? 0
        let free = try first("PRAGMA freelist_count") { try $0.int(0) } ?? 0
        guard pages > Self.shrinkPages, free > pages / 2 else { return }
        try scrub()
    }

    /// 64 MiB. Smaller files are not worth the work.
    private static let shrinkPages: Int64 = 16_384

    /// Checkpoints the log into the file and truncates it to zero bytes.
    package func emptyLog() throws {
        try commitBatch()
        file?.bytes = 0
        logPages = 0
        let wasBusy = try first("PRAGMA wal_checkpoint(TRUNCATE)") { try $0.bool(0) }
        guard wasBusy == true else { return }
        throw Problem(
            "store.busy",
            "Another program is reading \(path, "path"), so its log could not be emptied. Try again.",
            retryable: true
        )
    }
}
