package import STAppSupport

/// Which promises were kept.
///
/// A callback may come twice, so each of these leads to the same when it is repeated.
package struct PromiseBook: Equatable {
    package var marks = DayMarks<PromiseMark>()
    /// The day whose promise holds now.
    package var open: Day?

    package init() {}

    /// A day begins.
    ///
    /// A day that was over already is open again, unless its promise was broken. An earlier day that is still open is over
    /// now: its end may have no callback when monitoring restarts first.
    package mutating func begin(_ day: Day) {
        if let open, open < day { decide(open) }
        open = day
        if marks[day] == .kept { marks[day] = nil }
    }

    /// The allowance is used up; the day open counts, or else `day`.
    ///
    /// Callbacks come in order. One that comes late, after midnight, still comes before the end of the day it is about.
    @discardableResult
    package mutating func breakPromise(on day: Day?) -> Day? {
        guard let day = open ?? day else { return nil }
        marks[day] = .broken
        return day
    }

    /// An interval is over; `ongoing` is the day that its schedule is in or comes to, nil when nothing is watched any more.
    ///
    /// Returns the day that is decided, and how.
    @discardableResult
    package mutating func end(ongoing: Day?) -> (day: Day, mark: PromiseMark)? {
        // The promise was changed in the middle of the day: it goes on.
        guard let day = open, day != ongoing else { return nil }
        open = nil
        // A person who stops watching has not kept anything.
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

    /// How many days in a row it was kept, up to now.
    package var inARow: Int { marks.run(of: .kept, until: Day(number: .max)) }

    /// Whether today's promise is broken; nil when there is none.
    package var isBroken: Bool? { open.map { marks[$0] == .broken } }
}

/// What became of one day's promise.
package enum PromiseMark: Character, Sendable {
    case kept = "K"
    case broken = "B"
}
