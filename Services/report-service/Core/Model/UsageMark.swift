/// When somebody first turned to the device, and how long they stayed with it at most without a break.
///
/// Both belong to the hour in which they began. The longest activity ends at local midnight at the latest, where the
/// next one begins.
struct UsageMark: Equatable, Sendable {
    var firstPickupMs: Int64?
    var longestStartMs: Int64?
    var longestMs: Int64 = 0

    mutating func take(_ other: UsageMark) {
        if let first = other.firstPickupMs { take(pickupMs: first) }
        if let start = other.longestStartMs { take(startMs: start, ms: other.longestMs) }
    }

    mutating func take(pickupMs: Int64) { firstPickupMs = min(firstPickupMs ?? pickupMs, pickupMs) }

    /// Of two that are equally long it is the first.
    mutating func take(startMs: Int64, ms: Int64) {
        guard ms > longestMs || ms == longestMs && startMs < (longestStartMs ?? .max) else { return }
        longestStartMs = startMs
        longestMs = ms
    }
}
