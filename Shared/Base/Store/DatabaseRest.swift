import STCSQLite

/// When the log is brought into the file.
///
/// SQLite by itself does it in the middle of a commit, every thousand pages, and whoever asked for that commit waits
/// for two more syncs of the disk. Here it is done when there is nothing else to do, and in a commit only when there
/// is no end of them.
extension Database {
    private static let restPages: Int32 = 1_000
    private static let limitPages: Int32 = 4_000

    /// Whether there is something to do as soon as there is time for it.
    package var needsRest: Bool { logPages >= Self.restPages }

    /// Brings the log into the file.
    ///
    /// What fails here, on a full disk, is made up for by the next time; nothing is lost meanwhile.
    package func rest() {
        guard needsRest, !isInTransaction else { return }
        checkpoint()
    }

    /// In place of SQLite's own hook, which is the one that does it in every thousandth page's commit.
    func watchLog() {
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
        // The next commit tells anew how long the log is.
        logPages = 0
        sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    }
}
