package import STPlatform
import Synchronization

/// How far the clocks of a zone are from UTC, and since when: a table, made once from the zone's file.
package final class ZoneRules: Sendable {
    /// A time of day and date as a clock shows it, as a number: milliseconds since 1970-01-01 00:00 on that clock.
    package typealias LocalMs = Int64

    /// When a clock shows something.
    package struct Showing: Sendable, Equatable {
        /// The first moment.
        ///
        /// For a time that the clock jumped over it is as much later as the jump is long: 02:30 becomes 03:30.
        package var firstMs: Int64
        /// The second moment, where the clock was set back.
        package var againMs: Int64?
        /// How far the clock jumped, for a time that it jumped over.
        package var missingMs: Int64
    }

    /// What is known: 1900 to 2200.
    ///
    /// Before and after, the clocks stay as they are at that edge.
    package static let firstMs: Int64 = -2_208_988_800_000
    package static let lastMs: Int64 = 7_258_118_400_000
    /// Zones kept; a service sees the few zones of its members.
    package static let cachedMax = 64
    /// In a zone's name; the longest of IANA's has 32.
    package static let nameBytesMax = 64

    /// Element n is the moment at which stretch n + 1 begins.
    private let changes: [Int64]
    /// The offset from UTC in each stretch.
    private let offsets: [Int64]
    /// What the clock would show when its stretch ends.
    private let localEnds: [LocalMs]

    /// An unknown zone counts as this.
    package static let utc = ZoneRules(changes: [], offsets: [0])

    private static let cache = Mutex<[String: ZoneRules]>([:])

    /// Nil for an unknown zone.
    package static func of(_ zone: String) -> ZoneRules? {
        if let known = cache.withLock({ $0[zone] }) { return known }
        guard zone.utf8.count <= nameBytesMax, let file = TimeZoneFile.named(zone) else { return nil }
        let rules = ZoneRules(file)
        cache.withLock { cache in
            if cache.count >= cachedMax { cache.removeAll() }
            cache[zone] = rules
        }
        return rules
    }

    package convenience init(_ file: TimeZoneFile) {
        let known = (Self.firstMs / 1000 + 1)..<(Self.lastMs / 1000)
        let first = file.changes.last { $0.at < known.lowerBound }?.offset ?? file.firstOffset
        let changes = file.changes.filter { known.contains($0.at) }
        self.init(
            changes: changes.map { $0.at * 1000 },
            offsets: ([first] + changes.map(\.offset)).map { $0 * 1000 }
        )
    }

    private init(changes: [Int64], offsets: [Int64]) {
        self.changes = changes
        self.offsets = offsets
        localEnds = zip(changes, offsets).map { $0 + $1 } + [.max]
    }

    package func offsetMs(atMs ms: Int64) -> Int64 { offsets[stretch(atMs: ms)] }

    /// The stretch around a moment in which the clocks are not set: its first moment, the first after it, and how far
    /// they are from UTC.
    package func steady(atMs ms: Int64) -> (fromMs: Int64, toMs: Int64, offsetMs: Int64) {
        let stretch = stretch(atMs: ms)
        return (
            stretch == 0 ? .min : changes[stretch - 1],
            stretch < changes.count ? changes[stretch] : .max,
            offsets[stretch]
        )
    }

    /// What the clock shows.
    package func localMs(atMs ms: Int64) -> LocalMs { ms &+ offsetMs(atMs: ms) }

    /// The latest time that the clock has shown so far: more than it shows now, soon after it was set back.
    package func latestLocalMs(upToMs ms: Int64) -> LocalMs {
        let stretch = stretch(atMs: ms)
        let now = ms &+ offsets[stretch]
        return stretch == 0 ? now : max(now, localEnds[stretch - 1])
    }

    /// The day that counts: where clocks were set back over midnight (St John's did so at one minute past), the day that
    /// has begun goes on although they show the one before again, or the parts of a stretch would never end.
    package func day(atMs ms: Int64) -> CivilDate { CivilDate(daysSinceEpoch: Int(dayNumber(atMs: ms))) }

    /// The moment at which the day after begins.
    package func endOfDay(atMs ms: Int64) -> Int64 {
        let midnight = (dayNumber(atMs: ms) &+ 1) &* Self.dayMs
        let shown = moment(showing: midnight)
        // A day whose midnight the clocks jump over begins where they jump.
        return shown.missingMs > 0 ? steady(atMs: shown.firstMs).fromMs : shown.firstMs
    }

    private static let dayMs: Int64 = 86_400_000

    private func dayNumber(atMs ms: Int64) -> Int64 {
        let stretch = stretch(atMs: ms)
        var local = ms &+ offsets[stretch]
        // The end of a stretch itself is never shown.
        if stretch > 0 { local = max(local, localEnds[stretch - 1] - 1) }
        return local >= 0 ? local / Self.dayMs : (local + 1) / Self.dayMs - 1
    }

    package func moment(showing local: LocalMs) -> Showing {
        let stretch = Self.count(localEnds) { $0 <= local }
        let offset = offsets[stretch]
        guard stretch == 0 || local >= changes[stretch - 1] + offset else {
            let before = offsets[stretch - 1]
            return Showing(firstMs: local &- before, againMs: nil, missingMs: offset - before)
        }
        var again: Int64?
        if stretch < changes.count, local >= changes[stretch] + offsets[stretch + 1] {
            again = local - offsets[stretch + 1]
        }
        return Showing(firstMs: local &- offset, againMs: again, missingMs: 0)
    }

    private func stretch(atMs ms: Int64) -> Int { Self.count(changes) { $0 <= ms } }

    /// How many elements of a sorted list fulfil a condition that the first ones fulfil.
    private static func count(_ list: [Int64], while holds: (Int64) -> Bool) -> Int {
        var low = 0
        var high = list.count
        while low < high {
            let middle = (low + high) / 2
            if holds(list[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Days as they are lived in a zone: 23, 24 or 25 hours long.
package struct LocalDay: Sendable {
    private let rules: ZoneRules

    /// An unknown zone counts as UTC; code that takes a zone from outside checks it with `isKnown` first.
    package init(zone: String) { rules = ZoneRules.of(zone) ?? .utc }

    package static func isKnown(zone: String) -> Bool { ZoneRules.of(zone) != nil }

    package func day(ofWallMs wallMs: Int64) -> CivilDate { rules.day(atMs: wallMs) }

    /// The moment at which the day after begins.
    package func end(ofDayAtWallMs wallMs: Int64) -> Int64 { rules.endOfDay(atMs: wallMs) }
}
