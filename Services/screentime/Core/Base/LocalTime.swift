import Glibc
package import STPlatform

/// Formats moments in the time zone of this computer.
package enum TimeText {
    /// Returns `2026-11-20 17:00`.
    package static func text(_ moment: WallTime) -> String {
        let parts = broken(moment)
        return CivilDate(
            year: Int(parts.tm_year) + 1900,
            month: Int(parts.tm_mon) + 1,
            day: Int(parts.tm_mday)
        ).text
            + " " + two(parts.tm_hour) + ":" + two(parts.tm_min)
    }

    /// Returns `17:00:00.000`.
    static func clock(_ moment: WallTime) -> String {
        let parts = broken(moment)
        let rest = String(1000 + (moment.ms % 1000 + 1000) % 1000).dropFirst()
        return two(parts.tm_hour) + ":" + two(parts.tm_min) + ":" + two(parts.tm_sec) + "." + rest
    }

    /// Returns `2026-11-20 17:00` for a moment in the format of the wire. Returns any other text unchanged.
    package static func text(wire: String) -> String {
        RFC3339.wallMs(wire).map { text(WallTime(ms: $0)) } ?? wire
    }

    /// Returns `Friday, 2026-11-20`.
    static func day(_ text: String) -> String {
        guard let date = CivilDate(text: text) else { return text }
        let weekday = CalendarNames.day(date.weekday, in: Speech.language)
        return Speech.say("command.weekday-and-date", "\(weekday, "weekday"), \(text, "date")")
    }

    private static func broken(_ moment: WallTime) -> tm {
        var seconds = time_t(moment.ms >= 0 ? moment.ms / 1000 : (moment.ms - 999) / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return parts
    }

    private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : String(number) }
}

/// Converts moments to days and times of one time zone.
package struct ZonedClock: Sendable {
    private let offset: @Sendable (WallTime) -> Duration
    /// The zone's name for services. If it is `nil`, services use their own zone.
    package let zone: String?

    /// The clock of this computer's time zone.
    package static let here = ZonedClock(zone: known(LocalZone.identifier())) { moment in
        var seconds = time_t(floored(moment.ms, 1000))
        var parts = tm()
        localtime_r(&seconds, &parts)
        return .seconds(parts.tm_gmtoff)
    }

    /// Creates a clock from the function that returns the offset from UTC at a moment.
    package init(zone: String? = nil, offset: @escaping @Sendable (WallTime) -> Duration) {
        self.zone = zone
        self.offset = offset
    }

    /// The moment as the clock shows it, in milliseconds since the zone's midnight on 1 January 1970.
    private func localMs(_ moment: WallTime) -> Int64 { moment.ms + offset(moment).ms }

    package func day(_ moment: WallTime) -> CivilDate {
        CivilDate(daysSinceEpoch: Int(Self.floored(localMs(moment), 86_400_000)))
    }

    /// Returns the minutes since midnight as the clock shows them.
    package func minuteOfDay(_ moment: WallTime) -> Int {
        let local = localMs(moment)
        return Int((local - Self.floored(local, 86_400_000) * 86_400_000) / 60_000)
    }

    package func hour(_ moment: WallTime) -> Int { minuteOfDay(moment) / 60 }

    /// Returns `17:05`.
    package func time(_ moment: WallTime) -> String { Self.time(minute: minuteOfDay(moment)) }

    /// Returns the first moment of a day. If the clock skips midnight on that day, this is a later time.
    package func start(of day: CivilDate) -> WallTime {
        let local = WallTime(ms: Int64(day.daysSinceEpoch) * 86_400_000)
        // The offset may change around midnight. The start is the first moment that belongs to the day.
        let moments = [-1, 1].map { local - offset(local + .seconds($0 * 86_400)) }.sorted()
        return moments.first { self.day($0) == day } ?? moments[1]
    }

    package func startOfHour(_ moment: WallTime) -> WallTime {
        WallTime(ms: Self.floored(localMs(moment), 3_600_000) * 3_600_000) - offset(moment)
    }

    /// Returns `2026-11-20T17:05:00+09:00`.
    package func exact(_ moment: WallTime) -> String {
        let offset = offset(moment).ms
        let local = moment.ms + offset
        let second = (local - Self.floored(local, 60_000) * 60_000) / 1000
        let minutes = offset.magnitude / 60_000
        let zone = (offset < 0 ? "-" : "+") + Self.time(minute: Int(minutes))
        return day(moment).text + "T" + time(moment) + ":" + Self.two(Int(second)) + zone
    }

    /// Returns `nil` for a zone without a file. Services then use the zone of this computer, as this clock does.
    private static func known(_ zone: String) -> String? {
        access("/usr/share/zoneinfo/" + zone, R_OK) == 0 ? zone : nil
    }

    package static func time(minute: Int) -> String { two(minute / 60) + ":" + two(minute % 60) }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

    private static func floored(_ value: Int64, _ unit: Int64) -> Int64 {
        value >= 0 ? value / unit : (value - unit + 1) / unit
    }
}

