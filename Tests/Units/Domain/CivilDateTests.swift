import STPlatform
import Testing

@Suite("Calendar dates")
struct CivilDateTests {
    @Test("Every day of 4,000 years has its number, and its text is read back")
    func roundTrips() throws {
        var number = CivilDate(year: 1, month: 1, day: 1).daysSinceEpoch
        for year in 1...4000 {
            for month in 1...12 {
                for day in 1...CivilDate.daysIn(month: month, year: year) {
                    let date = CivilDate(year: year, month: month, day: day)
                    guard date.daysSinceEpoch == number, CivilDate(daysSinceEpoch: number) == date else {
                        Issue.record("\(date) is \(date.daysSinceEpoch), not \(number)")
                        return
                    }
                    number += 1
                }
                let last = CivilDate(
                    year: year,
                    month: month,
                    day: CivilDate.daysIn(month: month, year: year)
                )
                guard CivilDate(text: last.text) == last else {
                    Issue.record("\(last) is written \(last.text)")
                    return
                }
            }
        }
        // Ten cycles of 400 years.
        #expect(number - CivilDate(year: 1, month: 1, day: 1).daysSinceEpoch == 10 * 146_097)
    }

    @Test("Day numbers before the year 1 are converted to dates and back")
    func early() {
        let wrong = (-1_500_000 ... -700_000).first { CivilDate(daysSinceEpoch: $0).daysSinceEpoch != $0 }

        #expect(wrong == nil)
    }

    @Test("The epoch, a leap day and the lengths of February have their known values")
    func anchors() {
        #expect(CivilDate(daysSinceEpoch: 0) == CivilDate(year: 1970, month: 1, day: 1))
        #expect(CivilDate(daysSinceEpoch: -1) == CivilDate(year: 1969, month: 12, day: 31))
        #expect(CivilDate(daysSinceEpoch: 11_016) == CivilDate(year: 2000, month: 2, day: 29))
        #expect(CivilDate(year: 1, month: 1, day: 1).daysSinceEpoch == -719_162)
        #expect(
            [1900, 2000, 2023, 2024, 2100].map { CivilDate.daysIn(month: 2, year: $0) } == [
                28, 29, 28, 29, 28,
            ]
        )
    }

    @Test(
        "Text that is not an existing date in ten characters is rejected",
        arguments: [
            "", "2026-11-2", "2026-11-200", "2026-13-01", "2026-00-10", "2026-11-00", "2026-11-31",
            "2025-02-29",
            "1900-02-29", "0000-01-01", "2026/11/20", "2026-11 20", "+026-11-20", "2026-+1-20", "2026-11-+1",
            "20261-1-20", "2026-1-020", "-026-11-20", "２０２６-1", "2026-11-2０",
        ]
    )
    func refused(text: String) {
        #expect(CivilDate(text: text) == nil)
    }

    @Test("A date's year is written with four digits")
    func written() {
        #expect(CivilDate(year: 7, month: 3, day: 9).text == "0007-03-09")
        #expect(CivilDate(text: "9999-12-31") == CivilDate(year: 9999, month: 12, day: 31))
    }
}
