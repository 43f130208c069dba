package import STContracts

/// The sums of one item over all segments.
package struct ReportPart: Sendable, Equatable {
    /// The item's id. `nil` for usage without an item.
    package var id: String?
    package var label: String?
    package var usedMs: Int64 = 0
    package var pickups: Int64 = 0
    package var notifications: Int64 = 0
    package var beforeMs: Int64?
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
            parts[place].usedMs += row.usedMs
            parts[place].pickups += row.pickups
            parts[place].notifications += row.notifications
            if let before = row.beforeMs { parts[place].beforeMs = (parts[place].beforeMs ?? 0) + before }
        }
        return parts.sorted { ($1.usedMs, $0.id ?? "") < ($0.usedMs, $1.id ?? "") }
    }
}

/// The sums of several segments.
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
