import STContracts
import STPlatform
import STWire

/// Pages of this machine's ledger that are sent to the household.
enum UsagePage {
    /// The first events, up to the maximum number of people in one request.
    static func fitting(_ events: [WireEvent]) throws -> ArraySlice<WireEvent> {
        var people: Set<String> = []
        let end = try events.firstIndex { event in
            guard event.header.type == SegmentClosed.type else { return false }
            people.insert(try event.decoded(SegmentClosed.self).member)
            return people.count > HouseholdAccount.max
        }
        return events[..<(end ?? events.endIndex)]
    }

    static func isAnew(_ problem: Problem) -> Bool {
        ["epoch.changed", "cursor.too_old", "snapshot.moved"].contains(problem.code)
    }

    /// True if this machine observed the row itself.
    static func isOwn(_ row: Segment) -> Bool {
        row.device == nil && row.knownBy != .imported && row.knownBy != .elsewhere
    }
}
