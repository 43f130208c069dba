import STCSQLite
import STPlatform

extension Database {
    /// The problem to throw right after a call on this connection failed.
    func problem(_ result: Int32, _ sql: String? = nil) -> Problem {
        let message = handle.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(result)
        return StoreProblem.from(
            StoreProblem.Cause(
                path: path,
                result: result,
                message: message.map { String(cString: $0) } ?? "",
                systemErrors: systemErrors(result),
                sql: sql
            )
        )
    }

    /// Why the system refused, as far as it can be known.
    ///
    /// After a failed commit `sqlite3_system_errno` is not set, and `errno` is already that of the rollback. But each
    /// file remembers the error of its own last failed write, sync or truncate.
    private func systemErrors(_ result: Int32) -> [Int32] {
        guard let handle else { return [] }
        switch result & 0xff {
        case SQLITE_CANTOPEN: return [sqlite3_system_errno(handle)].filter { $0 != 0 }
        case SQLITE_IOERR:
            let files = [SQLITE_FCNTL_JOURNAL_POINTER, SQLITE_FCNTL_FILE_POINTER].map {
                lastError($0, handle)
            }
            return (files + [sqlite3_system_errno(handle)]).filter { $0 != 0 }
        default: return []
        }
    }

    private func lastError(_ which: Int32, _ handle: OpaquePointer) -> Int32 {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(handle, "main", which, &file) == SQLITE_OK,
            let file, let methods = file.pointee.pMethods
        else { return 0 }
        var number: Int32 = 0
        _ = methods.pointee.xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &number)
        return number
    }
}
