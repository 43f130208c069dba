import STDomain
import STPlatform

/// Cuts stretches of time into the local hours of the zone they were lived in.
///
/// Most rows lie in the hour of the row before, so the last answer is kept.
struct LivedTime: Sendable {
    struct Part {
        var hour: LivedHour
        var startMs: Int64
        var ms: Int64
    }

    private static let hourMs: Int64 = 3_600_000
    static let dayMs: Int64 = 86_400_000

    private var zone: String?
    private var rules: ZoneRules?
    private var last: (hour: LivedHour, fromMs: Int64, toMs: Int64)?

    /// The hour around a moment, and the first moment after it.
    mutating func hour(atMs ms: Int64, zone: String) -> (hour: LivedHour, endMs: Int64) {
        if self.zone != zone {
            self.zone = zone
            rules = Self.rules(zone)
            last = nil
        }
        if let last, ms >= last.fromMs, ms < last.toMs { return (last.hour, last.toMs) }
        guard let rules else { return (LivedHour(startS: ms / 1000, offsetS: 0, day: 0), ms + 1) }
        let found = Self.hour(atMs: ms, rules)
        last = (found.hour, found.hour.startMs, found.endMs)
        return found
    }

    /// A stretch that touches no time has no parts.
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

    /// An unknown zone counts as UTC: time lived in it is not lost.
    static func rules(_ zone: String) -> ZoneRules? { ZoneRules.of(zone) ?? ZoneRules.of("UTC") }

    static func hour(atMs ms: Int64, _ rules: ZoneRules) -> (hour: LivedHour, endMs: Int64) {
        let steady = rules.steady(atMs: ms)
        let local = floor(ms + steady.offsetMs, hourMs)
        let startMs = max(local - steady.offsetMs, steady.fromMs)
        let hour = LivedHour(
            startS: floor(startMs, 1000) / 1000,
            offsetS: floor(steady.offsetMs, 1000) / 1000,
            day: day(atMs: startMs, rules)
        )
        return (hour, min(local + hourMs - steady.offsetMs, steady.toMs))
    }

    /// The day that counts at a moment.
    ///
    /// Where clocks are set back over midnight, the day that has begun goes on.
    static func day(atMs ms: Int64, _ rules: ZoneRules) -> Int64 {
        // The last time that was shown before clocks were set, not the one at which they were.
        floor(max(rules.localMs(atMs: ms), rules.latestLocalMs(upToMs: ms) - 1), dayMs) / dayMs
    }

    /// The first moment of a day.
    static func startMs(ofDay day: Int64, _ rules: ZoneRules) -> Int64 {
        let showing = rules.moment(showing: day * dayMs)
        // Midnight itself was jumped over: the day begins with the jump.
        return showing.missingMs > 0 ? rules.steady(atMs: showing.firstMs).fromMs : showing.firstMs
    }

    /// The multiple at or before a number.
    static func floor(_ value: Int64, _ step: Int64) -> Int64 {
        let rest = value % step
        return value - (rest < 0 ? rest + step : rest)
    }
}

/// A local hour as it was lived; where clocks were set within it, the part before and the part after are two.
///
/// An hour lived in another zone is another one, even when both begin at one moment.
struct LivedHour: Hashable, Sendable {
    /// Its first moment, in seconds since 1970; clocks are set at whole seconds.
    var startS: Int64
    /// How far its clock is from UTC.
    var offsetS: Int64
    /// The civil day that it is part of, in days since 1970-01-01.
    var day: Int64

    var startMs: Int64 { startS * 1000 }
}
