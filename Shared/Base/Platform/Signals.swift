import Glibc
import STCPlatform

/// What every process does about signals.
package enum Signals {
    /// To be called first in every main: a process started from an async runtime inherits that thread's mask, and
    /// would never see SIGTERM.
    package static func unblockAll() {
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
    }

    /// A reader that went away is an error of one write, not the end of the process.
    package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    /// `SIGTERM` for 15.
    package static func name(_ number: Int32) -> String {
        st_signal_name(number).map { "SIG" + String(cString: $0) } ?? "signal \(number)"
    }
}
