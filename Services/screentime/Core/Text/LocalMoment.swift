import Glibc
import STPlatform

/// Moments as people write them, in the zone of this computer.
enum LocalMoment {
    static let expectation =
        "a day such as 2026-11-20, with a time such as “2026-11-20 17:00”, a time of today such as 17:00, “yesterday 17:00”, monday, or now"

    /// Nil for anything else.
    static func wallMs(_ text: String, nowMs: Int64) -> Int64? {
        if text == "now" { return nowMs }
        if let exact = RFC3339.wallMs(text) { return exact }
        let parts = text.split(omittingEmptySubsequences: false) { $0 == " " || $0 == "T" }.map(String.init)
        switch parts.count {
        case 1:
            if let day = day(parts[0], nowMs) { return moment(day, (0, 0, 0)) }
            return time(parts[0]).flatMap { moment(today(nowMs), $0) }
        case 2:
            guard let day = day(parts[0], nowMs), let time = time(parts[1]) else { return nil }
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

    /// `2026-11-20`, `today`, `yesterday`, and `monday` or `mon` for the last one, which may be today.
    static func day(_ text: String, _ nowMs: Int64) -> CivilDate? {
        let word = text.lowercased()
        switch word {
        case "today": return today(nowMs)
        case "yesterday": return today(nowMs).adding(days: -1)
        default: break
        }
        let weekday = (1...7).first { weekday in
            let name = CalendarNames.day(weekday).lowercased()
            return name == word || name.prefix(3) == word
        }
        if let weekday {
            let today = today(nowMs)
            return today.adding(days: -((today.weekday - weekday + 7) % 7))
        }
        return CivilDate(text: text)
    }

    static func today(_ nowMs: Int64) -> CivilDate {
        var seconds = time_t(nowMs / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return CivilDate(
            year: Int(parts.tm_year) + 1900,
            month: Int(parts.tm_mon) + 1,
            day: Int(parts.tm_mday)
        )
    }

    private static func moment(_ day: CivilDate, _ time: (hour: Int, minute: Int, second: Int)) -> Int64? {
        var parts = tm()
        parts.tm_year = Int32(clamping: day.year - 1900)
        parts.tm_mon = Int32(day.month - 1)
        parts.tm_mday = Int32(day.day)
        parts.tm_hour = Int32(time.hour)
        parts.tm_min = Int32(time.minute)
        parts.tm_sec = Int32(time.second)
        // Whether summer time holds then is the zone's to say.
        parts.tm_isdst = -1
        let seconds = mktime(&parts)
        return seconds == -1 ? nil : Int64(seconds) * 1000
    }
}
