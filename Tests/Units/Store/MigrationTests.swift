import STPlatform
import STStore
import STTestSupport
import Testing

@Suite("Schema migrations")
struct MigrationTests {
    let scratch: ScratchDirectory
    let first = Migration(name: "first", sql: "CREATE TABLE a(i INTEGER) STRICT; INSERT INTO a VALUES (1)")
    let second = Migration(name: "second", sql: "CREATE TABLE b(i INTEGER) STRICT")

    init() throws { scratch = try ScratchDirectory() }

    @Test("Each migration runs once and in order")
    func steps() throws {
        let database = try scratch.open()

        try database.migrate([first])
        try database.migrate([first, second])
        try database.migrate([first, second])

        #expect(try database.schemaVersion() == 2)
        #expect(try database.first("SELECT count(*) FROM a") { try $0.int(0) } == 1)
    }

    @Test("A schema of a newer version is rejected")
    func newer() throws {
        let database = try scratch.open()
        try database.migrate([first, second])

        #expect(code { try database.migrate([first]) } == "store.newer_version")
    }

    @Test("A changed, renamed, reordered or missing migration is rejected")
    func mismatch() throws {
        let database = try scratch.open()
        try database.migrate([first, second])
        let changed = Migration(name: "first", sql: first.sql + " ")
        let renamed = Migration(name: "other", sql: first.sql)

        #expect(code { try database.migrate([changed, second]) } == "store.migration_mismatch")
        #expect(code { try database.migrate([renamed, second]) } == "store.migration_mismatch")
        #expect(code { try database.migrate([second, first]) } == "store.migration_mismatch")
        try database.run("DELETE FROM schema_migrations WHERE position = 2")
        #expect(code { try database.migrate([first, second]) } == "store.migration_mismatch")
        try database.run("UPDATE schema_migrations SET position = 2")
        #expect(code { try database.migrate([first, second]) } == "store.migration_mismatch")
    }

    @Test("A migration that fails or ends its transaction changes nothing")
    func failing() throws {
        let database = try scratch.open()
        try database.migrate([first])
        let broken = Migration(name: "broken", sql: second.sql + "; INSERT INTO none VALUES (1)")
        let committing = Migration(name: "committing", sql: "ROLLBACK; SELECT 1")

        #expect(code { try database.migrate([first, broken]) } == "store.statement")
        #expect(code { try database.migrate([first, committing]) } == "store.transaction_lost")

        #expect(try database.schemaVersion() == 1)
        #expect(try database.first("SELECT 1 FROM sqlite_schema WHERE name = 'b'") { try $0.int(0) } == nil)
        try database.migrate([first, second])
    }
}
