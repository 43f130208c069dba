package import STPlatform

/// How much an account may ask: a flood through one door must not slow the services down for others.
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

    /// In thousandths of a request.
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
