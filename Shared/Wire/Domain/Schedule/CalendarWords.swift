import STPlatform

/// Moments as a clock shows them.
enum CalendarWords {
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
        let (day, month) = (CalendarNames.shortDay(date.weekday), CalendarNames.shortMonth(date.month))
        return "\(day) \(date.day) \(month)\(year) "
            + time(LocalClock.floorModulo(localMs, LocalClock.dayMs))
    }

    private static func pad(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
