package import STPlatform

/// Moments in the words of people: `22:04`, `midnight`, `tomorrow at 07:00`, `Friday at 07:00`, `20 November at 07:00`.
package struct MomentFormatter: Sendable {
    private let now: WallTime
    private let zone: String
    package let language: DisplayLanguage

    /// Uses UTC if the zone is unknown.
    package init(fromMs nowMs: Int64, zone: String, in language: DisplayLanguage = .english) {
        now = WallTime(ms: nowMs)
        self.zone = zone
        self.language = language
    }

    package func text(_ wallMs: Int64) -> String { message(wallMs).text(in: language) }

    package func message(_ wallMs: Int64) -> Message { parts(WallTime(ms: wallMs)).text }

    /// The text of a moment in wire format. Returns `wire` itself if it is not a moment.
    package func text(wire: String) -> String { RFC3339.wallMs(wire).map(text) ?? wire }

    /// The text of a moment with its preposition: `at 22:04`, `tomorrow at 07:00`, `on Friday at 07:00`.
    package func at(_ wallMs: Int64) -> String {
        let (before, text) = parts(WallTime(ms: wallMs))
        let message =
            switch before {
            case .at: Message("date.at-moment", "at \(text, "moment")")
            case .on: Message("date.on-moment", "on \(text, "moment")")
            case .nothing: Message("date.moment", "\(text, "moment")")
            }
        return message.text(in: language)
    }

    package func at(wire: String) -> String { RFC3339.wallMs(wire).map(at) ?? wire }

    /// The moment at which the text of a future moment changes: at midnight, tomorrow becomes today. `nil` if it does not change.
    package func validUntil(_ wallMs: Int64) -> Int64? {
        let midnight = LocalDay(zone: zone).end(ofDayAtWallMs: now.ms)
        return midnight < wallMs ? midnight : nil
    }

    /// The preposition of a moment in an English sentence.
    private enum Preposition {
        case at, on, nothing
    }

    private func parts(_ wall: WallTime) -> (before: Preposition, text: Message) {
        let days = LocalDay(zone: zone)
        // The end of the day by the zone's rules. If clocks are set forward at midnight, a day begins at one o'clock.
        let midnight = WallTime(ms: days.end(ofDayAtWallMs: now.ms))
        // To the minute, like all moments here.
        if (midnight..<midnight + .seconds(60)).contains(wall) {
            return (.at, Message("date.midnight", "midnight"))
        }
        let time = clock(wall)
        let (date, today) = (days.day(ofWallMs: wall.ms), days.day(ofWallMs: now.ms))
        switch date.daysSinceEpoch - today.daysSinceEpoch {
        case 0: return (.at, Message(verbatim: time))
        case 1: return (.nothing, Message("date.tomorrow-at", "tomorrow at \(time, "time")"))
        case -1: return (.nothing, Message("date.yesterday-at", "yesterday at \(time, "time")"))
        // The same day of the next week would have the same name as today.
        case 2...6:
            let day = CalendarNames.day(date.weekday)
            return (.on, Message("date.at", "\(day, "day") at \(time, "time")"))
        default:
            let month = CalendarNames.month(date.month)
            let text =
                date.year == today.year
                ? Message("date.day-month-at", "\(date.day, "day") \(month, "month") at \(time, "time")")
                : Message(
                    "date.day-month-year-at",
                    "\(date.day, "day") \(month, "month") \(date.year, "year") at \(time, "time")"
                )
            return (.on, text)
        }
    }

    /// The time in the zone, such as `07:00`.
    private func clock(_ wall: WallTime) -> String {
        let localMs = (ZoneRules.load(zone) ?? .utc).localMs(atMs: wall.ms)
        let minutes = (localMs / 60_000 % 1440 + 1440) % 1440
        return Self.twoDigits(minutes / 60) + ":" + Self.twoDigits(minutes % 60)
    }

    private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : String(number) }
}
