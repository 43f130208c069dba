package import STAppSupport

/// The result of each day's promise.
///
/// A callback may be repeated, so repeating any of these methods has no further effect.
package struct PromiseBook: Equatable {
    package var marks = DayMarks<PromiseMark>()
    /// The day of the current promise. `nil` if there is none.
    package var open: Day?

    package init() {}

    /// Begins a day.
    ///
    /// A day that has already ended is opened again unless its promise was broken. An earlier open day is ended now, because the
    /// callback for its end may be missing if monitoring is restarted first.
    package mutating func begin(_ day: Day) {
        if let open, open < day { decide(open) }
        open = day
        if marks[day] == .kept { marks[day] = nil }
    }

    /// Records that the allowance is used up on the open day, or on `day` if no day is open.
    ///
    /// Callbacks arrive in order. A late callback, after midnight, still arrives before the callback for the end of its day.
    @discardableResult
    package mutating func breakPromise(on day: Day?) -> Day? {
        guard let day = open ?? day else { return nil }
        marks[day] = .broken
        return day
    }

    /// Ends an interval. `ongoing` is the day of the current or next interval of the schedule, or `nil` if monitoring was
    /// stopped.
    ///
    /// Returns the day that has ended and its result.
    @discardableResult
    package mutating func end(ongoing: Day?) -> (day: Day, mark: PromiseMark)? {
        // The promise was changed during the day, so the day continues.
        guard let day = open, day != ongoing else { return nil }
        open = nil
        // A day on which monitoring was stopped does not count as kept.
        guard ongoing != nil else { return nil }
        return (day, decide(day))
    }

    @discardableResult
    private mutating func decide(_ day: Day) -> PromiseMark {
        let mark = marks[day] ?? .kept
        marks[day] = mark
        return mark
    }

    package var kept: Int { marks.count(.kept) }

    package var broken: Int { marks.count(.broken) }

    /// The number of consecutive days, up to the latest, on which the promise was kept.
    package var inARow: Int { marks.run(of: .kept, until: Day(number: .max)) }

    /// True if today's promise is broken. `nil` if there is no promise.
    package var isBroken: Bool? { open.map { marks[$0] == .broken } }
}

/// The result of one day's promise.
package enum PromiseMark: Character, Sendable {
    case kept = "K"
    case broken = "B"
}
