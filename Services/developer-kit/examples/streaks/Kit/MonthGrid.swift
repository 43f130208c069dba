package import STAppSupport

/// A month as a calendar on the wall shows it: weeks of seven days, with nothing outside of the month.
package struct MonthGrid: Equatable, Sendable {
    package let year: Int
    package let month: Int
    package let weeks: [[Day?]]

    /// `firstWeekday` as in Calendar: 1 is Sunday.
    package init(year: Int, month: Int, firstWeekday: Int) {
        self.year = year
        self.month = month
        let first = Day(year: year, month: month, day: 1)
        let next =
            month == 12 ? Day(year: year + 1, month: 1, day: 1) : Day(year: year, month: month + 1, day: 1)
        let empty = (first.weekday - firstWeekday + 7) % 7
        var cells: [Day?] = Array(repeating: nil, count: empty)
        cells += (first.number..<next.number).map { Day(number: $0) }
        cells += Array(repeating: nil, count: (7 - cells.count % 7) % 7)
        weeks = stride(from: 0, to: cells.count, by: 7).map { Array(cells[$0..<($0 + 7)]) }
    }

    package init(of day: Day, firstWeekday: Int) {
        self.init(year: day.parts.year, month: day.parts.month, firstWeekday: firstWeekday)
    }

    /// Such as 2026-11; nil for anything but a month.
    package init?(_ text: String, firstWeekday: Int) {
        guard let day = Day("\(text)-01") else { return nil }
        self.init(of: day, firstWeekday: firstWeekday)
    }

    /// Lines for a terminal, each day with its mark.
    ///
    /// `weekdays` begins on Sunday, and each takes two columns.
    package func lines(weekdays: [String], firstWeekday: Int, mark: (Day) -> Character) -> [String] {
        let names = (0..<7).map { weekdays[($0 + firstWeekday - 1) % 7] }
        let rows = weeks.map { week in
            week.map { day in
                guard let day else { return "   " }
                let number = day.parts.day
                return (number < 10 ? " \(number)" : "\(number)") + String(mark(day))
            }
        }
        return ([names.map { $0 + " " }] + rows).map { cells in
            let line = cells.joined(separator: " ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}
