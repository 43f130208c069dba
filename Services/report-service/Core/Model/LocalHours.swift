import STDomain
import STPlatform

/// Cuts intervals into local hours of the time zone in which they took place.
///
/// Most rows are in the same hour as their predecessor, so the last result is kept.
struct LocalHours: Sendable {
    struct Part {
        var hour: LocalHour
        var startMs: Int64
        var ms: Int64
    }

    private static let hourMs: Int64 = 3_600_000
    static let dayMs: Int64 = 86_400_000

    private var zone: String?
    private var rules: ZoneRules?
    private var last: (hour: LocalHour, fromMs: Int64, toMs: Int64)?

    /// Returns the hour that contains a moment, and the first moment after the hour.
    mutating func hour(atMs ms: Int64, zone: String) -> (hour: LocalHour, endMs: Int64) {
        if self.zone != zone {
            self.zone = zone
            rules = Self.rules(zone)
            last = nil
        }
        if let last, ms >= last.fromMs, ms < last.toMs { return (last.hour, last.toMs) }
        guard let rules else { return (LocalHour(startS: ms / 1000, offsetS: 0, day: 0), ms + 1) }
        let found = Self.hour(atMs: ms, rules)
        last = (found.hour, found.hour.startMs, found.endMs)
        return found
    }

    /// Returns the parts of an interval. An empty interval has none.
    mutating func parts(startMs: Int64, durationMs: Int64, zone: String) -> [Part] {
        var parts: [Part] = []
        var moment = startMs
        let endMs = startMs + durationMs
        while moment < endMs {
            let (hour, hourEndMs) = hour(atMs: moment, zone: zone)
            let cut = min(endMs, max(hourEndMs, moment + 1))
            parts.append(Part(hour: hour, startMs: moment, ms: cut - moment))
            moment = cut
        }
        return parts
    }

    /// Returns the rules of a time zone. An unknown zone counts as UTC, so that its time is not lost.
    static func rules(_ zone: String) -> ZoneRules? { ZoneRules.load(zone) ?? ZoneRules.load("UTC") }

    static func hour(atMs ms: Int64, _ rules: ZoneRules) -> (hour: LocalHour, endMs: Int64) {
        let steady = rules.period(atMs: ms)
        let local = floor(ms + steady.offsetMs, hourMs)
        let startMs = max(local - steady.offsetMs, steady.fromMs)
        let hour = LocalHour(
            startS: floor(startMs, 1000) / 1000,
            offsetS: floor(steady.offsetMs, 1000) / 1000,
            day: day(atMs: startMs, rules)
        )
        return (hour, min(local + hourMs - steady.offsetMs, steady.toMs))
    }

    /// Returns the day that contains a moment.
    ///
    /// If clocks are set back over midnight, the day that has begun continues.
    static func day(atMs ms: Int64, _ rules: ZoneRules) -> Int64 {
        // The last time shown before the clocks were set, not the time to which they were set.
        floor(max(rules.localMs(atMs: ms), rules.latestLocalMs(upToMs: ms) - 1), dayMs) / dayMs
    }

    /// Returns the first moment of a day.
    static func startMs(ofDay day: Int64, _ rules: ZoneRules) -> Int64 {
        let showing = rules.moment(showing: day * dayMs)
        // If the clocks skip midnight, the day begins with the skip.
        return showing.missingMs > 0 ? rules.period(atMs: showing.firstMs).fromMs : showing.firstMs
    }

    /// Returns the largest multiple of `step` that is not above `value`.
    static func floor(_ value: Int64, _ step: Int64) -> Int64 {
        let rest = value % step
        return value - (rest < 0 ? rest + step : rest)
    }
}

/// A local hour. If clocks were set within it, the parts before and after are two hours.
///
/// An hour in another time zone is a different one, even if both begin at the same moment.
struct LocalHour: Hashable, Sendable {
    /// The first moment, in seconds since 1970. Clocks are set at whole seconds.
    var startS: Int64
    /// Offset of its local time from UTC, in seconds.
    var offsetS: Int64
    /// The civil day that contains it, in days since 1970-01-01.
    var day: Int64

    var startMs: Int64 { startS * 1000 }
}
