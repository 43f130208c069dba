import Glibc
import STPlatform
import Synchronization

/// Signals that end the picker, or tell of another size of its window, as bytes of a pipe.
enum PickSignals {
    /// Where the handler writes; -1 while nobody watches.
    ///
    /// A global, because a signal handler can reach nothing else.
    private static let target = Atomic<Int32>(-1)
    static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    /// Another size, and back from having been stopped.
    static let redrawing = [SIGWINCH, SIGCONT]

    static func watch(writingTo descriptor: Int32) {
        target.store(descriptor, ordering: .releasing)
        for number in ending + redrawing {
            signal(number) { number in
                let saved = errno
                let descriptor = PickSignals.target.load(ordering: .acquiring)
                var byte = UInt8(truncatingIfNeeded: number)
                if descriptor >= 0 { _ = write(descriptor, &byte, 1) }
                errno = saved
            }
        }
    }

    static func unwatch() {
        for number in ending + redrawing { signal(number, SIG_DFL) }
        target.store(-1, ordering: .releasing)
    }
}
