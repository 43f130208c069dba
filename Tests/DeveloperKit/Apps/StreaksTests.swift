import STAppSupport
import STStreaksKit
import Testing

@Suite("Streaks")
struct StreaksTests {
    private let first = Day(year: 2026, month: 10, day: 23)
    private let less = StreakTask(
        id: "task-1",
        kind: .decrease,
        title: "Less",
        amount: Length(minutes: 30),
        names: ["firefox"]
    )
    private let more = StreakTask(
        id: "task-2",
        kind: .increase,
        title: "More",
        amount: Length(minutes: 60),
        names: ["code"]
    )

    /// One letter per day: r if the amount was reached, n if not.
    private func history(of task: StreakTask, _ days: String) -> StreakHistory {
        var history = StreakHistory()
        for (offset, letter) in days.enumerated() {
            let day = first.advanced(by: offset)
            history.begin(day, of: task)
            if letter == "r" { history.reach(on: day, of: task) }
            history.end(day, of: task)
        }
        return history
    }

    @Test("Reaching the amount misses a decrease day and completes an increase day")
    func kinds() {
        #expect(history(of: less, "nrn").marks.text == "2026-10-23:CMC")
        #expect(history(of: more, "nrn").marks.text == "2026-10-23:MCM")
    }

    @Test("An increase streak grows when the amount is reached, and a decrease streak after the day")
    func today() {
        var moreNow = history(of: more, "rr")
        let today = first.advanced(by: 2)
        moreNow.begin(today, of: more)
        #expect(moreNow.streak(today: today) == 2)
        moreNow.reach(on: today, of: more)
        #expect(moreNow.streak(today: today) == 3)

        var lessNow = history(of: less, "nn")
        lessNow.begin(today, of: less)
        #expect(lessNow.streak(today: today) == 2)
        lessNow.reach(on: today, of: less)
        #expect(lessNow.streak(today: today) == 0)
    }

    @Test("A day with a clock change counts as one day of a streak")
    func clockChange() {
        // 2026-10-25 has 25 hours in Berlin. The streak counts days, not hours.
        #expect(history(of: less, "nnnnn").streak(today: first.advanced(by: 5)) == 5)
    }

    @Test("A missed day resets the streak and keeps the longest streak")
    func longest() {
        let history = history(of: more, "rrrrnrr")

        #expect(history.longest == 4)
        #expect(history.streak(today: first.advanced(by: 6)) == 2)
    }

    @Test("Beginning an ended day again reopens it, unless it was missed")
    func reopened() {
        var history = history(of: less, "n")
        history.begin(first, of: less)
        #expect(history.marks[first] == nil)

        var missed = self.history(of: less, "r")
        missed.begin(first, of: less)
        #expect(missed.marks[first] == .missed)
    }

    @Test("A repeated callback does not change the history of a task")
    func twice() {
        var history = StreakHistory()
        for _ in 0..<2 { history.begin(first, of: more) }
        for _ in 0..<2 { history.reach(on: first, of: more) }
        for _ in 0..<2 { history.end(first, of: more) }

        #expect(history == self.history(of: more, "r"))
    }

    @Test("A task of the streaks app is restored from plain values")
    func stored() {
        #expect(StreakTask(stored: less.stored) == less)
        #expect(StreakTask(stored: [:]) == nil)
        #expect(StreakTask(stored: less.stored.merging(["kind": "other"]) { $1 }) == nil)
    }

    @Test("An invalid task of the streaks app is rejected")
    func checks() {
        var task = less
        task.title = ""
        #expect(throws: Refusal.self) { try task.check() }
        task.title = "two\nlines"
        #expect(throws: Refusal.self) { try task.check() }
        task = less
        task.amount = Length(seconds: 0)
        #expect(throws: Refusal.self) { try task.check() }
    }

    @Test("The streaks app has texts in English and Korean")
    func words() {
        let english = StreakWords(.english)
        let korean = StreakWords(.korean)

        #expect(english.reached(less) == "Missed today: 30m are used up.")
        #expect(english.reached(more) == "Complete for today: 1h reached.")
        #expect(english.almost(less, left: StreakSchedule.warning) == "1m left of 30m.")
        #expect(english.almost(more, left: StreakSchedule.warning) == "1m to go to 1h.")
        #expect(korean.reached(less) == "오늘은 놓쳤어요. 30분을 다 썼어요.")
        #expect(korean.almost(more, left: StreakSchedule.warning) == "1시간까지 1분 남았어요.")
    }
}

@Suite("A month as a grid")
struct MonthGridTests {
    private let words = StreakWords(.english)

    @Test("The weeks of a month grid begin on Monday or Sunday")
    func november() {
        let monday = MonthGrid(year: 2026, month: 11, firstWeekday: 2)
        let sunday = MonthGrid(year: 2026, month: 11, firstWeekday: 1)

        #expect(monday.weeks.count == 6)
        #expect(monday.weeks[0].map { $0?.parts.day } == [nil, nil, nil, nil, nil, nil, 1])
        #expect(sunday.weeks.count == 5)
        #expect(sunday.weeks[0].map { $0?.parts.day } == [1, 2, 3, 4, 5, 6, 7])
    }

    @Test("A month grid contains each day once and in order", arguments: [1, 2, 7])
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

    @Test("The lines of a month grid show each day with its mark")
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

    @Test(
        "Text that is not a valid month gives no grid",
        arguments: ["", "2026", "2026-13", "2026-1", "2026-11-01"]
    )
    func noMonth(text: String) { #expect(MonthGrid(text, firstWeekday: 2) == nil) }
}
