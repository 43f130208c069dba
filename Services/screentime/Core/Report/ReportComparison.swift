package import STContracts
package import STPlatform

/// Compares usage with the period before, and describes which parts are compared.
package enum ReportComparison {
    /// Returns the request that compares a current period with the same part of the one before, or `nil`.
    ///
    /// A day is compared by its complete hours, a longer period by its complete days. The result is `nil` if none is complete. A
    /// past period needs no second request, because its own request includes the period before.
    package static func request(_ period: ReportPeriod, _ clock: ZonedClock, now: WallTime)
        -> ReportUsage.Request?
    {
        guard period.contains(now), period.isWholeDays(clock) else { return nil }
        let end = full(period, clock: clock, now: now)
        guard end > period.from else { return nil }
        return ReportUsage.Request(
            fromWallMs: period.before(clock).from.ms,
            toWallMs: end.ms,
            segment: period.days == 1 ? .hour : .day,
            by: []
        )
    }

    private static func full(_ period: ReportPeriod, clock: ZonedClock, now: WallTime) -> WallTime {
        period.days == 1 ? clock.startOfHour(now) : clock.start(of: clock.day(now))
    }

    /// Returns `nil` if there is nothing to compare.
    static func sentence(_ input: ReportInput) -> String? {
        let (period, clock, words) = (input.period, input.clock, input.strings)
        guard period.isWholeDays(clock), !input.isEmpty else { return nil }
        let before = period.before(clock)
        // A period that was observed only in part would always have less usage.
        guard let since = input.usage.since.flatMap(RFC3339.wallMs), since <= before.from.ms else {
            return words.say(
                "report.there-is-no-complete",
                "There is no complete earlier period to compare with yet."
            )
        }
        guard let second = input.source.second?.segments else { return past(input) }
        guard let equal = equalParts(second, input) else { return nil }
        return sentence(
            input,
            time: equal.time,
            now: ReportTotals(equal.now).used,
            then: ReportTotals(equal.then).used
        )
    }

    /// The parts of two periods that can be compared. Of a current period these are the hours or days that are complete.
    struct Equal {
        var now: [ReportUsageSegment]
        var then: [ReportUsageSegment]
        /// The time of day at which the compared hours end. `nil` for days.
        var time: String?
    }

    /// Returns `nil` if no part of the period is complete.
    static func equalParts(_ segments: [ReportUsageSegment], _ input: ReportInput) -> Equal? {
        let (period, clock) = (input.period, input.clock)
        let before = period.before(clock)
        let days = fullDays(input)
        let isHours = period.days == 1 && period.contains(input.now)
        let end =
            isHours ? clock.startOfHour(input.now) : clock.start(of: period.firstDay.adding(days: days))
        let fullHours = clock.hour(input.now)
        let beforeEnd = clock.start(of: before.firstDay.adding(days: days))
        guard end > period.from else { return nil }
        return Equal(
            now: segments.filter { (period.from..<end).contains(WallTime(ms: $0.startWallMs)) },
            then: segments.filter { segment in
                let start = WallTime(ms: segment.startWallMs)
                guard before.from <= start, start < period.from else { return false }
                return isHours ? clock.hour(start) < fullHours : start < beforeEnd
            },
            time: isHours ? clock.time(end) : nil
        )
    }

    /// Returns the number of complete days in the period.
    private static func fullDays(_ input: ReportInput) -> Int {
        let today = input.clock.day(input.now)
        return max(0, min(input.period.days, today.daysSinceEpoch - input.period.firstDay.daysSinceEpoch))
    }

    private static func sentence(_ input: ReportInput, time: String?, now: Duration, then: Duration)
        -> String
    {
        let words = input.strings
        let used = input.dates.duration(now)
        let percent = words.percent(now, then).map { " (\($0))" } ?? ""
        if let time {
            let other = words.say("report.by-then-the-day", "by the same time the day before")
            let difference = words.difference(now - then, than: other)
            return words.say(
                "report.by",
                "By \(time, "time"): \(used, "used"), \(difference, "difference")\(percent, "percent")."
            )
        }
        guard input.period.contains(input.now) else { return past(input, now: now, then: then) }
        let other = words.say("report.in-the-same-days", "on the same days of the previous period")
        let difference = words.difference(now - then, than: other)
        return words.say(
            "report.up-to-yesterday",
            "Up to yesterday: \(used, "used"), \(difference, "difference")\(percent, "percent")."
        )
    }

    private static func past(_ input: ReportInput) -> String? {
        let before = input.usage.segments.compactMap(\.beforeMs)
        // A current period is compared only with the same part of the one before.
        guard !before.isEmpty, !input.period.contains(input.now) else { return nil }
        return past(input, now: input.totals.used, then: .milliseconds(before.reduce(0, +)))
    }

    private static func past(_ input: ReportInput, now: Duration, then: Duration) -> String {
        let words = input.strings
        let other =
            input.period.days == 1
            ? words.say("report.the-day-before", "the day before")
            : words.say("report.in-the-days-before", "in the \(input.period.days, "days") days before")
        let percent = words.percent(now, then).map { " (\($0))" } ?? ""
        let difference = words.difference(now - then, than: other)
        return difference.prefix(1).uppercased() + difference.dropFirst() + percent + "."
    }
}
