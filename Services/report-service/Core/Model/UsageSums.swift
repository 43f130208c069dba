import STContracts

/// The totals of one member at one device in an hour, a day, or a longer time.
struct UsageTotals: Equatable, Sendable {
    var usedMs: Int64 = 0
    var idleMs: Int64 = 0
    var lockedMs: Int64 = 0
    var awayMs: Int64 = 0
    var suspendedMs: Int64 = 0
    var unobservedMs: Int64 = 0
    var shieldedMs: Int64 = 0
    var pickups: Int64 = 0
    /// Pickups without any use.
    var idlePickups: Int64 = 0
    var notifications: Int64 = 0
    var mark = UsageMark()

    var absentMs: Int64 { idleMs + lockedMs + awayMs + suspendedMs }

    mutating func add(_ ms: Int64, _ presence: Presence, isShielded: Bool) {
        switch presence {
        case .active where isShielded: shieldedMs += ms
        case .active: usedMs += ms
        case .idle: idleMs += ms
        case .locked: lockedMs += ms
        case .away: awayMs += ms
        case .suspended: suspendedMs += ms
        case .unobserved, .unknown: unobservedMs += ms
        }
    }

    static func += (sum: inout UsageTotals, other: UsageTotals) {
        sum.usedMs += other.usedMs
        sum.idleMs += other.idleMs
        sum.lockedMs += other.lockedMs
        sum.awayMs += other.awayMs
        sum.suspendedMs += other.suspendedMs
        sum.unobservedMs += other.unobservedMs
        sum.shieldedMs += other.shieldedMs
        sum.pickups += other.pickups
        sum.idlePickups += other.idlePickups
        sum.notifications += other.notifications
        sum.mark.merge(other.mark)
    }
}

/// The usage of one thing.
struct UsageSum: Equatable, Sendable {
    var ms: Int64 = 0
    var pickups: Int64 = 0
    var notifications: Int64 = 0

    var isZero: Bool { ms == 0 && pickups == 0 && notifications == 0 }

    static func += (sum: inout UsageSum, other: UsageSum) {
        sum.ms += other.ms
        sum.pickups += other.pickups
        sum.notifications += other.notifications
    }
}

/// The first pickup, and the longest uninterrupted activity.
///
/// Both belong to the hour in which they began. The longest activity ends at local midnight at the latest, where the next one
/// begins.
struct UsageMark: Equatable, Sendable {
    var firstPickupMs: Int64?
    var longestStartMs: Int64?
    var longestMs: Int64 = 0

    mutating func merge(_ other: UsageMark) {
        if let first = other.firstPickupMs { merge(pickupMs: first) }
        if let start = other.longestStartMs { merge(startMs: start, ms: other.longestMs) }
    }

    mutating func merge(pickupMs: Int64) { firstPickupMs = min(firstPickupMs ?? pickupMs, pickupMs) }

    /// Applies an activity. Of two with the same length, the first one counts.
    mutating func merge(startMs: Int64, ms: Int64) {
        guard ms > longestMs || ms == longestMs && startMs < (longestStartMs ?? .max) else { return }
        longestStartMs = startMs
        longestMs = ms
    }
}
