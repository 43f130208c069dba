import Glibc
import STPlatform
import Synchronization

/// Ctrl-C and SIGTERM as something a loop can watch, so that a command that listens ends cleanly.
enum Interrupts {
    /// Where the handler writes; -1 while nobody watches.
    ///
    /// A global, because a signal handler can reach nothing else.
    private static let target = Atomic<Int32>(-1)

    /// The descriptor becomes readable at the first signal.
    ///
    /// A second one ends the process at once, as people expect of
    /// a command that hangs.
    static func watch(writingTo descriptor: Int32) {
        target.store(descriptor, ordering: .releasing)
        for number in [SIGINT, SIGTERM] {
            signal(number) { number in
                let descriptor = Interrupts.target.load(ordering: .acquiring)
                var byte: UInt8 = 1
                if descriptor >= 0 { _ = write(descriptor, &byte, 1) }
                signal(number, SIG_DFL)
            }
        }
    }

    static func unwatch() {
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
        target.store(-1, ordering: .releasing)
    }
}