/// Parses moments as people write them, in the time zone of this computer.
package enum LocalMoment {
    static let expectation = Message(
        "command.moment-expectation",
        """
        a day (2026-11-20), a day and a time (“2026-11-20 17:00”), a time today (17:00), “yesterday 17:00”, \
        monday, or now
        """
    )

    /// Returns `nil` for any other text.
    package static func wall(_ text: String, now: WallTime) -> WallTime? {
        if text == "now" { return now }
        if let exact = RFC3339.wallMs(text) { return WallTime(ms: exact) }
        let parts = text.split(omittingEmptySubsequences: false) { $0 == " " || $0 == "T" }.map(String.init)
        switch parts.count {
        case 1:
            if let day = day(parts[0], now) { return moment(day, (0, 0, 0)) }
            return time(parts[0]).flatMap { moment(today(now), $0) }
        case 2:
            guard let day = day(parts[0], now), let time = time(parts[1]) else { return nil }
            return moment(day, time)
        default: return nil
        }
    }

    private static func time(_ text: String) -> (hour: Int, minute: Int, second: Int)? {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(fields.count),
            fields.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { (48...57).contains($0) } })
        else { return nil }
        let numbers = fields.compactMap { Int($0) } + [0]
        guard numbers[0] < 24, numbers[1] < 60, numbers[2] < 60 else { return nil }
        return (numbers[0], numbers[1], numbers[2])
    }

    /// Parses `2026-11-20`, `today`, `yesterday`, and weekdays such as `monday` or `mon`. A weekday is the last one and may be
    /// today.
    static func day(_ text: String, _ now: WallTime) -> CivilDate? {
        let word = text.lowercased()
        switch word {
        case "today": return today(now)
        case "yesterday": return today(now).adding(days: -1)
        default: break
        }
        let weekday = (1...7).first { weekday in
            let name = CalendarNames.day(weekday, in: .english).lowercased()
            return name == word || name.prefix(3) == word
        }
        if let weekday {
            let today = today(now)
            return today.adding(days: -((today.weekday - weekday + 7) % 7))
        }
        return CivilDate(text: text)
    }

    static func today(_ now: WallTime) -> CivilDate {
        var seconds = time_t(now.ms / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return CivilDate(
            year: Int(parts.tm_year) + 1900,
            month: Int(parts.tm_mon) + 1,
            day: Int(parts.tm_mday)
        )
    }

    private static func moment(_ day: CivilDate, _ time: (hour: Int, minute: Int, second: Int)) -> WallTime? {
        var parts = tm()
        parts.tm_year = Int32(clamping: day.year - 1900)
        parts.tm_mon = Int32(day.month - 1)
        parts.tm_mday = Int32(day.day)
        parts.tm_hour = Int32(time.hour)
        parts.tm_min = Int32(time.minute)
        parts.tm_sec = Int32(time.second)
        // `mktime` determines from the zone if summer time applies.
        parts.tm_isdst = -1
        let seconds = mktime(&parts)
        return seconds == -1 ? nil : WallTime(ms: Int64(seconds) * 1000)
    }
}
