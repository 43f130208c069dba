import Glibc

/// Real elapsed time, for latencies and deadlines. Never for anything a person is told about their day.
package enum Stopwatch {
    package static func nanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    package static func milliseconds() -> Int64 { nanoseconds() / 1_000_000 }
}
