import STContracts
import STDomain
import STPlatform

/// Converts moments to the local time of the page's zone, and to texts.
package struct PageClock: Sendable {
    private static let dayMs: Int64 = 86_400_000
    private static let hourMs: Int64 = 3_600_000

    private let zone: String?
    private let strings: PageStrings

    /// The rules of the zone. They are read only if a moment is shown, because this takes milliseconds and many pages show none.
    private var rules: ZoneRules? { zone.flatMap(ZoneRules.load) }

    /// Creates a clock. Without a valid zone it shows UTC.
    package init(zone: String?, language: String) {
        self.zone = zone
        strings = PageStrings(language: language)
    }

    /// Returns the local time in milliseconds since 1970.
    package func local(_ wallMs: Int64) -> Int64 { rules?.localMs(atMs: wallMs) ?? wallMs }

    func date(local: Int64) -> CivilDate {
        CivilDate(daysSinceEpoch: Int(Self.floor(local, Self.dayMs)))
    }

    func hour(local: Int64) -> Int {
        Int(Self.floor(local, Self.hourMs) - Self.floor(local, Self.dayMs) * 24)
    }

    func minute(local: Int64) -> Int { Int(Self.floor(local, 60_000) - Self.floor(local, Self.hourMs) * 60) }

    /// Returns the local start of the day.
    func dayStart(local: Int64) -> Int64 { Self.floor(local, Self.dayMs) * Self.dayMs }

    /// Returns the local start of the month that is `count` months later.
    func month(local: Int64, adding count: Int) -> Int64 {
        let date = date(local: local)
        let months = date.year * 12 + date.month - 1 + count
        return Int64(CivilDate(year: months / 12, month: months % 12 + 1, day: 1).daysSinceEpoch) * Self.dayMs
    }

    /// Returns an hour, for example `09:00`.
    func hourName(_ hour: Int) -> String {
        hour < 10
            ? strings.text("page.hour-below-10", "0\(hour, "hour"):00")
            : strings.text("page.hour", "\(hour, "hour"):00")
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Returns a time, for example `17:05`. The format is the same in every language.
    package func time(local: Int64) -> String {
        Self.twoDigits(hour(local: local)) + ":" + Self.twoDigits(minute(local: local))
    }

    /// Returns a weekday, for example `Mon`.
    func weekday(local: Int64) -> String {
        CalendarNames.shortDay(date(local: local).weekday, in: strings.language)
    }

    /// Returns a day, for example `20 Nov`.
    package func day(local: Int64) -> String {
        let date = date(local: local)
        let month = CalendarNames.shortMonth(date.month, in: strings.language)
        return strings.text("page.day-month", "\(date.day, "day") \(month, "month")")
    }

    /// Returns a month, for example `Nov`. For January it returns the year.
    func monthName(local: Int64) -> String {
        let date = date(local: local)
        if date.month == 1 { return strings.text("page.year", "\(date.year, "year")") }
        return CalendarNames.shortMonth(date.month, in: strings.language)
    }

    /// Returns the text of a step, for example `Fri, 20 Nov`.
    func accessibilityText(local: Int64, step: PageDateStep?) -> String {
        let date = date(local: local)
        switch step {
        case .hour: return day(local: local) + ", " + hourName(hour(local: local))
        case .day:
            return strings.text(
                "page.weekday-date",
                "\(weekday(local: local), "weekday"), \(day(local: local), "date")"
            )
        case .week:
            return strings.text("page.week-of", "Week of \(day(local: local), "day")")
        case .month:
            let month = CalendarNames.shortMonth(date.month, in: strings.language)
            return strings.text("page.month-year", "\(month, "month") \(date.year, "year")")
        case nil, .unknown: return day(local: local) + ", " + time(local: local)
        }
    }

    private static func floor(_ value: Int64, _ unit: Int64) -> Int64 {
        let quotient = value / unit
        return value % unit < 0 ? quotient - 1 : quotient
    }
}
