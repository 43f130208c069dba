import STAppSupport
import STStreaksKit
import Testing

@Suite("A month as a grid")
struct MonthGridTests {
    private let words = StreakWords(.english)

    @Test("weeks of a month grid begin on Monday or Sunday")
    func november() {
        let monday = MonthGrid(year: 2026, month: 11, firstWeekday: 2)
        let sunday = MonthGrid(year: 2026, month: 11, firstWeekday: 1)

        #expect(monday.weeks.count == 6)
        #expect(monday.weeks[0].map { $0?.parts.day } == [nil, nil, nil, nil, nil, nil, 1])
        #expect(sunday.weeks.count == 5)
        #expect(sunday.weeks[0].map { $0?.parts.day } == [1, 2, 3, 4, 5, 6, 7])
    }

    @Test("a month grid has each day once and in order", arguments: [1, 2, 7])
    func complete(firstWeekday: Int) {
        for year in 2023...2030 {
            for month in 1...12 {
                let grid = MonthGrid(year: year, month: month, firstWeekday: firstWeekday)
                let days = grid.weeks.flatMap { $0 }.compactMap(\.self)
                let next =
                    month == 12
                    ? Day(year: year + 1, month: 1, day: 1) : Day(year: year, month: month + 1, day: 1)

                #expect(days.first == Day(year: year, month: month, day: 1))
                #expect(days.last == next.advanced(by: -1))
                #expect(zip(days, days.dropFirst()).allSatisfy { $1.number == $0.number + 1 })
                #expect(grid.weeks.allSatisfy { $0.count == 7 && $0.contains { $0 != nil } })
            }
        }
    }

    @Test("each day of a month grid has its place and mark")
    func lines() throws {
        let grid = try #require(MonthGrid("2026-02", firstWeekday: 2))
        let missed = Day(year: 2026, month: 2, day: 10)
        let lines = grid.lines(weekdays: words.weekdays, firstWeekday: 2) { $0 == missed ? "✗" : "✓" }

        #expect(
            lines == [
                "Mo  Tu  We  Th  Fr  Sa  Su",
                "                         1✓",
                " 2✓  3✓  4✓  5✓  6✓  7✓  8✓",
                " 9✓ 10✗ 11✓ 12✓ 13✓ 14✓ 15✓",
                "16✓ 17✓ 18✓ 19✓ 20✓ 21✓ 22✓",
                "23✓ 24✓ 25✓ 26✓ 27✓ 28✓",
            ]
        )
    }

    @Test("an invalid month is refused", arguments: ["", "2026", "2026-13", "2026-1", "2026-11-01"])
    func noMonth(text: String) { #expect(MonthGrid(text, firstWeekday: 2) == nil) }
}
