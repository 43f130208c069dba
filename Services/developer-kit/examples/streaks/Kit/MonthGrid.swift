package import STAppSupport

/// A month as weeks of seven days, without days outside the month.
package struct MonthGrid: Equatable, Sendable {
    package let year: Int
    package let month: Int
    package let weeks: [[Day?]]

    /// Creates a month. As in `Calendar`, a `firstWeekday` of 1 is Sunday.
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

    /// Parses a month, for example 2026-11. Returns `nil` if the text is not a month.
    package init?(_ text: String, firstWeekday: Int) {
        guard let day = Day("\(text)-01") else { return nil }
        self.init(of: day, firstWeekday: firstWeekday)
    }

    /// Returns lines for a terminal, with a mark for each day.
    ///
    /// `weekdays` are the names, starting with Sunday. Each has two columns.
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
