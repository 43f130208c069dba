/// When somebody wants to be woken, on the clocks of a `TimeSource`; nil is never.
package struct DueMoments: Sendable, Hashable {
    package var wallMs: Int64?
    package var bootMs: Int64?

    package init(wallMs: Int64? = nil, bootMs: Int64? = nil) {
        self.wallMs = wallMs
        self.bootMs = bootMs
    }

    package func isReached(at now: TimeReading) -> Bool {
        (wallMs.map { $0 <= now.wallMs } ?? false) || (bootMs.map { $0 <= now.bootMs } ?? false)
    }

    /// The earlier of both on each clock.
    package func merged(with other: DueMoments) -> DueMoments {
        DueMoments(wallMs: Self.earlier(wallMs, other.wallMs), bootMs: Self.earlier(bootMs, other.bootMs))
    }

    private static func earlier(_ one: Int64?, _ other: Int64?) -> Int64? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }
}
