import STPlatform

extension Stopwatch {
    /// Returns the real boot time.
    static func bootTime() -> BootTime { BootTime(ms: bootMilliseconds()) }

    /// Returns the reading of the monotonic clock, which stops while the machine sleeps.
    static func reading() -> Duration { .milliseconds(milliseconds()) }
}

extension BootTime {
    /// The start of the machine.
    static let start = BootTime(ms: 0)
}
