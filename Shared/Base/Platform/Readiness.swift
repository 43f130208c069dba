import Glibc

/// Waiting for one descriptor, with a deadline.
package enum Readiness {
    /// Whether the descriptor became readable (or its other end went away) in time.
    ///
    /// Signals do not cut the wait short.
    package static func wait(_ descriptor: Int32, withinMs: Int64) -> Bool {
        let deadline = Stopwatch.milliseconds().addingClamped(max(0, withinMs))
        while true {
            let left = deadline - Stopwatch.milliseconds()
            var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let result = poll(&item, 1, Int32(clamping: max(0, left)))
            if result > 0 { return true }
            if result < 0 && errno != EINTR { return false }
            if left <= 0 { return false }
        }
    }
}

extension Int64 {
    func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }
}
