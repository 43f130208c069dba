package import STPlatform

/// Days as they are lived in a zone: 23, 24 or 25 hours long.
package struct LocalDay: Sendable {
    private let rules: ZoneRules

    /// An unknown zone counts as UTC; code that takes a zone from outside checks it with `isKnown` first.
    package init(zone: String) { rules = ZoneRules.of(zone) ?? .utc }

    package static func isKnown(zone: String) -> Bool { ZoneRules.of(zone) != nil }

    package func day(ofWallMs wallMs: Int64) -> CivilDate { rules.day(atMs: wallMs) }

    /// The moment at which the day after begins.
    package func end(ofDayAtWallMs wallMs: Int64) -> Int64 { rules.endOfDay(atMs: wallMs) }

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
}
