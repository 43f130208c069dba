import Glibc

/// Real elapsed time, for latencies and deadlines.
///
/// Never for anything a person is told about their day.
package enum Stopwatch {
    package static func nanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    package static func milliseconds() -> Int64 { nanoseconds() / 1_000_000 }
}

extension Stopwatch {
    /// Real boot time, for deadlines that are compared between processes of one machine and must run on
    /// through a suspend.
    ///
    /// The virtual clock never moves it.
    package static func bootMilliseconds() -> Int64 { bootMicroseconds() / 1000 }

    package static func bootMicroseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}
