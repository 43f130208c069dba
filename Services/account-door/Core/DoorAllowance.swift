/// How much an account may ask: a flood through one door must not slow the services down for others.
package struct DoorAllowance: Sendable {
    static let perSecond: Int64 = 200
    static let atOnce: Int64 = 600
    package static let underWayMax = 64

    /// In thousandths of a request.
    private var left = atOnce * 1_000
    private var lastMs: Int64?

    package init() {}

    package mutating func take(nowMs: Int64) -> Bool {
        left = min(Self.atOnce * 1_000, left + max(0, nowMs - (lastMs ?? nowMs)) * Self.perSecond)
        lastMs = nowMs
        guard left >= 1_000 else { return false }
        left -= 1_000
        return true
    }
}
