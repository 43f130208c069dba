import STAppSupport
import Testing

@Suite("Marks of days")
struct DayMarksTests {
    private enum Mark: Character {
        case good = "G"
        case bad = "B"
    }

    private typealias Marks = DayMarks<Mark>

    private let first = Day(year: 2026, month: 11, day: 20)

    private func marks(_ letters: String) -> Marks { Marks(text: "2026-11-20:\(letters)") }

    @Test("marks of days are equal after writing and reading, with long and short gaps")
    func roundTrip() {
        var marks = Marks()
        for offset in [0, 1, 5, 31, 63, 64, 4_000] { marks[first.advanced(by: offset)] = .good }
        marks[first.advanced(by: 2)] = .bad

        #expect(Marks(text: marks.text) == marks)
        #expect(marks.text.hasPrefix("2026-11-20:GGB..G"))
        #expect(marks.text.split(separator: " ").count == 3)
    }

    @Test("a row of days ends with the first other mark")
    func run() {
        #expect(marks("GGBGGG").run(of: .good, until: first.advanced(by: 5)) == 3)
        #expect(marks("GGBGGG").run(of: .good, until: first.advanced(by: 2)) == 0)
        #expect(marks("GGBGGG").run(of: .good, until: first.advanced(by: 1)) == 2)
        #expect(Marks().run(of: .good, until: first) == 0)
    }

    @Test("a day without a mark yet does not break the row before it")
    func openDay() {
        #expect(marks("GGG").run(of: .good, until: first.advanced(by: 3)) == 3)
    }

    @Test("an unmonitored day neither lengthens nor breaks a row")
    func unwatched() {
        #expect(marks("GG...G").run(of: .good, until: first.advanced(by: 5)) == 3)
        #expect(marks("GB...G").run(of: .good, until: first.advanced(by: 5)) == 1)
    }

    @Test("the longest row is found at any place")
    func longest() {
        #expect(marks("GGGBGG").longestRun(of: .good) == 3)
        #expect(marks("GBGGG").longestRun(of: .good) == 3)
        #expect(marks("BB").longestRun(of: .good) == 0)
    }

    @Test("rows continue over months, years and clock changes")
    func overBorders() {
        var marks = Marks()
        let start = Day(year: 2026, month: 10, day: 1)
        for offset in 0..<200 { marks[start.advanced(by: offset)] = .good }

        #expect(marks.run(of: .good, until: start.advanced(by: 199)) == 200)
        #expect(marks.longestRun(of: .good) == 200)
    }

    @Test(
        "damaged text of day marks loses only the damaged part",
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

    @Test("marks of days are limited, and the oldest go first")
    func limit() {
        var marks = Marks()
        for offset in 0..<(Marks.daysMax + 50) { marks[first.advanced(by: offset)] = .good }

        #expect(marks.count(.good) == Marks.daysMax)
        #expect(marks[first.advanced(by: 49)] == nil)
        #expect(marks[first.advanced(by: 50)] == .good)
    }

    @Test("marks far in the future do not cost earlier days")
    func wrongClock() {
        var marks = marks("GGG")
        marks[Day(year: 2999, month: 1, day: 1)] = .bad

        #expect(Marks(text: marks.text).count(.good) == 3)
    }
}
