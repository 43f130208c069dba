import STCSQLite
import STCSQLiteFaults
import STPlatform
import STStore
import STTestSupport
import Testing

/// As SQLite tests itself: fail the first write, then the second, and so on until the work ends before a fault.
@Suite("A database on a failing disk")
struct FaultTests {
    private static let batches = 14
    private static let rowsPerBatch = 3

    /// What the user of the database saw.
    private struct Outcome {
        var acknowledged: [Int] = []
        /// The batch whose commit failed last, when nothing was acknowledged after it.
        var doubtful: Int?
    }

    @Test(
        "holds exactly what it acknowledged, whichever write fails",
        arguments: [ST_FAULTS_ONCE, ST_FAULTS_ONWARDS],
        [SQLITE_IOERR, SQLITE_FULL]
    )
    func writes(mode: Int, result: Int32) throws {
        try sweep("write-\(mode)-\(result)", ST_FAULTS_WRITE | ST_FAULTS_TRUNCATE, mode, result) {
            $0 == $1.acknowledged
        }
    }

    @Test(
        "holds what it acknowledged, and of a commit whose sync failed all or nothing",
        arguments: [ST_FAULTS_ONCE, ST_FAULTS_ONWARDS]
    )
    func syncs(mode: Int) throws {
        try sweep("sync-\(mode)", ST_FAULTS_SYNC, mode, SQLITE_IOERR) { found, outcome in
            found == outcome.acknowledged
                || found == outcome.acknowledged + [outcome.doubtful].compactMap { $0 }
        }
    }

    @Test("holds exactly what it acknowledged, at whichever operation the power goes")
    func crashes() throws {
        try sweep("crash", ST_FAULTS_ALL, ST_FAULTS_CRASH, SQLITE_IOERR) { $0 == $1.acknowledged }
    }

    private func sweep(
        _ name: String,
        _ operations: Int,
        _ mode: Int,
        _ result: Int32,
        _ isRight: ([Int], Outcome) -> Bool
    ) throws {
        var nth = 1
        while nth < 2_000 {
            let scratch = try ScratchDirectory()
            let system = try FaultySystem("st-\(name)-\(nth)")
            system.arm(operations, nth: nth, mode: mode, result: result)
            let outcome = work(scratch, system.name)
            let found = try survivors(scratch)
            let isWhole = isRight(found, outcome)
            #expect(isWhole, "at \(nth): told \(outcome), found \(found)")
            guard system.fired, isWhole else { break }
            nth += 1
        }
        // Fewer would mean that the faults pass by the database.
        #expect(nth > 20 && nth < 2_000, "\(name) took \(nth) rounds")
    }

    private func work(_ scratch: ScratchDirectory, _ vfs: String) -> Outcome {
        var outcome = Outcome()
        guard let database = try? scratch.migrated(vfs: vfs) else { return outcome }
        // Often, so that the sweep meets checkpoints and the restart of the log.
        try? database.execute("PRAGMA wal_autocheckpoint = 12")
        for batch in 1...Self.batches {
            do {
                try database.transaction {
                    for _ in 0..<Self.rowsPerBatch {
                        try database.note(batch, String(repeating: "x", count: 1_500))
                    }
                }
                outcome.acknowledged.append(batch)
                outcome.doubtful = nil
            } catch {
                outcome.doubtful = batch
            }
        }
        try? database.close()
        return outcome
    }

    /// The batches that are there after the disk is well again.
    ///
    /// A part of one shows as a negative number.
    private func survivors(_ scratch: ScratchDirectory) throws -> [Int] {
        let database = try scratch.migrated()
        try database.check()
        return try database.query("SELECT batch, count(*) FROM notes GROUP BY batch ORDER BY batch") { row in
            Int(try row.int(1)) == Self.rowsPerBatch ? Int(try row.int(0)) : -Int(try row.int(0))
        }
    }
}
