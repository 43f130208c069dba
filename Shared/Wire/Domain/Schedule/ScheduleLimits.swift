/// How long an interval may be: configuration, with Apple's numbers unless it says otherwise.
package struct ScheduleLimits: Codable, Sendable, Hashable {
    package var minMs: Int64
    package var maxMs: Int64

    package init(minMs: Int64 = 15 * 60_000, maxMs: Int64 = 7 * 86_400_000) {
        self.minMs = minMs
        self.maxMs = maxMs
    }
}
