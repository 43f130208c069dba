import Glibc
import STCPlatform

/// The signal settings that every process needs.
package enum Signals {
    /// Unblocks all signals. Call this first in every main: a process started by an async runtime inherits its thread's mask, and
    /// would not receive SIGTERM.
    package static func unblockAll() {
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
    }

    /// Makes a write to a closed pipe fail with an error instead of ending the process.
    package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    /// The name of a signal, for example `SIGTERM` for 15.
    package static func name(_ number: Int32) -> String {
        st_signal_name(number).map { "SIG" + String(cString: $0) } ?? "signal \(number)"
    }
}

/// Signals as a descriptor to poll, so that ordinary code on an ordinary thread handles them.
package final class SignalDescriptor: Sendable {
    private let owned: OwnedDescriptor

    /// Blocks the signals in the calling thread.
    ///
    /// Call this before other threads start, because they inherit the mask. A thread without the mask would receive the signal, and
    /// the process would end.
    package init(_ signals: [Int32]) throws(Problem) {
        let result = st_signalfd(signals, Int32(clamping: signals.count))
        guard result >= 0 else { throw SystemError.make("signalfd", number: -result) }
        owned = OwnedDescriptor(result)
    }

    package var descriptor: Int32 { owned.number }

    /// The next pending signal. `nil` if there is none. Two of the same kind may arrive as one.
    package func next() -> Int32? {
        let result = st_signalfd_next(descriptor)
        return result > 0 ? result : nil
    }
}
