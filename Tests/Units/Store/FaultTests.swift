import STCSQLite
import STCSQLiteFaults
import STPlatform
import STStore
import STTestSupport
import Testing

/// Like SQLite's own tests: fails the first write, then the second, and so on until the work ends without a fault.
@Suite("A database on a failing disk")
struct FaultTests {
    private static let batches = 14
    private static let rowsPerBatch = 3

    /// The results that the user of the database saw.
    private struct Outcome {
        var acknowledged: [Int] = []
        /// The batch whose commit failed last, if nothing was acknowledged after it.
        var doubtful: Int?
    }

    @Test(
        "A database contains exactly the acknowledged batches after a failed write",
        arguments: [ST_FAULTS_ONCE, ST_FAULTS_ONWARDS],
        [SQLITE_IOERR, SQLITE_FULL]
    )
    func writes(mode: Int, result: Int32) throws {
        try sweep(
            "write-\(mode)-\(result)",
            operations: ST_FAULTS_WRITE | ST_FAULTS_TRUNCATE,
            mode: mode,
            result: result
        ) {
            $0 == $1.acknowledged
        }
    }

    @Test(
        "After a failed sync, a database contains the acknowledged batches, and all or nothing of the last commit",
        arguments: [ST_FAULTS_ONCE, ST_FAULTS_ONWARDS]
    )
    func syncs(mode: Int) throws {
        try sweep("sync-\(mode)", operations: ST_FAULTS_SYNC, mode: mode, result: SQLITE_IOERR) {
            found,
            outcome in
            found == outcome.acknowledged
                || found == outcome.acknowledged + [outcome.doubtful].compactMap { $0 }
        }
    }

    @Test("A database contains exactly the acknowledged batches after a power failure at any operation")
    func crashes() throws {
        try sweep("crash", operations: ST_FAULTS_ALL, mode: ST_FAULTS_CRASH, result: SQLITE_IOERR) {
            $0 == $1.acknowledged
        }
    }

    private func sweep(
        _ name: String,
        operations: Int,
        mode: Int,
        result: Int32,
        isRight: ([Int], Outcome) -> Bool
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
        // With fewer rounds, the faults would not reach the database.
        #expect(nth > 20 && nth < 2_000, "\(name) took \(nth) rounds")
    }

    private func work(_ scratch: ScratchDirectory, _ vfs: String) -> Outcome {
        var outcome = Outcome()
        guard let database = try? scratch.migrated(vfs: vfs) else { return outcome }
        // Frequent checkpoints, so that the faults also hit checkpoints and restarts of the log.
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

    /// The batches in the database after the faults end. A partial batch is a negative number.
    private func survivors(_ scratch: ScratchDirectory) throws -> [Int] {
        let database = try scratch.migrated()
        try database.check()
        return try database.query("SELECT batch, count(*) FROM notes GROUP BY batch ORDER BY batch") { row in
            Int(try row.int(1)) == Self.rowsPerBatch ? Int(try row.int(0)) : -Int(try row.int(0))
        }
    }
}
