import STPlatform
import STStore

/// What was deleted leaves the file too.
extension StoreEngine {
    func tidy(after part: StoreBatch<State>, into batch: inout StoreBatch<State>) {
        if part.wantsScrub {
            batch.warnings += scrub()
        } else if part.wantsEmptyLog {
            // It can wait: what fails here is made up for by the next checkpoint.
            try? database.emptyLog()
        }
    }

    /// Done again at the next start when it fails, such as on a full disk.
    func scrub() -> [(name: StaticString, problem: Problem)] {
        do {
            try database.scrub()
            try database.transaction { try MetaTable(database).set(StoreTransaction.scrubMark, nil) }
            return []
        } catch {
            return [("scrub_failed", Self.problem(error))]
        }
    }
}
