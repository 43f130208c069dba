package import Foundation

/// Moments as the clock on the wall shows them.
package enum LocalTime {
    /// Such as 2026-11-20 10:30:05.
    package static func text(_ date: Date, calendar: Calendar = .current) -> String {
        let parts = calendar.dateComponents([.hour, .minute, .second], from: date)
        let time = TimeOfDay(hour: parts.hour ?? 0, minute: parts.minute ?? 0, second: parts.second ?? 0)
        return "\(Day(date, calendar: calendar).text) \(time.text)"
    }
}
