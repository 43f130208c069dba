import Glibc
import STCSQLite
import STCSQLiteFaults
import STPlatform
import STStore
import STTestKit
import STTestSupport
import Testing

@Suite("Databases that cannot be used")
struct DatabaseProblemTests {
    let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    @Test("A database of another program is rejected and not changed")
    func foreign() throws {
        try scratch.open(applicationID: 7).close()
        let before = scratch.read("test.db")

        #expect(code { _ = try scratch.open() } == "store.foreign_file")
        #expect(scratch.read("test.db") == before)
    }

    @Test("A file that is not a database is reported as corrupt")
    func noDatabase() throws {
        scratch.write("test.db", [UInt8](repeating: 0x41, count: 8_192))

        #expect(code { _ = try scratch.open() } == "store.corrupt")
    }

    @Test("Flipped bytes are detected when the database is opened after an unclean stop")
    func flippedAfterKill() throws {
        let database = try filled()
        try database.run("PRAGMA wal_checkpoint(PASSIVE)")
        try database.note(1)
        DatabaseImage.copy(of: scratch.file("test.db"), to: scratch.file("copy.db"))
        #expect(try scratch.migrated("copy.db").notes().count == 2_001)

        DatabaseImage.copy(of: scratch.file("test.db"), to: scratch.file("copy.db"))
        flip("copy.db")

        #expect(code { _ = try scratch.open("copy.db") } == "store.corrupt")
    }

    @Test("Flipped bytes after a clean stop are detected by the query that reads them")
    func flippedAfterClose() throws {
        try filled().close()
        flip("test.db")

        let database = try scratch.open()

        #expect(code { _ = try database.query("SELECT * FROM notes") { try $0.text(1) } } == "store.corrupt")
        #expect(code { try database.check() } == "store.corrupt")
    }

    @Test("A read-only file is reported, also to root")
    func readOnlyFile() throws {
        try scratch.open().close()
        chmod(scratch.file("test.db"), 0o400)

        #expect(code { _ = try scratch.open() } == "store.read_only")
    }

    @Test("A directory without write permission is reported as read-only")
    func readOnlyDirectory() throws {
        guard geteuid() == 0 else {
            chmod(scratch.path, 0o500)
            #expect(code { _ = try scratch.open() } == "store.read_only")
            chmod(scratch.path, 0o700)
            return
        }
        st_faults_act_as(65_534)
        let problem = code { _ = try scratch.open() }
        st_faults_act_as(0)

        #expect(problem == "store.read_only")
    }

    @Test("A missing directory is reported")
    func noDirectory() throws {
        #expect(code { _ = try scratch.open("none/test.db") } == "store.cannot_open")
    }

    @Test("A database that another connection blocks is reported as busy")
    func busy() throws {
        let first = try scratch.migrated()
        let second = try scratch.open()
        try second.execute("PRAGMA busy_timeout = 0")

        try first.transaction {
            #expect(code { try second.transaction {} } == "store.busy")
        }
    }

    @Test("A full disk does not damage a database, which continues when there is space")
    func fullDisk() throws {
        let system = try FaultySystem("st-full")
        let database = try scratch.migrated(vfs: system.name)
        try database.note(1)
        system.fill(after: 1)

        do {
            try database.transaction { try database.note(2) }
            Issue.record("a full disk took a note")
        } catch let problem as Problem {
            #expect(problem.code == "store.disk_full")
            #expect(problem.retryable)
        }

        system.disarm()
        try database.note(3)
        #expect(try database.notes() == [1, 3])
        try database.close()
    }

    @Test("The file size limit of a process is reported as a full disk")
    func fileSizeLimit() throws {
        // The limit applies to a whole process, so it needs another process.
        let script = "trap '' XFSZ; ulimit -f 400; exec \"$0\" \"$1\" > \"$2\""
        let program = try BuiltTree.program("screentime-store-filler")
        let process = try SpawnedProcess(
            SpawnPlan(
                executable: "/bin/sh",
                arguments: ["-c", script, program, scratch.file("full.db"), scratch.file("told")],
                environment: ["PATH": "/usr/bin:/bin"]
            )
        )
        #expect(process.wait(deadlineMs: 60_000) == .exited(0))

        let told = ScratchDirectory.text(scratch.file("told")).split(whereSeparator: \.isWhitespace)
        try #require(told.count == 3)
        #expect(told[0] == "store.disk_full")
        #expect(told[1] == told[2])
        #expect((Int(told[1]) ?? 0) > 10)
    }

    private func filled() throws -> Database {
        let database = try scratch.migrated()
        try database.transaction {
            for batch in 0..<2_000 { try database.note(batch, String(repeating: "x", count: 100)) }
        }
        return database
    }

    /// Inverts a range of bytes in the middle, which contains notes.
    private func flip(_ name: String) {
        var bytes = scratch.read(name)
        let middle = bytes.count / 2 / 4_096 * 4_096
        for index in middle..<middle + 64 { bytes[index] ^= 0xff }
        scratch.write(name, bytes)
    }
}
