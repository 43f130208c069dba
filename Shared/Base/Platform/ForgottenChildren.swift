import Glibc
import Synchronization

/// Children that nobody holds any more: reaped when they have ended, so that none stays behind as a zombie.
///
/// Without a thread of its own: looked at whenever another child is started or forgotten.
enum ForgottenChildren {
    private static let pids = Mutex<[Int32]>([])

    static func add(_ pid: Int32) {
        pids.withLock { $0.append(pid) }
        reap()
    }

    /// A number stays a child's own until it is reaped, so none of another's is ever taken.
    static func reap() {
        pids.withLock { pids in
            pids.removeAll { pid in
                var status: Int32 = 0
                return waitpid(pid, &status, WNOHANG) != 0
            }
        }
    }
}
