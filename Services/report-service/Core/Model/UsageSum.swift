/// What one thing took of somebody's time.
struct UsageSum: Equatable, Sendable {
    var ms: Int64 = 0
    var pickups: Int64 = 0
    var notifications: Int64 = 0

    var isNothing: Bool { ms == 0 && pickups == 0 && notifications == 0 }

    static func += (sum: inout UsageSum, other: UsageSum) {
        sum.ms += other.ms
        sum.pickups += other.pickups
        sum.notifications += other.notifications
    }
}
