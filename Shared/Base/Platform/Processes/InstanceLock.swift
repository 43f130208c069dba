import Glibc

/// A lock that only one process can hold. The kernel releases it when the process ends in any way.
package final class InstanceLock: Sendable {
    private let owned: OwnedDescriptor

    /// Takes the lock without waiting, or throws a problem that names the process that holds it.
    ///
    /// `what` is the holder's name for people, such as “auth-service”.
    package init(path: String, what: String) throws(Problem) {
        let number = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw FileProblem.make(.lock, path: path, number: errno) }
        owned = OwnedDescriptor(number)
        var result: Int32
        repeat { result = flock(number, LOCK_EX | LOCK_NB) } while result != 0 && errno == EINTR
        guard result == 0 else {
            guard errno == EWOULDBLOCK else { throw FileProblem.make(.lock, path: path, number: errno) }
            throw Self.heldProblem(path, what, by: Self.holder(number))
        }
        // The file remains when this process ends. Removing it would let two processes lock two files of the same name.
        let text = Array("\(getpid())\n".utf8)
        guard ftruncate(number, 0) == 0, pwrite(number, text, text.count, 0) == text.count else {
            throw FileProblem.make(.write, path: path, number: errno)
        }
    }

    /// Unlocks explicitly, because a child that is being started holds a copy of the descriptor until its exec.
    deinit { flock(owned.number, LOCK_UN) }

    /// True if another file, or none, is at the path now. Another process can then take a lock there.
    package func isRemoved(from path: String) -> Bool { FileMark(path) != FileMark(owned.number) }

    private static func holder(_ number: Int32) -> Int32? {
        var buffer = [UInt8](repeating: 0, count: 16)
        let count = pread(number, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: buffer[..<count].prefix { $0 != 10 }, as: UTF8.self))
    }

    private static func heldProblem(_ path: String, _ what: String, by pid: Int32?) -> Problem {
        Problem(
            "instance.already_running",
            text: pid.map {
                Message(
                    "instance.already_running",
                    """
                    \(what, "what") is already running as process \($0, "pid") and holds \(path, "path"); \
                    end it first, or set SCREENTIME_RUN to run a second system beside it
                    """
                )
            }
                ?? Message(
                    "instance.already_running.unknown-process",
                    """
                    \(what, "what") is already running and holds \(path, "path"); end it first, or set \
                    SCREENTIME_RUN to run a second system beside it
                    """
                ),
            retryable: true,
            help: pid.map { "kill \($0)" },
            details: pid.map { ["pid": String($0)] } ?? [:]
        )
    }

    /// The process that now holds the lock at a path. `nil` if the lock is free.
    ///
    /// This takes a free lock for an instant. Call it only where another process may safely find the lock taken.
    package static func holder(path: String) -> Int32? {
        let number = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard number >= 0 else { return nil }
        let owned = OwnedDescriptor(number)
        guard flock(owned.number, LOCK_SH | LOCK_NB) != 0 else {
            flock(owned.number, LOCK_UN)
            return nil
        }
        return errno == EWOULDBLOCK ? holder(owned.number) : nil
    }
}
