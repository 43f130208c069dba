import Glibc
import STCSQLite
import STPlatform
import STStore
import STTestSupport
import Testing

@Suite("Database")
struct DatabaseTests {
    let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    @Test("A database is opened with all safety settings")
    func settings() throws {
        let database = try scratch.open()

        #expect(try database.first("PRAGMA journal_mode") { try $0.text(0) } == "wal")
        #expect(try database.pragma("synchronous") == 2)
        #expect(try database.pragma("foreign_keys") == 1)
        #expect(try database.pragma("busy_timeout") == 5_000)
        #expect(try database.pragma("trusted_schema") == 0)
        #expect(try database.pragma("cell_size_check") == 1)
        #expect(try database.pragma("secure_delete") == 1)
        #expect(try database.pragma("journal_size_limit") == 4 << 20)
        #expect(try database.pragma("application_id") == Int64(ScratchDirectory.applicationID))
        #expect(code { try database.run("SELECT \"no such column\"") } == "store.statement")
        try database.execute("CREATE TABLE a(b)")
        try database.execute("PRAGMA writable_schema = ON")
        #expect(code { try database.run("DELETE FROM sqlite_schema") } == "store.statement")
    }

    @Test("A scrubbed database contains no deleted content, and its log is empty")
    func scrub() throws {
        let database = try scratch.migrated()
        for number in 0..<500 { try database.note(number, "what-is-deleted") }
        try database.run("DELETE FROM notes WHERE batch % 2 = 0")
        try database.run("UPDATE notes SET text = 'kept'")
        try database.scrub()

        #expect(!scratch.read("test.db").contains(Array("what-is-deleted".utf8)))
        #expect(scratch.read("test.db").contains(Array("kept".utf8)))
        #expect(scratch.read("test.db-wal").isEmpty)
        #expect(try database.first("SELECT count(*) FROM notes") { try $0.int(0) } == 250)
        #expect(code { try database.transaction { try database.scrub() } } == "store.statement")
    }

    @Test("A database and its logs are readable only by their owner")
    func mode() throws {
        let database = try scratch.migrated()
        try database.note(1)

        for name in ["test.db", "test.db-wal", "test.db-shm"] {
            var status = stat()
            #expect(stat(scratch.file(name), &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600, "\(name)")
        }
    }

