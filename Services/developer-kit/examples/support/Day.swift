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

    /// Such as 2026-11-20; nil for anything but a day.
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

/// What became of each day.
///
/// Stored as text with one letter per day, such as `2026-11-20:KKB.K`: small, and readable when something is odd.
package struct DayMarks<Mark: RawRepresentable & Hashable>: Equatable where Mark.RawValue == Character {
    /// Three years; the oldest days go first.
    package static var daysMax: Int { 1_100 }
    /// A longer pause without any mark begins a piece of its own.
    private static var gapMax: Int { 31 }
    private static var nothing: Character { "." }

    private var marks: [Day: Mark] = [:]

    package init() {}

    /// Pieces that make no sense are left out: a streak is worth more than a strict parser.
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

    /// How many such days in a row end with that day, or with one before it if nothing is known of that day yet.
    ///
    /// A day without a mark was not watched. It neither lengthens a row nor breaks it.
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

/// Numbers filled up with zeros; a format string would bring in much more than that.
package enum Digits {
    package static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    package static func four(_ number: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, 4 - text.count)) + text
    }
}
