package import STContracts
package import STPlatform

/// The sums of one item over all segments.
package struct ReportPart: Sendable, Equatable {
    /// The item's id. `nil` for usage without an item.
    package var id: String?
    package var label: String?
    package var used: Duration = .zero
    package var pickups: Int64 = 0
    package var notifications: Int64 = 0
    package var before: Duration?
}

/// Sums up the rows of segments by one of their keys.
package enum ReportParts {
    package static func id(_ row: ReportUsageRow, _ key: ReportKey) -> String? {
        switch key {
        case .app: row.app
        case .category: row.category
        case .site: row.site
        case .member: row.member
        case .device: row.device
        case .unknown: nil
        }
    }

    /// Returns the most used items first. Items with the same usage are in the order of their names.
    package static func of(_ segments: [ReportUsageSegment], by key: ReportKey) -> [ReportPart] {
        sums(segments.flatMap(\.rows), by: key)
    }

    static func sums(_ rows: [ReportUsageRow], by key: ReportKey) -> [ReportPart] {
        var places: [String?: Int] = [:]
        var parts: [ReportPart] = []
        for row in rows {
            let id = id(row, key)
            let place = places[id] ?? parts.count
            if place == parts.count {
                places[id] = place
                parts.append(ReportPart(id: id))
            }
            parts[place].label = parts[place].label ?? row.label
            parts[place].used += .milliseconds(row.usedMs)
            parts[place].pickups += row.pickups
            parts[place].notifications += row.notifications
            if let before = row.beforeMs {
                parts[place].before = (parts[place].before ?? .zero) + .milliseconds(before)
            }
        }
        return parts.sorted { ($1.used, $0.id ?? "") < ($0.used, $1.id ?? "") }
    }
}

/// The sums of several segments.
package struct ReportTotals: Sendable, Equatable {
    package var used: Duration = .zero
    package var absent: Duration = .zero
    package var unobserved: Duration = .zero
    package var shielded: Duration = .zero
    package var pickups: Int64 = 0
    package var idlePickups: Int64 = 0
    package var notifications: Int64 = 0
    package var firstPickup: WallTime?
    package var longest: Range<WallTime>?

    package init(_ segments: [ReportUsageSegment]) {
        for segment in segments {
            used += .milliseconds(segment.usedMs)
            absent += .milliseconds(segment.absentMs)
            unobserved += .milliseconds(segment.unobservedMs)
            shielded += .milliseconds(segment.shieldedMs)
            pickups += segment.pickups
            idlePickups += segment.idlePickups
            notifications += segment.notifications
            firstPickup = firstPickup ?? segment.firstPickupWallMs.map { WallTime(ms: $0) }
            guard let start = segment.longestStartWallMs, let end = segment.longestEndWallMs, start < end
            else { continue }
            if .milliseconds(end - start) > longest.map({ $0.upperBound - $0.lowerBound }) ?? .zero {
                longest = WallTime(ms: start)..<WallTime(ms: end)
            }
        }
    }
}
