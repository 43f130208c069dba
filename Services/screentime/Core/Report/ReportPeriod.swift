package import STPlatform

/// The period of a report.
package struct ReportPeriod: Sendable, Equatable {
    package var from: WallTime
    /// The end of the period, exclusive.
    package var to: WallTime
    package var firstDay: CivilDate
    /// The last day that the period touches.
    package var lastDay: CivilDate

    package init(from: WallTime, to: WallTime, _ clock: ZonedClock) {
        self.from = from
        self.to = to
        firstDay = clock.day(from)
        lastDay = clock.day(max(from, to - .milliseconds(1)))
    }

    /// Creates a period of whole days. The last day is included.
    package init(_ first: CivilDate, last: CivilDate, clock: ZonedClock) {
        self.init(
            from: clock.start(of: first),
            to: clock.start(of: last.adding(days: 1)),
            clock
        )
    }

    /// The number of days that the period touches.
    package var days: Int { lastDay.daysSinceEpoch - firstDay.daysSinceEpoch + 1 }

    package func contains(_ moment: WallTime) -> Bool { (from..<to).contains(moment) }

    package func isWholeDays(_ clock: ZonedClock) -> Bool {
        clock.start(of: firstDay) == from && clock.start(of: lastDay.adding(days: 1)) == to
    }

    /// Returns the period of the same number of days directly before this one.
    package func before(_ clock: ZonedClock) -> ReportPeriod {
        ReportPeriod(firstDay.adding(days: -days), last: firstDay.adding(days: -1), clock: clock)
    }
}

extension CivilDate {
    package var monday: CivilDate { adding(days: -((weekday + 5) % 7)) }
}

/// Parses `--day`, `--from` and `--to`.
enum ReportRange {
    /// Upper bound on the length of a period in days. A longer one, for example a century, is a mistyped year.
    static let daysMax = 3_660
    private static let daysUsual = 7
    private static let weeksUsual = 4

    /// Returns the default period of a report.
    static func usual(_ scene: ReportTemplate, today: CivilDate, clock: ZonedClock) -> ReportPeriod {
        switch scene {
        case .days: ReportPeriod(today.adding(days: 1 - daysUsual), last: today, clock: clock)
        case .weeks:
            ReportPeriod(
                today.monday.adding(days: -7 * (weeksUsual - 1)),
                last: today.monday.adding(days: 6),
                clock: clock
            )
        case .compare: ReportPeriod(today.monday, last: today.monday.adding(days: 6), clock: clock)
        default: ReportPeriod(today, last: today, clock: clock)
        }
    }

    /// Returns `nil` if no option sets a period.
    static func read(_ invocation: Invocation, now: WallTime, _ clock: ZonedClock) throws(Problem)
        -> ReportPeriod?
    {
        let (day, from, to) = (
            invocation.value("--day"), invocation.value("--from"), invocation.value("--to")
        )
        if let day {
            guard from == nil, to == nil else {
                throw Problem(
                    "usage.option_value",
                    "--day is one whole day; use either --day, or --from and --to.",
                    key: "usage.option_value.day-is-one",
                    help: "screentime report --day \(day)"
                )
            }
            guard let date = LocalMoment.day(day, now) else { throw badDay(day) }
            let period = ReportPeriod(date, last: date, clock: clock)
            try check(period, now)
            return period
        }
        guard let from else {
            guard to == nil else {
                throw Problem(
                    "usage.option_value",
                    "--to sets the end of the period. Set its start with --from.",
                    key: "usage.option_value.to-says-where",
                    help: "screentime report --from monday --to \(to ?? "today")"
                )
            }
            return nil
        }
        let start = try moment("--from", text: from, now: now, clock: clock, isEnd: false)
        let end = try to.map { text throws(Problem) in
            try moment("--to", text: text, now: now, clock: clock, isEnd: true)
        }
        // The end of today, so that the current day counts as a whole day.
        let last = end ?? max(clock.start(of: clock.day(now).adding(days: 1)), start)
        guard start < last else {
            if end == nil { throw future(from) }
            let until = to ?? ""
            throw Problem(
                "usage.bad_period",
                "--to (\(until, "to")) is not after --from (\(from, "from")).",
                key: "usage.bad_period.is-not-after",
                help: "screentime report --from monday --to today"
            )
        }
        let period = ReportPeriod(from: start, to: last, clock)
        try check(period, now)
        return period
    }

    private static func check(_ period: ReportPeriod, _ now: WallTime) throws(Problem) {
        guard period.days <= daysMax else {
            throw Problem(
                "usage.bad_period",
                """
                \(period.firstDay.text, "text") to \(period.lastDay.text, "text2") is \(period.days, "days") \
                days; a report covers at most \(daysMax, "most"), which is ten years.
                """,
                help: "screentime report --from 2026-01-01 --segment week"
            )
        }
        guard period.from <= now else { throw future(period.firstDay.text) }
    }

    /// Parses a moment. A day without a time is the start of the day, or with `isEnd` its end.
    private static func moment(
        _ option: String,
        text: String,
        now: WallTime,
        clock: ZonedClock,
        isEnd: Bool
    ) throws(Problem) -> WallTime {
        if let day = LocalMoment.day(text, now) {
            return clock.start(of: isEnd ? day.adding(days: 1) : day)
        }
        guard let moment = LocalMoment.wall(text, now: now) else {
            throw Problem(
                "usage.bad_time",
                "\(option, "option") is “\(text, "text")”; it must be \(LocalMoment.expectation, "expectation").",
                key: "usage.bad_time.is-it-must",
                help: "\(option) monday"
            )
        }
        return moment
    }

    private static func badDay(_ text: String) -> Problem {
        Problem(
            "usage.bad_day",
            "--day is “\(text, "text")”; it must be a day such as 2026-11-20, yesterday or monday.",
            help: "screentime report --day 2026-11-20"
        )
    }

    private static func future(_ text: String) -> Problem {
        Problem(
            "usage.bad_period",
            "\(text, "text") is in the future, so there is no usage yet.",
            key: "usage.bad_period.is-still-to",
            help: "screentime report"
        )
    }
}
