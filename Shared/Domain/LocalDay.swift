import FoundationEssentials
import FoundationInternationalization
package import STPlatform

/// Days as they are lived in a zone: 23, 24 or 25 hours long.
package struct LocalDay: Sendable {
    private let calendar: Calendar

    /// An unknown zone counts as UTC; whoever takes a zone from outside checks it with `isKnown` first.
    package init(zone: String) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: zone) ?? .gmt
        self.calendar = calendar
    }

    package static func isKnown(zone: String) -> Bool { TimeZone(identifier: zone) != nil }

    package func day(ofWallMs wallMs: Int64) -> CivilDate {
        let parts = calendar.dateComponents([.year, .month, .day], from: Self.date(wallMs))
        return CivilDate(year: parts.year ?? 1970, month: parts.month ?? 1, day: parts.day ?? 1)
    }

    /// The moment at which the day after begins.
    package func end(ofDayAtWallMs wallMs: Int64) -> Int64 {
        let start = calendar.startOfDay(for: Self.date(wallMs))
        guard let next = calendar.date(byAdding: .day, value: 1, to: start) else {
            return wallMs + 86_400_000
        }
        return Int64((calendar.startOfDay(for: next).timeIntervalSince1970 * 1000).rounded())
    }

    /// Cuts a stretch of time at local midnights.
    package func split(startWallMs: Int64, durationMs: Int64) -> [(day: CivilDate, ms: Int64)] {
        var parts: [(day: CivilDate, ms: Int64)] = []
        var start = startWallMs
        let end = startWallMs + durationMs
        while start < end {
            let cut = min(end, max(self.end(ofDayAtWallMs: start), start + 1))
            parts.append((day(ofWallMs: start), cut - start))
            start = cut
        }
        return parts
    }

    private static func date(_ wallMs: Int64) -> Date { Date(timeIntervalSince1970: Double(wallMs) / 1000) }
}
