import STPlatform

extension Database {
    /// Leaves nothing in the file and its log but what the tables hold.
    ///
    /// Deleting overwrites a row, but not the copies of it that stayed behind when pages were split and joined; so
    /// the file is written anew. That takes time and, for a while, as much room again.
    package func scrub() throws {
        try run("VACUUM")
        try emptyLog()
    }

    /// Brings the log into the file and cuts it to nothing.
    package func emptyLog() throws {
        let wasBusy = try first("PRAGMA wal_checkpoint(TRUNCATE)") { try $0.bool(0) }
        guard wasBusy == true else { return }
        throw Problem(
            "store.busy",
            "Somebody is reading \(path), so its log could not be emptied. Try again.",
            retryable: true
        )
    }
}
