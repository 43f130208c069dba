package import STContracts

/// The figures of several segments together.
package struct ReportTotals: Sendable, Equatable {
    package var usedMs: Int64 = 0
    package var absentMs: Int64 = 0
    package var unobservedMs: Int64 = 0
    package var shieldedMs: Int64 = 0
    package var pickups: Int64 = 0
    package var idlePickups: Int64 = 0
    package var notifications: Int64 = 0
    package var firstPickupWallMs: Int64?
    package var longest: Range<Int64>?

    package init(_ segments: [ReportUsageSegment]) {
        for segment in segments {
            usedMs += segment.usedMs
            absentMs += segment.absentMs
            unobservedMs += segment.unobservedMs
            shieldedMs += segment.shieldedMs
            pickups += segment.pickups
            idlePickups += segment.idlePickups
            notifications += segment.notifications
            firstPickupWallMs = firstPickupWallMs ?? segment.firstPickupWallMs
            guard let start = segment.longestStartWallMs, let end = segment.longestEndWallMs, start < end
            else { continue }
            if end - start > longest.map({ $0.upperBound - $0.lowerBound }) ?? 0 { longest = start..<end }
        }
    }
}
