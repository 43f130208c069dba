import Glibc
import STPlatform

/// A lock that several processes take for a moment each, and wait for.
final class FileLock {
    private let owned: OwnedDescriptor

    init(path: String, withinMs: Int64) throws(Problem) {
        let number = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw Self.problem(path, SystemError.text(errno)) }
        owned = OwnedDescriptor(number)
        let deadlineMs = Stopwatch.milliseconds() + withinMs
        while flock(number, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw Self.problem(path, SystemError.text(errno))
            }
            guard Stopwatch.milliseconds() < deadlineMs else {
                throw Self.problem(
                    path,
                    "another process has held it for \(TextFormat.duration(ms: withinMs))"
                )
            }
            // The kernel tells nobody when a lock becomes free; it is held for some milliseconds at most.
            _ = poll(nil, 0, 5)
        }
    }

    /// By hand as well: a child that is just being started holds a copy of the descriptor until its exec.
    deinit { flock(owned.number, LOCK_UN) }

    private static func problem(_ path: String, _ reason: String) -> Problem {
        Problem(
            "pause.not_locked",
            "\(path) cannot be locked: \(reason). Nothing is paused until it can be.",
            retryable: true
        )
    }
}
