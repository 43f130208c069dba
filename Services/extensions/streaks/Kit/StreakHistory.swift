package import STAppSupport

/// What each day was for one task.
///
/// A callback may come twice, so each of these leads to the same when it is repeated.
package struct StreakHistory: Equatable {
    package var marks: DayMarks<StreakMark>

    package init(_ marks: DayMarks<StreakMark> = DayMarks()) { self.marks = marks }

    /// A day begins, or goes on after a change of the tasks: what only its end could decide is open again.
    package mutating func begin(_ day: Day, of task: StreakTask) {
        if marks[day] == task.markAtEnd { marks[day] = nil }
    }

    package mutating func reach(on day: Day, of task: StreakTask) { marks[day] = task.markWhenReached }

    /// A day is over: what did not happen in it will not happen any more.
    package mutating func end(_ day: Day, of task: StreakTask) {
        if marks[day] == nil { marks[day] = task.markAtEnd }
    }

    /// How many complete days in a row there are now.
    ///
    /// Today counts when it is complete, and breaks the row when it is missed.
    package func streak(today: Day) -> Int { marks.run(of: .complete, until: today) }

    package var longest: Int { marks.longestRun(of: .complete) }
}
