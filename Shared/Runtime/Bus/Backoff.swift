/// A delay that doubles up to a limit, with jitter so that many clients of one service do not come back together.
package struct Backoff: Sendable, Equatable {
    package var firstMs: Int64
    package var limitMs: Int64

    package init(firstMs: Int64, limitMs: Int64) {
        self.firstMs = firstMs
        self.limitMs = limitMs
    }

    /// `noise` in 0..<1 comes from the caller, so that a simulation stays repeatable.
    package func delayMs(attempt: Int, noise: Double = 0.5) -> Int64 {
        let doubled = firstMs << Int64(min(max(attempt, 0), 20))
        let base = min(limitMs, doubled)
        return base / 2 + Int64(Double(base) * noise / 2)
    }
}
