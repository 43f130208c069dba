package import Foundation

/// A calendar day, independent of its number of hours.
package struct Day: Hashable, Comparable, Sendable {
    /// The number of days since 1970-01-01.
    package let number: Int

    package init(number: Int) { self.number = number }

    /// Creates the day of a date in local time.
    package init(_ date: Date, calendar: Calendar = .current) {
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        self.init(year: parts.year ?? 1970, month: parts.month ?? 1, day: parts.day ?? 1)
    }

    /// Creates a day. The calculation starts years in March, so that the leap day is the last day of its year.
    package init(year: Int, month: Int, day: Int) {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        number = era * 146_097 + dayOfEra - 719_468
    }

    /// Parses a day, for example 2026-11-20. Returns `nil` if the text is not a day.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3,
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
            (1...12).contains(month), year > 0
        else { return nil }
        self.init(year: year, month: month, day: day)
        // The calculation would accept the 31st of November as the 1st of December.
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

    /// The day as text, for example 2026-11-20.
    package var text: String {
        let parts = parts
        return "\(Digits.four(parts.year))-\(Digits.two(parts.month))-\(Digits.two(parts.day))"
    }

    /// The weekday. As in `Calendar`, 1 is Sunday.
    package var weekday: Int {
        let fromThursday = number % 7
        return (fromThursday + 7 + 4) % 7 + 1
    }

    package func advanced(by days: Int) -> Day { Day(number: number + days) }

    package static func < (one: Day, other: Day) -> Bool { one.number < other.number }
}

/// The marks of days.
///
/// The stored form is text with one letter per day, for example `2026-11-20:KKB.K`. It is short, and people can read it.
package struct DayMarks<Mark: RawRepresentable & Hashable>: Equatable where Mark.RawValue == Character {
    /// The maximum number of days, about three years. The oldest days are removed first.
    package static var daysMax: Int { 1_100 }
    /// The maximum number of days without a mark inside one section of the text. A longer gap starts a new section.
    private static var gapMax: Int { 31 }
    private static var nothing: Character { "." }

    private var marks: [Day: Mark] = [:]

    package init() {}

    /// Parses the stored form. Invalid sections are ignored, because the loss of a whole streak would be worse.
    package init(text: String) {
        for piece in text.split(separator: " ") {
            let parts = piece.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let first = Day(parts[0]) else { continue }
            for (index, letter) in parts[1].enumerated().prefix(Self.daysMax) {
                if let mark = Mark(rawValue: letter) { marks[first.advanced(by: index)] = mark }
            }
        }
        trim()
    }

    package var text: String {
        var pieces: [String] = []
        var last: Day?
        for (day, mark) in sorted {
            if let last, day.number - last.number <= Self.gapMax {
                let gap = String(repeating: Self.nothing, count: day.number - last.number - 1)
                pieces[pieces.count - 1] += gap + String(mark.rawValue)
            } else {
                pieces.append("\(day.text):\(mark.rawValue)")
            }
            last = day
        }
        return pieces.joined(separator: " ")
    }

    package subscript(day: Day) -> Mark? {
        get { marks[day] }
        set {
            marks[day] = newValue
            trim()
        }
    }

    package var isEmpty: Bool { marks.isEmpty }

    package func count(_ mark: Mark) -> Int { marks.values.count { $0 == mark } }

    /// Returns the number of consecutive days with a mark that end on a day. If that day has no mark yet, they end on an earlier
    /// day.
    ///
    /// A day without a mark was not monitored. It neither extends nor ends the series.
    package func run(of mark: Mark, until last: Day) -> Int {
        var length = 0
        for (day, found) in sorted.reversed() where day <= last {
            guard found == mark else { break }
            length += 1
        }
        return length
    }

    package func longestRun(of mark: Mark) -> Int {
        var longest = 0
        var length = 0
        for (_, found) in sorted {
            length = found == mark ? length + 1 : 0
            longest = max(longest, length)
        }
        return longest
    }

    private var sorted: [(day: Day, mark: Mark)] {
        marks.map { (day: $0.key, mark: $0.value) }.sorted { $0.day < $1.day }
    }

    private mutating func trim() {
        guard marks.count > Self.daysMax else { return }
        for (day, _) in sorted.prefix(marks.count - Self.daysMax) { marks[day] = nil }
    }
}

/// Formats numbers with leading zeros. A format string would require much more code in the program.
package enum Digits {
    package static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    package static func four(_ number: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, 4 - text.count)) + text
    }
}
