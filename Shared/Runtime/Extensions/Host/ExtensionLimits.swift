/// What an extension may use, and how long the host waits for it.
///
/// All times are real: a callback that hangs hangs in real time.
package struct ExtensionLimits: Sendable, Equatable {
    /// Private_Dirty + Swap during a call; 6 MB is what the device gives a monitor.
    package var memoryBytes: Int64 = 6 << 20
    /// From the call until everything that it began is done.
    package var callMs: Int64 = 30_000
    /// Of a call, on all three descriptors together.
    package var outputBytes: Int64 = 256 * 1024
    /// From the start of the process to its hello.
    package var startMs: Int64 = 10_000
    /// How long a process without a call is kept.
    package var keepWarmMs: Int64 = 5_000
    /// From "end" to SIGTERM, and from SIGTERM to SIGKILL.
    package var endMs: Int64 = 500
    package var sampleMs: Int64 = 2
    /// How long work that a callback began may go on once it has returned; nil is as long as the call.
    ///
    /// On a phone the process may be ended at once.
    package var workMs: Int64?

    package init() {}
}
