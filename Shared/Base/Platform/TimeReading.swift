/// What all the clocks said at one moment, in milliseconds.
///
/// Durations come from `bootMs` alone. `wallMs` only says where in the day a moment lies, because people and programs
/// set it. Boot minus monotonic time is the time this machine has spent suspended.
package struct TimeReading: Sendable, Hashable {
    package var wallMs: Int64
    package var bootMs: Int64
    package var monotonicMs: Int64

    package init(wallMs: Int64, bootMs: Int64, monotonicMs: Int64) {
        self.wallMs = wallMs
        self.bootMs = bootMs
        self.monotonicMs = monotonicMs
    }

    package var suspendedMs: Int64 { bootMs - monotonicMs }
}
