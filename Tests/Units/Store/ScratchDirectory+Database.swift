import Glibc
import STPlatform
import STStore
import STTestSupport

/// A scratch directory for databases.
extension ScratchDirectory {
    static let applicationID: Int32 = 0x5354_0001

    func open(
        _ name: String = "test.db",
        readOnly: Bool = false,
        applicationID: Int32 = ScratchDirectory.applicationID,
        vfs: String? = nil
    ) throws -> Database {
        let options = DatabaseOptions(readOnly: readOnly, applicationID: applicationID, vfs: vfs)
        return try Database(path: file(name), options: options)
    }

    /// A migrated database with a log of these streams.
    func log(_ streams: [String], name: String = "test.db") throws -> (database: Database, log: EventLog) {
        let database = try migrated(name)
        let log = EventLog(database)
        try log.open(streams: streams)
        return (database, log)
    }

    /// A database with the common tables and one of the test.
    func migrated(_ name: String = "test.db", vfs: String? = nil) throws -> Database {
        let database = try open(name, vfs: vfs)
        try database.migrate(StoreMigrations.base + [Self.notes])
        return database
    }

    /// Empty if the file does not exist.
    func read(_ name: String) -> [UInt8] {
        (try? AtomicFile.read(file(name), limitBytes: 64 << 20)) ?? []
    }

    /// Writes into the existing file, so that SQLite finds damage in place and not a new file.
    func write(_ name: String, _ bytes: [UInt8]) {
        let descriptor = Glibc.open(file(name), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        Glibc.write(descriptor, bytes, bytes.count)
        close(descriptor)
    }

    static let notes = Migration(
        name: "notes",
        sql: "CREATE TABLE notes(batch INTEGER NOT NULL, text TEXT NOT NULL) STRICT"
    )
}

/// The code of the problem that a closure throws.
func code(_ body: () throws -> Void) -> String? {
    do {
        try body()
        return nil
    } catch {
        return (error as? Problem)?.code ?? "\(error)"
    }
}

extension Database {
    func note(_ batch: Int, _ text: String = "note") throws {
        try run("INSERT INTO notes(batch, text) VALUES (?, ?)", [SQLValue(batch), .text(text)])
    }

    func notes() throws -> [Int] {
        try query("SELECT batch FROM notes ORDER BY rowid") { Int(try $0.int(0)) }
    }

    func pragma(_ name: String) throws -> Int64? { try first("PRAGMA \(name)") { try $0.int(0) } }
}
