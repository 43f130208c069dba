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

    /// One letter per day: r when the amount was reached, n when it was not.
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

    @Test("reaching the amount misses a decrease day and completes an increase day")
    func kinds() {
        #expect(history(of: less, "nrn").marks.text == "2026-10-23:CMC")
        #expect(history(of: more, "nrn").marks.text == "2026-10-23:MCM")
    }

    @Test("an increase streak grows when the amount is reached, a decrease streak at the end of the day")
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

    @Test("a day of a clock change is one day of a streak in every zone")
    func clockChange() {
        // 2026-10-25 has 25 hours in Berlin; the days are counted, not the hours.
        #expect(history(of: less, "nnnnn").streak(today: first.advanced(by: 5)) == 5)
    }

    @Test("the longest streak stays after a missed day")
    func longest() {
        let history = history(of: more, "rrrrnrr")

        #expect(history.longest == 4)
        #expect(history.streak(today: first.advanced(by: 6)) == 2)
    }

    @Test("a day that goes on after its end is open again")
    func reopened() {
        var history = history(of: less, "n")
        history.begin(first, of: less)
        #expect(history.marks[first] == nil)

        var missed = self.history(of: less, "r")
        missed.begin(first, of: less)
        #expect(missed.marks[first] == .missed)
    }

    @Test("a repeated callback changes nothing")
    func twice() {
        var history = StreakHistory()
        for _ in 0..<2 { history.begin(first, of: more) }
        for _ in 0..<2 { history.reach(on: first, of: more) }
        for _ in 0..<2 { history.end(first, of: more) }

        #expect(history == self.history(of: more, "r"))
    }

    @Test("a streaks task is read back from plain values")
    func stored() {
        #expect(StreakTask(stored: less.stored) == less)
        #expect(StreakTask(stored: [:]) == nil)
        #expect(StreakTask(stored: less.stored.merging(["kind": "other"]) { $1 }) == nil)
    }

    @Test("an invalid streaks task is refused")
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

    @Test("both languages have texts for every message")
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
