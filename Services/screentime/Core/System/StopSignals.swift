import Glibc
import Synchronization

/// Ctrl-C, SIGTERM and a terminal that went away, as something a thread can wait for.
///
/// A handler and no signalfd, because other threads that could take the signal exist long before a command runs.
enum StopSignals {
    /// Where the handler writes; -1 while nobody watches.
    ///
    /// A global, because a signal handler can reach nothing else.
    private static let target = Atomic<Int32>(-1)

    static let all = [SIGINT, SIGTERM, SIGHUP]

    /// Each signal writes one byte.
    static func watch(writingTo descriptor: Int32) {
        target.store(descriptor, ordering: .releasing)
        for number in all {
            signal(number) { _ in
                let before = errno
                let descriptor = StopSignals.target.load(ordering: .acquiring)
                var byte: UInt8 = 1
                if descriptor >= 0 { _ = write(descriptor, &byte, 1) }
                errno = before
            }
        }
    }

    /// Further signals are left out: what was asked for has been done.
    static func unwatch() {
        for number in all { signal(number, SIG_IGN) }
        target.store(-1, ordering: .releasing)
    }
}
