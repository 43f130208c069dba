package import Foundation

/// A day of the calendar, however many hours it has.
package struct Day: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01.
    package let number: Int

    package init(number: Int) { self.number = number }

    /// The day in which that moment lies, by the clock on the wall.
    package init(_ date: Date, calendar: Calendar = .current) {
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        self.init(year: parts.year ?? 1970, month: parts.month ?? 1, day: parts.day ?? 1)
    }

    /// Counted from a March, so that the leap day is the last one of its year.
    package init(year: Int, month: Int, day: Int) {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        number = era * 146_097 + dayOfEra - 719_468
    }

    /// Such as 2026-11-20; nil for what is no day.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3,
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
            (1...12).contains(month), year > 0
        else { return nil }
        self.init(year: year, month: month, day: day)
        // The 31st of November would be the 1st of December.
        guard self.text == text else { return nil }
    }

    package var parts: (year: Int, month: Int, day: Int) {
        let days = number + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let fromMarch = (5 * dayOfYear + 2) / 153
        let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * fromMarch + 2) / 5 + 1
        )
    }

    /// Such as 2026-11-20.
    package var text: String {
        let parts = parts
        return "\(Digits.four(parts.year))-\(Digits.two(parts.month))-\(Digits.two(parts.day))"
    }

    /// 1 is Sunday, as in Calendar.
    package var weekday: Int {
        let fromThursday = number % 7
        return (fromThursday + 7 + 4) % 7 + 1
    }

    package func advanced(by days: Int) -> Day { Day(number: number + days) }

    package static func < (one: Day, other: Day) -> Bool { one.number < other.number }
}
