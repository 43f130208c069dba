import Glibc
import STCSQLite
package import STPlatform

/// Converts an error of SQLite or the file system into a `Problem` that says what a person can do.
package enum StoreProblem {
    /// The code of a damaged file.
    package static let damaged = "store.corrupt"
    /// The code of a file that is not a database of Screen Time, or that is not set up yet.
    package static let foreignFile = "store.foreign_file"

    /// True if a start failed because of the content of the file. Other problems can be solved on the disk, in the account, or by
    /// another version of this program.
    package static func isCausedByContent(_ problem: Problem) -> Bool {
        let others = [
            "read_only", "newer_version", "disk_full", "cannot_open", "busy", "io_error", "out_of_memory",
            "setting",
        ]
        return problem.code.hasPrefix("body.")
            || problem.code.hasPrefix("store.") && !others.contains(String(problem.code.dropFirst(6)))
    }

    /// True if the changes of a single request may be the cause.
    package static func isCausedByRequest(_ problem: Problem) -> Bool {
        ["store.statement", "store.busy"].contains(problem.code)
    }

    /// The details of a failed call.
    private struct Cause {
        var path: String
        var result: Int32
        var message: String
        /// The errno values, most likely first.
        var systemErrors: [Int32]
        var sql: String?
    }

    /// The problem to throw immediately after a call on the connection `handle` failed with `result`.
    static func make(path: String, _ handle: OpaquePointer?, _ result: Int32, sql: String?) -> Problem {
        let message = handle.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(result)
        return make(
            Cause(
                path: path,
                result: result,
                message: message.map { String(cString: $0) } ?? "",
                systemErrors: systemErrors(handle, result),
                sql: sql
            )
        )
    }

    private static func make(_ cause: Cause) -> Problem {
        // SQLite reports a quota or size limit as an I/O error, so the result does not always show that the disk is full.
        if isFull(cause) { return diskFull(cause) }
        switch cause.result & 0xff {
        case SQLITE_CORRUPT, SQLITE_NOTADB: return corrupt(cause.path, cause.message)
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
            return readOnly(cause.path, Message(verbatim: cause.message))
        case SQLITE_CANTOPEN:
            return isRefused(cause)
                ? readOnly(cause.path, Message(verbatim: cause.message)) : cannotOpen(cause)
        case SQLITE_BUSY, SQLITE_LOCKED: return busy(cause)
        case SQLITE_CONSTRAINT:
            return Problem(
                "store.constraint",
                """
                The change violates a constraint of the database (\(cause.message, "reason"), \
                \(cause.path, "path")). Please report this.
                """,
                key: "store.constraint.a-rule-of",
                details: details(cause)
            )
        case SQLITE_NOMEM: return outOfMemory(cause)
        case SQLITE_IOERR: return ioError(cause)
        case SQLITE_TOOBIG:
            return Problem(
                "store.too_big",
                """
                A value is larger than the database allows (\(cause.message, "reason"), \
                \(cause.path, "path")). Send a smaller value.
                """,
                details: details(cause)
            )
        default:
            return Problem(
                "store.statement",
                """
                The database rejected a statement (\(cause.message, "reason"), \(cause.path, "path")). \
                Please report this.
                """,
                key: "store.statement.the-database-refused",
                details: details(cause)
            )
        }
    }

    static func corrupt(_ path: String, _ finding: String) -> Problem {
        Problem(
            damaged,
            """
            \(path, "path") is damaged (\(finding, "finding")). Stop Screen Time and restore a backup with \
            `screentime data restore FOLDER`, or move the file away to start with an empty database.
            """,
            key: "store.corrupt.is-damaged",
            details: ["path": path, "finding": finding]
        )
    }

    static func foreign(_ path: String, found: Int64, expected: Int32) -> Problem {
        Problem(
            foreignFile,
            """
            \(path, "path") belongs to another program (application id \(found, "found"), not \
            \(expected, "expected")). Nothing was changed; move the file away, or give another data directory.
            """,
            key: "store.foreign_file",
            details: ["path": path]
        )
    }

    static func readOnly(_ path: String, _ finding: Message) -> Problem {
        Problem(
            "store.read_only",
            """
            \(path, "path") cannot be written (\(finding, "finding")). Give its owner write permission on \
            the file and its directory, and check that the disk is not read-only.
            """,
            details: ["path": path]
        )
    }

    static func newerVersion(_ path: String, found: Int, known: Int) -> Problem {
        Problem(
            "store.newer_version",
            """
            \(path, "path") was written by a newer version (schema \(found, "found"); this version supports \
            \(known, "known")). Update screentime, or restore a backup made before the update.
            """,
            key: "store.newer_version.was-written-by",
            details: ["path": path, "found": String(found), "known": String(known)]
        )
    }

    /// The errno values that explain the failure, as far as they are available.
    ///
    /// After a failed commit `sqlite3_system_errno` is not set, and `errno` is already that of the rollback. But each file keeps
    /// the error of its own last failed write, sync or truncate.
    private static func systemErrors(_ handle: OpaquePointer?, _ result: Int32) -> [Int32] {
        guard let handle else { return [] }
        let last = sqlite3_system_errno(handle)
        switch result & 0xff {
        case SQLITE_CANTOPEN: return [last].filter { $0 != 0 }
        case SQLITE_IOERR:
            let files = [SQLITE_FCNTL_JOURNAL_POINTER, SQLITE_FCNTL_FILE_POINTER].map {
                lastError($0, handle)
            }
            return (files + [last]).filter { $0 != 0 }
        default: return []
        }
    }

    private static func lastError(_ which: Int32, _ handle: OpaquePointer) -> Int32 {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(handle, "main", which, &file) == SQLITE_OK,
            let file, let methods = file.pointee.pMethods
        else { return 0 }
        var number: Int32 = 0
        _ = methods.pointee.xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &number)
        return number
    }

    private static func isFull(_ cause: Cause) -> Bool {
        guard cause.result & 0xff != SQLITE_FULL else { return true }
        return cause.result & 0xff == SQLITE_IOERR
            && cause.systemErrors.contains { [ENOSPC, EDQUOT, EFBIG].contains($0) }
    }

    private static func isRefused(_ cause: Cause) -> Bool {
        cause.systemErrors.contains { [EACCES, EPERM, EROFS].contains($0) }
    }

    private static func diskFull(_ cause: Cause) -> Problem {
        Problem(
            "store.disk_full",
            """
            There is no space left on the disk of \(cause.path, "path"), and the change was not made. Free \
            some space and try again.
            """,
            key: "store.disk_full.there-is-no",
            retryable: true,
            details: details(cause)
        )
    }

    private static func busy(_ cause: Cause) -> Problem {
        Problem(
            "store.busy",
            "\(cause.path, "path") is in use by another program. Close any tool that has it open and try again.",
            key: "store.busy.is-in-use",
            retryable: true,
            details: details(cause)
        )
    }

    private static func cannotOpen(_ cause: Cause) -> Problem {
        Problem(
            "store.cannot_open",
            """
            \(cause.path, "path") cannot be opened (\(cause.message, "reason")). Check that its directory \
            exists.
            """,
            key: "store.cannot_open.the-file-cannot",
            details: details(cause)
        )
    }

    private static func outOfMemory(_ cause: Cause) -> Problem {
        Problem(
            "store.out_of_memory",
            "There is not enough memory for a query. Close some programs and try again.",
            key: "store.out_of_memory.there-is-not",
            retryable: true,
            details: details(cause)
        )
    }

    private static func ioError(_ cause: Cause) -> Problem {
        let reason = cause.systemErrors.first.map { SystemError.text($0) } ?? Message(verbatim: cause.message)
        return Problem(
            "store.io_error",
            """
            The disk of \(cause.path, "path") reported an error (\(reason, "reason")), and the change was \
            not made. Look at the system log for disk errors, and make a backup.
            """,
            retryable: true,
            details: details(cause)
        )
    }

    private static func details(_ cause: Cause) -> [String: String] {
        var details = ["path": cause.path, "sqlite": String(cause.result), "reason": cause.message]
        details["errno"] = cause.systemErrors.first.map { String($0) }
        details["sql"] = cause.sql
        return details
    }
}
