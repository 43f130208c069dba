import Foundation
import STDomain

/// Foundation's moment for `2026-11-20 22:00` or `2026-11-20 22:00:30` in a zone. Use UTC for repeated and skipped hours.
func at(_ text: String, _ zone: String = "UTC") -> Int64 {
    let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: zone) ?? .gmt
    let parts = DateComponents(
        year: numbers[0],
        month: numbers[1],
        day: numbers[2],
        hour: numbers[3],
        minute: numbers[4],
        second: numbers.count > 5 ? numbers[5] : 0
    )
    return calendar.date(from: parts).map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) } ?? .min
}

/// The components of `22:00`, `22:00:30` or `Mon 22:00`.
func time(_ text: String) -> DateFields {
    let parts = text.split(separator: " ")
    let numbers = parts[parts.count - 1].split(separator: ":").compactMap { Int($0) }
    let names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    return DateFields(
        hour: numbers[0],
        minute: numbers.count > 1 ? numbers[1] : nil,
        second: numbers.count > 2 ? numbers[2] : nil,
        weekday: parts.count == 2 ? names.firstIndex(of: String(parts[0])).map { $0 + 1 } : nil
    )
}

/// The components of `2026-11-20 22:00`.
func date(_ text: String) -> DateFields {
    let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
    return DateFields(
        year: numbers[0],
        month: numbers[1],
        day: numbers[2],
        hour: numbers.count > 3 ? numbers[3] : nil,
        minute: numbers.count > 4 ? numbers[4] : nil
    )
}

func daily(_ start: String, _ end: String, days: [Int]? = nil) -> Schedule {
    Schedule(start: time(start), end: time(end), repeats: true, days: days)
}

func once(_ start: String, _ end: String) -> Schedule {
    Schedule(start: date(start), end: date(end), repeats: false)
}
