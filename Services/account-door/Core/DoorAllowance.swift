package import STPlatform

/// Limits the requests of an account, so that a flood through one door does not slow the services for others.
package struct DoorAllowance: Sendable {
    package static let busy = Problem(
        "busy",
        "This account is sending too many requests. Try again in a second.",
        retryable: true,
        details: ["retry_after_ms": "1000"]
    )
    static let perSecond: Int64 = 200
    static let atOnce: Int64 = 600
    static let underWayMax = 64

    /// The requests that are left, in thousandths.
    private var left = atOnce * 1_000
    private var lastMs: Int64?
    /// The number of requests that were forwarded and have no reply yet.
    package var underWay = 0

    package init() {}

    /// Returns false if a request must be refused with `busy`.
    package mutating func take(nowMs: Int64) -> Bool {
        guard underWay < Self.underWayMax else { return false }
        left = min(Self.atOnce * 1_000, left + max(0, nowMs - (lastMs ?? nowMs)) * Self.perSecond)
        lastMs = nowMs
        guard left >= 1_000 else { return false }
        left -= 1_000
        return true
    }
}
