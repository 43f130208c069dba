import STDomain
import STPlatform

/// Cuts intervals into local hours of the time zone in which they took place.
///
/// Most rows are in the same hour as their predecessor, so the last result is kept.
struct LocalHours: Sendable {
    struct Part {
        var hour: LocalHour
        var start: WallTime
        var length: Duration
    }

    private static let hourLength = Duration.seconds(3_600)
    static let dayLength = Duration.seconds(86_400)

    private var zone: String?
    private var rules: ZoneRules?
    private var last: (hour: LocalHour, from: WallTime, to: WallTime)?

    /// Returns the hour that contains a moment, and the first moment after the hour.
    mutating func hour(at moment: WallTime, zone: String) -> (hour: LocalHour, end: WallTime) {
        if self.zone != zone {
            self.zone = zone
            rules = Self.rules(zone)
            last = nil
        }
        if let last, moment >= last.from, moment < last.to { return (last.hour, last.to) }
        guard let rules else {
            return (LocalHour(startS: moment.ms / 1000, offsetS: 0, day: 0), moment + .milliseconds(1))
        }
        let found = Self.hour(at: moment, rules)
        last = (found.hour, found.hour.start, found.end)
        return found
    }

    /// Returns the parts of an interval. An empty interval has none.
    mutating func parts(start: WallTime, length: Duration, zone: String) -> [Part] {
        var parts: [Part] = []
        var moment = start
        let end = start + length
        while moment < end {
            let (hour, hourEnd) = hour(at: moment, zone: zone)
            let cut = min(end, max(hourEnd, moment + .milliseconds(1)))
            parts.append(Part(hour: hour, start: moment, length: cut - moment))
            moment = cut
        }
        return parts
    }

    /// Returns the rules of a time zone. An unknown zone counts as UTC, so that its time is not lost.
    static func rules(_ zone: String) -> ZoneRules? { ZoneRules.load(zone) ?? ZoneRules.load("UTC") }

    static func hour(at moment: WallTime, _ rules: ZoneRules) -> (hour: LocalHour, end: WallTime) {
        let steady = rules.period(atMs: moment.ms)
        let local = floor(moment.ms + steady.offsetMs, hourLength.ms)
        let start = WallTime(ms: max(local - steady.offsetMs, steady.fromMs))
        let hour = LocalHour(
            startS: floor(start.ms, 1000) / 1000,
            offsetS: floor(steady.offsetMs, 1000) / 1000,
            day: day(at: start, rules)
        )
        return (hour, WallTime(ms: min(local + hourLength.ms - steady.offsetMs, steady.toMs)))
    }

    /// Returns the day that contains a moment.
    ///
    /// If clocks are set back over midnight, the day that has begun continues.
    static func day(at moment: WallTime, _ rules: ZoneRules) -> Int64 {
        // The last time shown before the clocks were set, not the time to which they were set.
        let local = max(rules.localMs(atMs: moment.ms), rules.latestLocalMs(upToMs: moment.ms) - 1)
        return floor(local, dayLength.ms) / dayLength.ms
    }

    /// Returns the first moment of a day.
    static func start(ofDay day: Int64, _ rules: ZoneRules) -> WallTime {
        let showing = rules.moment(showing: day * dayLength.ms)
        // If the clocks skip midnight, the day begins with the skip.
        let ms = showing.missingMs > 0 ? rules.period(atMs: showing.firstMs).fromMs : showing.firstMs
        return WallTime(ms: ms)
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

    var start: WallTime { WallTime(ms: startS * 1000) }
}
