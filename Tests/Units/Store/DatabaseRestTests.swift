import Glibc
import STPlatform
import STStore
import STTestSupport
import Testing

@Suite("Write-ahead log of a database")
struct DatabaseRestTests {
    let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    private func size(_ name: String) -> Int64 {
        var status = stat()
        return stat(scratch.file(name), &status) == 0 ? Int64(status.st_size) : 0
    }

    /// About three pages a row.
    private func write(_ database: Database, _ rows: Int, each: Int = 20) throws {
        let text = String(repeating: "x", count: 9_000)
        for start in stride(from: 0, to: rows, by: each) {
            try database.transaction {
                for _ in start..<min(rows, start + each) {
                    try database.run("INSERT INTO big (text) VALUES (?)", [.text(text)])
                }
            }
        }
    }

    private func opened() throws -> Database {
        let database = try scratch.open()
        try database.execute("CREATE TABLE big (row INTEGER PRIMARY KEY, text TEXT)")
        return database
    }

    @Test(
        "The log is written into the file when there is time, and then overwritten from its beginning"
    )
    func waits() throws {
        let database = try opened()
        try write(database, 100)
        #expect(!database.needsCheckpoint)
        database.checkpointIfIdle()
        #expect(size("test.db") < 100_000)
        try write(database, 700)

        #expect(database.needsCheckpoint)
        #expect(size("test.db") < 100_000)
        let before = size("test.db-wal")
        #expect(before > 4_000_000)
        database.checkpointIfIdle()
        #expect(!database.needsCheckpoint)
        #expect(size("test.db") > 6_000_000)
        try write(database, 200)
        // SQLite truncates the log only then.
        #expect(size("test.db-wal") <= 4 << 20)
        #expect(try database.first("SELECT count(*) FROM big") { try $0.int(0) } == 1_000)
    }

    @Test("The size of the log is limited even if there is never time")
    func limit() throws {
        let database = try opened()
        try write(database, 6_000)

        #expect(size("test.db-wal") < 4_300 * 4_120)
        #expect(size("test.db") > 40_000_000)
    }

    @Test("The log is not written into the file during a transaction")
    func transaction() throws {
        let database = try opened()
        try write(database, 800)
        try database.transaction {
            try database.run("INSERT INTO big (text) VALUES ('x')")
            database.checkpointIfIdle()
            #expect(database.needsCheckpoint)
        }
        database.checkpointIfIdle()
        #expect(!database.needsCheckpoint)
    }
}
