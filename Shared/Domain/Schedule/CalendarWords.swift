import STPlatform

/// Names of days and months, and moments as a clock shows them.
enum CalendarWords {
    private static let days = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
        "November", "December",
    ]

    /// 1 is Sunday.
    static func day(_ weekday: Int) -> String {
        days.indices.contains(weekday - 1) ? days[weekday - 1] : "day \(weekday)"
    }

    static func shortDay(_ weekday: Int) -> String { String(day(weekday).prefix(3)) }

    static func month(_ month: Int) -> String {
        months.indices.contains(month - 1) ? months[month - 1] : "month \(month)"
    }

    static func shortMonth(_ month: Int) -> String { String(self.month(month).prefix(3)) }

    /// `22:00`; seconds and milliseconds only where there are some.
    static func time(_ msOfDay: Int64) -> String {
        let seconds = msOfDay / 1000 % 60
        let ms = msOfDay % 1000
        var text = "\(pad(msOfDay / LocalClock.hourMs, 2)):\(pad(msOfDay / 60_000 % 60, 2))"
        if seconds != 0 || ms != 0 { text += ":\(pad(seconds, 2))" }
        if ms != 0 { text += ".\(pad(ms, 3))" }
        return text
    }

    /// `Sat 21 Nov 22:00`, with the year unless it is the one that goes without saying.
    static func moment(_ localMs: Int64, yearOf known: Int64? = nil) -> String {
        let date = LocalClock.date(localMs)
        let year = known.map { LocalClock.date($0).year } == date.year ? "" : " \(date.year)"
        return "\(shortDay(LocalClock.weekday(localMs))) \(date.day) \(shortMonth(date.month))\(year) "
            + time(LocalClock.floorModulo(localMs, LocalClock.dayMs))
    }

    private static func pad(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