    @Test("All kinds of values are kept after the database is closed and opened again")
    func reopen() throws {
        let values: [SQLValue] = [
            nil, 1, -2, .integer(.min), "", "Grüße", .blob([]), .blob([0, 255]), .text("a\u{0}b"),
        ]
        let first = try scratch.open()
        try first.execute("CREATE TABLE v(i INTEGER PRIMARY KEY, value ANY) STRICT")
        for value in values { #expect(try first.run("INSERT INTO v(value) VALUES (?)", [value]) == 1) }
        try first.close()
        #expect(scratch.read("test.db-wal").isEmpty)

        let second = try scratch.open()
        let found = try second.query("SELECT value, typeof(value) FROM v ORDER BY i") { row -> SQLValue in
            switch try row.text(1) {
            case "integer": .integer(try row.int(0))
            case "text": .text(try row.text(0))
            case "blob": .blob(try row.blob(0))
            default: .null
            }
        }
        #expect(found == values)
        #expect(code { try first.run("SELECT 1") } == "store.closed")
    }

    @Test("SQLite's statistics are deleted when the database is opened, and none are created")
    func statistics() throws {
        let database = try scratch.open()
        try database.execute("CREATE TABLE a(b); CREATE INDEX c ON a(b); INSERT INTO a VALUES (1); ANALYZE")
        let tables = "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'sqlite_stat%'"
        #expect(try database.first(tables) { try $0.int(0) } == 1)
        try database.close()

        let again = try scratch.open()
        #expect(try again.first(tables) { try $0.int(0) } == 0)
        try again.close()
        #expect(try scratch.open().first(tables) { try $0.int(0) } == 0)
    }

    @Test("A transaction that throws is rolled back")
    func rollback() throws {
        let database = try scratch.migrated()

        let problem = code {
            try database.transaction {
                try database.note(1)
                throw Problem("test.stop", "stop")
            }
        }

        #expect(problem == "test.stop")
        #expect(try database.notes() == [])
        #expect(!database.isInTransaction)
        #expect(code { try database.transaction { try database.transaction {} } } == "store.transaction_open")
    }

    @Test("A transaction is rolled back if its commit fails")
    func failingCommit() throws {
        let database = try scratch.migrated()
        try database.execute(
            "CREATE TABLE p(i INTEGER PRIMARY KEY);"
                + "CREATE TABLE c(i INTEGER REFERENCES p(i) DEFERRABLE INITIALLY DEFERRED)"
        )

        let problem = code {
            try database.transaction {
                try database.note(1)
                try database.run("INSERT INTO c VALUES (7)")
            }
        }

        #expect(problem == "store.constraint")
        #expect(!database.isInTransaction)
        #expect(try database.notes() == [])
    }

    @Test("A statement after the transaction was ended fails")
    func lostTransaction() throws {
        let database = try scratch.migrated()

        let problem = code {
            try database.transaction {
                try database.note(1)
                try database.run("ROLLBACK")
                try database.note(2)
            }
        }

        #expect(problem == "store.transaction_lost")
        #expect(try database.notes() == [])
    }

    @Test("A savepoint that throws is rolled back separately")
    func savepoints() throws {
        let database = try scratch.migrated()

        try database.transaction {
            try database.note(1)
            try database.savepoint {
                try database.note(2)
                try? database.savepoint {
                    try database.note(3)
                    throw Problem("test.stop", "stop")
                }
            }
        }

        #expect(try database.notes() == [1, 2])
        #expect(code { try database.savepoint {} } == "store.no_transaction")
    }

    @Test("A statement can run within its own loop, and more statements run than are cached")
    func statements() throws {
        let database = try scratch.migrated()
        for batch in 1...3 { try database.note(batch) }
        let sql = "SELECT batch FROM notes WHERE batch >= ? ORDER BY batch"

        let pairs = try database.query(sql, [1]) { row in
            try database.query(sql, [.integer(try row.int(0))]) { try $0.int(0) }.count
        }

        #expect(pairs == [3, 2, 1])
        for number in 0..<300 {
            #expect(try database.first("SELECT \(number)") { try $0.int(0) } == Int64(number))
        }
        #expect(code { try database.run("SELECT 1; SELECT 2") } == "store.statement")
        #expect(code { try database.run("SELECT ?", [1, 2]) } == "store.statement")
    }

    @Test("Reading a value as another type fails")
    func types() throws {
        let database = try scratch.open()

        #expect(code { _ = try database.first("SELECT 'a'") { try $0.int(0) } } == "store.wrong_type")
        #expect(code { _ = try database.first("SELECT NULL") { try $0.text(0) } } == "store.wrong_type")
        #expect(try database.first("SELECT NULL") { try $0.optionalText(0) } == .some(nil))
        #expect(try database.first("SELECT 1 WHERE 0") { try $0.int(0) } == nil)
    }

    @Test("A read-only connection reads beside the writer and cannot write")
    func reader() throws {
        let writer = try scratch.migrated()
        try writer.note(1)
        let reader = try scratch.open(readOnly: true)

        #expect(try reader.notes() == [1])
        #expect(code { try reader.note(2) } == "store.read_only")
        try reader.close()
        #expect(!scratch.read("test.db-wal").isEmpty)
    }

    @Test("A backup is private, can be opened, and never overwrites a file")
    func backup() throws {
        let database = try scratch.migrated()
        try database.note(1)
        let copy = scratch.file("copy.db")

        try database.backup(to: copy)

        #expect(code { try database.backup(to: copy) } == "store.backup_exists")
        #expect(scratch.read("copy.db.partial").isEmpty)
        var status = stat()
        #expect(stat(copy, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(try scratch.migrated("copy.db").notes() == [1])
    }
}
