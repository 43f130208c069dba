import STDomain
import STPlatform

/// Before when something does not open, as people say it: `tomorrow at 07:00`, `내일 07:00`.
///
/// Not when it opens: another rule may begin by then, and only the first end of each is known.
enum OpeningWords {
    /// Nil for what should have opened by now: nobody can say when it will.
    static func of(_ opensMs: Int64, fromMs nowMs: Int64, zone: String, in language: WordLanguage) -> String?
    {
        guard opensMs > nowMs else { return nil }
        let days = LocalDay(zone: zone)
        // Wherever the clock stands then: where it is set at midnight, a day may begin at one o'clock.
        if opensMs == days.end(ofDayAtWallMs: nowMs) { return language.pick("midnight", "자정") }
        let time = clock(opensMs, zone: zone)
        let today = days.day(ofWallMs: nowMs).daysSinceEpoch
        let date = days.day(ofWallMs: opensMs)
        switch date.daysSinceEpoch - today {
        case ...0: return language.pick(time, time)
        case 1: return language.pick("tomorrow at \(time)", "내일 \(time)")
        // The same day of the next week has the same name as today.
        case 2...6:
            let day = CalendarNames.day(date.weekday, in: language)
            return language.pick("\(day) at \(time)", "\(day) \(time)")
        default:
            let month = CalendarNames.month(date.month, in: language)
            return language.pick("\(date.day) \(month) at \(time)", "\(month) \(date.day)일 \(time)")
        }
    }

    /// When the words for it become others, in what is still before it: at midnight tomorrow becomes today.
    static func goodUntil(_ opensMs: Int64, fromMs nowMs: Int64, zone: String) -> Int64? {
        let midnight = LocalDay(zone: zone).end(ofDayAtWallMs: nowMs)
        return midnight < opensMs ? midnight : nil
    }

    /// `07:00`, as clocks of the zone show it.
    private static func clock(_ wallMs: Int64, zone: String) -> String {
        // As `LocalDay`: an unknown zone counts as UTC.
        let localMs = ZoneRules.of(zone)?.localMs(atMs: wallMs) ?? wallMs
        let minutes = (localMs / 60_000 % 1440 + 1440) % 1440
        return two(minutes / 60) + ":" + two(minutes % 60)
    }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : String(number) }
}
