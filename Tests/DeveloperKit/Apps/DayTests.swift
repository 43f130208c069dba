import Foundation
import STAppSupport
import Testing

@Suite("Days of the calendar")
struct DayTests {
    private func calendar(_ zone: String) throws -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        return calendar
    }

    /// The first moment of a day. It is not always midnight, because clock changes can skip midnight.
    private func start(of day: Day, _ calendar: Calendar) throws -> Date {
        let noon = DateComponents(year: day.parts.year, month: day.parts.month, day: day.parts.day, hour: 12)
        return calendar.startOfDay(for: try #require(calendar.date(from: noon)))
    }

    @Test("Day numbers convert to dates and back over leap years and centuries")
    func roundTrip() {
        for number in stride(from: -800_000, through: 800_000, by: 37) {
            let day = Day(number: number)
            let parts = day.parts
            #expect(Day(year: parts.year, month: parts.month, day: parts.day) == day)
        }
        #expect(Day(year: 1970, month: 1, day: 1).number == 0)
        #expect(Day(year: 2000, month: 2, day: 29).advanced(by: 1).text == "2000-03-01")
        #expect(Day(year: 2100, month: 2, day: 28).advanced(by: 1).text == "2100-03-01")
    }

    @Test(
        "A day covers the same time as the calendar's day, with 23, 24 or 25 hours",
        arguments: [
            ("Europe/Berlin", "2026-10-25"), ("Europe/Berlin", "2026-03-29"),
            ("America/New_York", "2026-11-01"),
            ("Asia/Beirut", "2026-03-29"), ("Australia/Lord_Howe", "2026-04-05"),
            ("Asia/Seoul", "2026-11-20"),
        ]
    )
    func clockChanges(zone: String, text: String) throws {
        let calendar = try calendar(zone)
        let day = try #require(Day(text))
        let start = try start(of: day, calendar)
        let next = try self.start(of: day.advanced(by: 1), calendar)

        #expect(Day(start, calendar: calendar) == day)
        #expect(Day(next.addingTimeInterval(-0.001), calendar: calendar) == day)
        #expect(Day(next, calendar: calendar) == day.advanced(by: 1))
        #expect(Day(start.addingTimeInterval(-0.001), calendar: calendar) == day.advanced(by: -1))
    }

    @Test("The weekday of a day matches the calendar")
    func weekdays() throws {
        let calendar = try calendar("UTC")
        for number in stride(from: -2_000, through: 40_000, by: 13) {
            let date = Date(timeIntervalSince1970: Double(number) * 86_400)
            #expect(Day(number: number).weekday == calendar.component(.weekday, from: date))
        }
    }

    @Test(
        "Text that is not a valid date gives no day",
        arguments: [
            "", "2026", "2026-11", "2026-11-31", "2026-02-29", "2026-13-01", "2026-00-10", "26-11-20",
            "2026-1-2",
            "2026-11-20-", "2026-11-2x", "-026-11-20", "2026-+1-20",
        ]
    )
    func noDay(text: String) { #expect(Day(text) == nil) }

    @Test("A moment is shown in the time zone of the calendar")
    func localTime() throws {
        let date = Date(timeIntervalSince1970: 1_792_879_200)

        #expect(LocalTime.text(date, calendar: try calendar("Europe/Berlin")) == "2026-10-25 00:00")
        #expect(LocalTime.text(date, calendar: try calendar("UTC")) == "2026-10-24 22:00")
    }
}

@Suite("Marks of days")
struct DayMarksTests {
    private enum Mark: Character {
        case good = "G"
        case bad = "B"
    }

    private typealias Marks = DayMarks<Mark>

    private let first = Day(year: 2026, month: 11, day: 20)

    private func marks(_ letters: String) -> Marks { Marks(text: "2026-11-20:\(letters)") }

    @Test("Marks of days survive writing and reading, with long and short gaps between them")
    func roundTrip() {
        var marks = Marks()
        for offset in [0, 1, 5, 31, 63, 64, 4_000] { marks[first.advanced(by: offset)] = .good }
        marks[first.advanced(by: 2)] = .bad

        #expect(Marks(text: marks.text) == marks)
        #expect(marks.text.hasPrefix("2026-11-20:GGB..G"))
        #expect(marks.text.split(separator: " ").count == 3)
    }

    @Test("A run of days ends at the first different mark")
    func run() {
        #expect(marks("GGBGGG").run(of: .good, until: first.advanced(by: 5)) == 3)
        #expect(marks("GGBGGG").run(of: .good, until: first.advanced(by: 2)) == 0)
        #expect(marks("GGBGGG").run(of: .good, until: first.advanced(by: 1)) == 2)
        #expect(Marks().run(of: .good, until: first) == 0)
    }

    @Test("A last day without a mark does not end the run before it")
    func openDay() {
        #expect(marks("GGG").run(of: .good, until: first.advanced(by: 3)) == 3)
    }

    @Test("An unmarked day neither lengthens nor ends a run")
    func unwatched() {
        #expect(marks("GG...G").run(of: .good, until: first.advanced(by: 5)) == 3)
        #expect(marks("GB...G").run(of: .good, until: first.advanced(by: 5)) == 1)
    }

    @Test("The longest run is found anywhere in the marks")
    func longest() {
        #expect(marks("GGGBGG").longestRun(of: .good) == 3)
        #expect(marks("GBGGG").longestRun(of: .good) == 3)
        #expect(marks("BB").longestRun(of: .good) == 0)
    }

    @Test("A run continues over months, years and clock changes")
    func overBorders() {
        var marks = Marks()
        let start = Day(year: 2026, month: 10, day: 1)
        for offset in 0..<200 { marks[start.advanced(by: offset)] = .good }

        #expect(marks.run(of: .good, until: start.advanced(by: 199)) == 200)
        #expect(marks.longestRun(of: .good) == 200)
    }

    @Test(
        "Reading damaged text of day marks loses only the damaged part",
        arguments: [
            "2026-11-20:GZG", "x 2026-11-20:G.G", "2026-11-20:G.G 2026-99-99:GGG",
            "2026-11-20:G.G nonsense :",
        ]
    )
    func damaged(text: String) {
        let marks = Marks(text: text)

        #expect(marks.count(.good) == 2)
        #expect(marks[first] == .good)
        #expect(marks[first.advanced(by: 1)] == nil)
    }

    @Test("The number of day marks is limited, and the oldest marks are removed first")
    func limit() {
        var marks = Marks()
        for offset in 0..<(Marks.daysMax + 50) { marks[first.advanced(by: offset)] = .good }

        #expect(marks.count(.good) == Marks.daysMax)
        #expect(marks[first.advanced(by: 49)] == nil)
        #expect(marks[first.advanced(by: 50)] == .good)
    }

    @Test("A mark far in the future does not remove earlier marks")
    func wrongClock() {
        var marks = marks("GGG")
        marks[Day(year: 2999, month: 1, day: 1)] = .bad

        #expect(Marks(text: marks.text).count(.good) == 3)
    }
}
