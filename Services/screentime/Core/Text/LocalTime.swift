import Glibc
import STPlatform

/// Moments as people read them, in the zone of this computer.
enum LocalTime {
    /// `2026-11-20 17:00`.
    static func text(wallMs: Int64) -> String {
        let parts = broken(wallMs)
        return CivilDate(
            year: Int(parts.tm_year) + 1900,
            month: Int(parts.tm_mon) + 1,
            day: Int(parts.tm_mday)
        ).text
            + " " + two(parts.tm_hour) + ":" + two(parts.tm_min)
    }

    /// `17:00:00.000`.
    static func clock(wallMs: Int64) -> String {
        let parts = broken(wallMs)
        let rest = String(1000 + (wallMs % 1000 + 1000) % 1000).dropFirst()
        return two(parts.tm_hour) + ":" + two(parts.tm_min) + ":" + two(parts.tm_sec) + "." + rest
    }

    /// `2026-11-20 17:00` of a moment as it stands on the wire; the text itself when it is none.
    static func text(wire: String) -> String { RFC3339.wallMs(wire).map { text(wallMs: $0) } ?? wire }

    /// `Friday, 2026-11-20`.
    static func day(_ text: String) -> String {
        guard let date = CivilDate(text: text) else { return text }
        return CalendarNames.day(date.weekday) + ", " + text
    }

    private static func broken(_ wallMs: Int64) -> tm {
        var seconds = time_t(wallMs >= 0 ? wallMs / 1000 : (wallMs - 999) / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return parts
    }

    private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : String(number) }
}
