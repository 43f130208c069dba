import Glibc
import STCPlatform

/// What every process does about signals.
package enum Signals {
    /// Call this first in every main: a process that an async runtime starts inherits its thread's mask, and would never
    /// see SIGTERM.
    package static func unblockAll() {
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
    }

    /// Makes a write to a closed pipe fail with an error instead of ending the process.
    package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    /// `SIGTERM` for 15.
    package static func name(_ number: Int32) -> String {
        st_signal_name(number).map { "SIG" + String(cString: $0) } ?? "signal \(number)"
    }
}

/// Signals as something to poll for, so that they are handled by ordinary code on an ordinary thread.
package final class SignalDescriptor: Sendable {
    private let owned: OwnedDescriptor

    /// Blocks the signals in the calling thread.
    ///
    /// Call before other threads start, because they inherit the mask; one that does not have it would take
    /// the signal and end the process.
    package init(_ signals: [Int32]) throws(Problem) {
        let result = st_signalfd(signals, Int32(clamping: signals.count))
        guard result >= 0 else { throw SystemError.make("signalfd", -result) }
        owned = OwnedDescriptor(result)
    }

    package var descriptor: Int32 { owned.number }

    /// The next signal that came, or nil when none is waiting; two of the same kind may come as one.
    package func next() -> Int32? {
        let result = st_signalfd_next(descriptor)
        return result > 0 ? result : nil
    }
}
