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

    package static func isKnown(zone: String) -> Bool {
        // Foundation reads no further than a zero byte.
        !zone.utf8.contains(0) && TimeZone(identifier: zone) != nil
    }

    package func day(ofWallMs wallMs: Int64) -> CivilDate { day(at: dayDate(Self.date(wallMs))) }

    /// The moment at which the day after begins.
    package func end(ofDayAtWallMs wallMs: Int64) -> Int64 {
        guard let next = nextStart(after: dayDate(Self.date(wallMs))) else { return wallMs + 86_400_000 }
        return Int64((next.timeIntervalSince1970 * 1000).rounded())
    }

    /// A moment of the day that counts.
    ///
    /// Where clocks were set back over midnight (St John's did so at one minute past), the day that has begun goes on
    /// although they show the one before again: a day is one piece, or the parts of a stretch would never end.
    private func dayDate(_ date: Date) -> Date {
        guard let next = nextStart(after: date), next <= date else { return date }
        return next
    }

    private func nextStart(after date: Date) -> Date? {
        calendar.date(byAdding: .day, value: 1, to: calendar.startOfDay(for: date)).map {
            calendar.startOfDay(for: $0)
        }
    }

    private func day(at date: Date) -> CivilDate {
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        return CivilDate(year: parts.year ?? 1970, month: parts.month ?? 1, day: parts.day ?? 1)
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
