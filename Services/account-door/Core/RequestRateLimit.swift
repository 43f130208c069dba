package import STPlatform

/// Limits the requests of an account, so that a flood through one door does not slow the services for others.
package struct RequestRateLimit: Sendable {
    package static let busy = Problem(
        "busy",
        "This account is sending too many requests. Try again in a second.",
        retryable: true,
        details: ["retry_after_ms": "1000"]
    )
    static let perSecond: Int64 = 200
    static let burst: Int64 = 600
    static let activeRequestsMax = 64

    /// The requests that are left, in thousandths.
    private var remaining = burst * 1_000
    private var last: BootTime?
    /// The number of requests that were forwarded and have no reply yet.
    package var activeRequests = 0

    package init() {}

    /// Returns false if a request must be refused with `busy`.
    package mutating func allows(at now: BootTime) -> Bool {
        guard activeRequests < Self.activeRequestsMax else { return false }
        remaining = min(Self.burst * 1_000, remaining + max(.zero, now - (last ?? now)).ms * Self.perSecond)
        last = now
        guard remaining >= 1_000 else { return false }
        remaining -= 1_000
        return true
    }
}
