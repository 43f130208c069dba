import STCSQLite
import STPlatform

extension Database {
    /// Runs the closure in one transaction: all of it is on the disk when this returns, or none of it ever was.
    ///
    /// One exception that no database can avoid: when the very sync of the commit fails, this throws, and a crash
    /// right after may still find the change. A retry with the same idempotency key is the answer to that.
    @discardableResult
    package func transaction<Value>(_ body: () throws -> Value) throws -> Value {
        guard !isInTransaction else {
            throw Problem(
                "store.transaction_open",
                "A transaction was begun inside another, please report this."
            )
        }
        // Immediate: a transaction that has to upgrade from reading to writing could fail in the middle.
        try run("BEGIN IMMEDIATE")
        expectsTransaction = true
        do {
            let value = try body()
            try run("COMMIT")
            expectsTransaction = false
            return value
        } catch {
            rollBack()
            throw error
        }
    }

    /// Runs the closure so that its changes alone are undone when it throws; the transaction around it goes on.
    @discardableResult
    package func savepoint<Value>(_ body: () throws -> Value) throws -> Value {
        try requireTransaction()
        // Names may repeat: both statements mean the innermost.
        try run("SAVEPOINT part")
        do {
            let value = try body()
            try run("RELEASE part")
            return value
        } catch {
            // When the whole transaction is gone there is nothing to go back to, and its owner will be told so.
            if isInTransaction {
                try run("ROLLBACK TO part")
                try run("RELEASE part")
            }
            throw error
        }
    }

    /// Throws unless a transaction is open: for what must be written together with something else.
    package func requireTransaction() throws {
        guard isInTransaction else {
            throw Problem(
                "store.no_transaction",
                "A change was about to be written outside of a transaction, please report this."
            )
        }
    }

    private func rollBack() {
        expectsTransaction = false
        guard isInTransaction else { return }
        // The error that led here is the one to tell. Should this fail, the next transaction refuses to begin.
        sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
    }
}
