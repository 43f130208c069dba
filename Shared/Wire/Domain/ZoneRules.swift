package import STPlatform
import Synchronization

/// The UTC offsets of a zone over time, in a table that is built once from the zone's file.
package final class ZoneRules: Sendable {
    /// Date and time on a local clock, in milliseconds since 1970-01-01 00:00 on that clock.
    package typealias LocalMs = Int64

    /// The moments at which a clock shows a local time.
    package struct LocalTimeMatch: Sendable, Equatable {
        /// The first moment.
        ///
        /// A local time that the clock skips comes later by the length of the jump: 02:30 becomes 03:30.
        package var firstMs: Int64
        /// The second moment, if the clock was set back.
        package var secondMs: Int64?
        /// The length of the jump, for a local time that the clock skips.
        package var missingMs: Int64
    }

    /// The range of the table: 1900 to 2200.
    ///
    /// Before and after, the offset stays as it is at that edge.
    package static let firstMs: Int64 = -2_208_988_800_000
    package static let lastMs: Int64 = 7_258_118_400_000
    /// Upper bound on cached zones. A service needs only the few zones of its members.
    package static let cachedMax = 64
    /// Upper bound on a zone's name. The longest IANA name has 32 bytes.
    package static let nameBytesMax = 64

    /// Element n is the moment at which period n + 1 begins.
    private let changes: [Int64]
    /// The offset from UTC in each period.
    private let offsets: [Int64]
    /// The local time at which each period would end.
    private let localEnds: [LocalMs]

    /// The substitute for an unknown zone.
    package static let utc = ZoneRules(changes: [], offsets: [0])

    private static let cache = Mutex<[String: ZoneRules]>([:])

    /// The rules of a zone. `nil` for an unknown zone.
    package static func load(_ zone: String) -> ZoneRules? {
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

    package func offsetMs(atMs ms: Int64) -> Int64 { offsets[periodIndex(atMs: ms)] }

    /// The period around a moment in which the offset is constant: its first moment, the first moment after it, and the offset.
    package func period(atMs ms: Int64) -> (fromMs: Int64, toMs: Int64, offsetMs: Int64) {
        let stretch = periodIndex(atMs: ms)
        return (
            stretch == 0 ? .min : changes[stretch - 1],
            stretch < changes.count ? changes[stretch] : .max,
            offsets[stretch]
        )
    }

    /// The local time at a moment.
    package func localMs(atMs ms: Int64) -> LocalMs { ms &+ offsetMs(atMs: ms) }

    /// The latest local time that the clock has shown so far. Soon after the clock was set back, it is later than the current local
    /// time.
    package func latestLocalMs(upToMs ms: Int64) -> LocalMs {
        let stretch = periodIndex(atMs: ms)
        let now = ms &+ offsets[stretch]
        return stretch == 0 ? now : max(now, localEnds[stretch - 1])
    }

    /// The day for counting usage. If clocks are set back over midnight (St John's did so at 00:01), the new day continues although
    /// they show the previous day again. Otherwise a period could be divided into days without end.
    package func day(atMs ms: Int64) -> CivilDate { CivilDate(daysSinceEpoch: Int(dayNumber(atMs: ms))) }

    /// The moment at which the next day begins.
    package func endOfDay(atMs ms: Int64) -> Int64 {
        let midnight = (dayNumber(atMs: ms) &+ 1) &* Self.dayMs
        let shown = moment(showing: midnight)
        // A day whose midnight the clocks skip begins at the jump.
        return shown.missingMs > 0 ? period(atMs: shown.firstMs).fromMs : shown.firstMs
    }

    private static let dayMs: Int64 = 86_400_000

    private func dayNumber(atMs ms: Int64) -> Int64 {
        let stretch = periodIndex(atMs: ms)
        var local = ms &+ offsets[stretch]
        // The local end of a period is never shown.
        if stretch > 0 { local = max(local, localEnds[stretch - 1] - 1) }
        return local >= 0 ? local / Self.dayMs : (local + 1) / Self.dayMs - 1
    }

    package func moment(showing local: LocalMs) -> LocalTimeMatch {
        let stretch = Self.count(localEnds) { $0 <= local }
        let offset = offsets[stretch]
        guard stretch == 0 || local >= changes[stretch - 1] + offset else {
            let before = offsets[stretch - 1]
            return LocalTimeMatch(firstMs: local &- before, secondMs: nil, missingMs: offset - before)
        }
        var again: Int64?
        if stretch < changes.count, local >= changes[stretch] + offsets[stretch + 1] {
            again = local - offsets[stretch + 1]
        }
        return LocalTimeMatch(firstMs: local &- offset, secondMs: again, missingMs: 0)
    }

    private func periodIndex(atMs ms: Int64) -> Int { Self.count(changes) { $0 <= ms } }

    /// The number of leading elements of a sorted list that fulfil a condition.
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

/// Days in a zone, which are 23, 24 or 25 hours long.
package struct LocalDay: Sendable {
    private let rules: ZoneRules

    /// Uses UTC for an unknown zone. Code that receives a zone from outside checks it with `isKnown` first.
    package init(zone: String) { rules = ZoneRules.load(zone) ?? .utc }

    package static func isKnown(zone: String) -> Bool { ZoneRules.load(zone) != nil }

    package func day(ofWallMs wallMs: Int64) -> CivilDate { rules.day(atMs: wallMs) }

    /// The moment at which the next day begins.
    package func end(ofDayAtWallMs wallMs: Int64) -> Int64 { rules.endOfDay(atMs: wallMs) }
}
