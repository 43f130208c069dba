import STContracts
import STPlatform

/// The totals of one member at one device in an hour, a day, or a longer time.
struct UsageTotals: Equatable, Sendable {
    var used = Duration.zero
    var idle = Duration.zero
    var locked = Duration.zero
    var away = Duration.zero
    var suspended = Duration.zero
    var unobserved = Duration.zero
    var shielded = Duration.zero
    var pickups: Int64 = 0
    /// Pickups without any use.
    var idlePickups: Int64 = 0
    var notifications: Int64 = 0
    var mark = UsageMark()

    var absent: Duration { idle + locked + away + suspended }

    mutating func add(_ length: Duration, _ presence: Presence, isShielded: Bool) {
        switch presence {
        case .active where isShielded: shielded += length
        case .active: used += length
        case .idle: idle += length
        case .locked: locked += length
        case .away: away += length
        case .suspended: suspended += length
        case .unobserved, .unknown: unobserved += length
        }
    }

    static func += (sum: inout UsageTotals, other: UsageTotals) {
        sum.used += other.used
        sum.idle += other.idle
        sum.locked += other.locked
        sum.away += other.away
        sum.suspended += other.suspended
        sum.unobserved += other.unobserved
        sum.shielded += other.shielded
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
    var firstPickup: WallTime?
    var longestStart: WallTime?
    var longest = Duration.zero

    mutating func merge(_ other: UsageMark) {
        if let first = other.firstPickup { merge(pickup: first) }
        if let start = other.longestStart { merge(start: start, length: other.longest) }
    }

    mutating func merge(pickup: WallTime) { firstPickup = min(firstPickup ?? pickup, pickup) }

    /// Applies an activity. Of two with the same length, the first one counts.
    mutating func merge(start: WallTime, length: Duration) {
        guard length > longest || length == longest && start < (longestStart ?? .distantFuture) else {
            return
        }
        longestStart = start
        longest = length
    }
}
