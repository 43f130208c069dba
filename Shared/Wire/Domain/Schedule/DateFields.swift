package import STPlatform

/// Date components as they travel: what was given is there, what was not is nil.
///
/// It has every field that Foundation's has, so that nothing is lost on the way to the place that judges it.
package struct DateFields: Codable, Sendable, Hashable {
    package var calendar: String?
    /// A name of IANA's, such as `Europe/Berlin`; nil means the zone of the device.
    package var zone: String?
    package var era: Int?
    package var year: Int?
    package var month: Int?
    package var day: Int?
    package var hour: Int?
    package var minute: Int?
    package var second: Int?
    package var nanosecond: Int?
    /// 1 is Sunday.
    package var weekday: Int?
    package var weekdayOrdinal: Int?
    package var quarter: Int?
    package var weekOfMonth: Int?
    package var weekOfYear: Int?
    package var yearForWeekOfYear: Int?
    package var dayOfYear: Int?

    package init(
        calendar: String? = nil,
        zone: String? = nil,
        year: Int? = nil,
        month: Int? = nil,
        day: Int? = nil,
        hour: Int? = nil,
        minute: Int? = nil,
        second: Int? = nil,
        weekday: Int? = nil
    ) {
        self.calendar = calendar
        self.zone = zone
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.weekday = weekday
    }

    /// Calendars whose days, months and years are those used here.
    package static let calendars = ["gregorian", "iso8601"]

    /// The fields that are set, largest first, under the names they have on the wire.
    var set: [(name: String, value: Int)] {
        let all: [(name: String, value: Int?)] = [
            ("era", era), ("year", year), ("quarter", quarter), ("month", month),
            ("week_of_year", weekOfYear),
            ("year_for_week_of_year", yearForWeekOfYear), ("week_of_month", weekOfMonth),
            ("day_of_year", dayOfYear), ("day", day), ("weekday", weekday),
            ("weekday_ordinal", weekdayOrdinal),
            ("hour", hour), ("minute", minute), ("second", second), ("nanosecond", nanosecond),
        ]
        return all.compactMap { field in field.value.map { (field.name, $0) } }
    }

    /// All fields that are set, even wrong ones: `hour 25, minute 0`.
    package var listed: String {
        let list = set.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
        return list.isEmpty ? "nothing" : list
    }

    /// Which of the fields that a schedule goes by are set.
    struct Units: OptionSet, Hashable {
        let rawValue: Int

        static let year = Self(rawValue: 1)
        static let month = Self(rawValue: 2)
        static let day = Self(rawValue: 4)
        static let weekday = Self(rawValue: 8)
        static let hour = Self(rawValue: 16)
        static let minute = Self(rawValue: 32)
        static let second = Self(rawValue: 64)
        static let nanosecond = Self(rawValue: 128)

        static let dates: Self = [.year, .month, .day]
        static let times: Self = [.hour, .minute, .second, .nanosecond]
    }

    /// Years of a date: those for which the rules of zones are known.
    static let years = 1970...2199

    var units: Units {
        let all: [(Int?, Units)] = [
            (year, .year), (month, .month), (day, .day), (weekday, .weekday), (hour, .hour),
            (minute, .minute), (second, .second), (nanosecond, .nanosecond),
        ]
        let set = all.reduce(into: Units()) { if $1.0 != nil { $0.insert($1.1) } }
        // A full date has its weekday.
        return set.isSuperset(of: .dates) ? set.subtracting(.weekday) : set
    }

    var timeMs: Int64 {
        Int64(hour ?? 0) * LocalClock.hourMs + Int64(minute ?? 0) * 60_000 + Int64(second ?? 0) * 1000
            + Int64(nanosecond ?? 0) / 1_000_000
    }

    /// What the fields match, or why they cannot be one end of a schedule.
    func pattern() -> Result<SchedulePattern, Misfit> {
        if let misfit = wrongPlace ?? wrongNumber ?? wrongSet { return .failure(misfit) }
        return .success(matched)
    }

    struct Misfit: Error {
        var why: Message
        var field: String = ""
    }

    private var wrongPlace: Misfit? {
        if let calendar, !Self.calendars.contains(calendar) {
            let known = Self.calendars.joined(separator: " or ")
            return Misfit(
                why: Message(
                    "activity.date-calendar",
                    "The calendar is not supported; use \(known, "known")."
                ),
                field: "/calendar"
            )
        }
        if let zone, ZoneRules.of(zone) == nil {
            return Misfit(
                why: Message(
                    "activity.date-zone",
                    "The time zone is unknown; give a name such as Europe/Berlin."
                ),
                field: "/zone"
            )
        }
        return nil
    }

    private var wrongNumber: Misfit? {
        let ranges: [(String, Int?, ClosedRange<Int>)] = [
            ("era", era, 1...1), ("year", year, Self.years), ("month", month, 1...12),
            ("day", day, 1...31), ("weekday", weekday, 1...7), ("hour", hour, 0...23),
            ("minute", minute, 0...59), ("second", second, 0...59),
            ("nanosecond", nanosecond, 0...999_999_999),
        ]
        for (name, value, range) in ranges {
            guard let value, !range.contains(value) else { continue }
            return Misfit(
                why: Message(
                    "activity.date-outside",
                    """
                    \(name, "name") is \(value, "value"), but must be from \(range.lowerBound, "least") to \
                    \(range.upperBound, "most").
                    """
                ),
                field: "/\(name)"
            )
        }
        guard let month, let day else { return nil }
        // Without a year the 29th of February is a day of some of them.
        let last = CivilDate.daysIn(month: month, year: year ?? 2000)
        guard day <= last else {
            let name = CalendarNames.month(month, in: .english) + (year.map { " \($0)" } ?? "")
            return Misfit(
                why: Message(
                    "activity.date-no-day",
                    "\(name, "month") has no day \(day, "day"); its last day is \(last, "last")."
                ),
                field: "/day"
            )
        }
        guard let year, let weekday else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        let actual = LocalClock.weekday(LocalClock.start(of: date))
        guard actual != weekday else { return nil }
        return Misfit(
            why: Message(
                "activity.date-weekday",
                """
                \(date.text, "date") is a \(CalendarNames.day(actual), "actual") and not a \
                \(CalendarNames.day(weekday), "weekday").
                """
            ),
            field: "/weekday"
        )
    }

    /// What is missing between a large unit and a small one, or does not go together.
    private var wrongSet: Misfit? {
        guard !set.isEmpty else {
            return Misfit(why: Message("activity.date-empty", "There are no date components."))
        }
        let units = units
        let isFullDate = units.isSuperset(of: .dates)
        let derived: Set<String> = [
            "era", "quarter", "week_of_month", "week_of_year", "year_for_week_of_year", "day_of_year",
            "weekday_ordinal",
        ]
        if !isFullDate, let (name, _) = set.first(where: { derived.contains($0.name) }) {
            return Misfit(
                why: Message(
                    "activity.date-derived",
                    """
                    A schedule does not support \(name, "name"); use year, month, day, weekday, hour, minute \
                    or second.
                    """
                ),
                field: "/\(name)"
            )
        }
        let dates = units.intersection(.dates)
        if units.contains(.weekday), !dates.isEmpty {
            return Misfit(
                why: Message(
                    "activity.date-weekday-alone",
                    "A weekday can be combined only with a time of day or with a full date."
                ),
                field: "/weekday"
            )
        }
        if dates == [.year, .day] {
            return Misfit(
                why: Message("activity.date-needs-month", "A year and a day need a month."),
                field: "/month"
            )
        }
        let times = units.intersection(.times)
        guard !times.isEmpty else { return nil }
        if !dates.isEmpty, !dates.contains(.day) {
            return Misfit(
                why: Message(
                    "activity.date-needs-day",
                    "A time of day with a year or month also needs a day."
                ),
                field: "/day"
            )
        }
        return wrongTime(times, needsHour: units != times)
    }

    private func wrongTime(_ times: Units, needsHour: Bool) -> Misfit? {
        let order: [(Units, String)] = [
            (.hour, "hour"), (.minute, "minute"), (.second, "second"), (.nanosecond, "nanosecond"),
        ]
        var rest = order[...]
        if !needsHour, !times.contains(.hour) { rest = rest.dropFirst() }
        while let (unit, name) = rest.popFirst() {
            if times.contains(unit) { continue }
            guard let smaller = rest.first(where: { times.contains($0.0) }) else { continue }
            return Misfit(
                why: Message(
                    "activity.date-needs-larger",
                    "If \(smaller.1, "smaller") is set, \(name, "larger") must be set too."
                ),
                field: "/\(name)"
            )
        }
        return nil
    }

    /// For fields that were found right.
    private var matched: SchedulePattern {
        if let year {
            let date = CivilDate(year: year, month: month ?? 1, day: day ?? 1)
            return .once(localMs: LocalClock.start(of: date) + timeMs)
        }
        if let month { return .yearly(month: month, day: day ?? 1, timeMs: timeMs) }
        if let day { return .monthly(day: day, timeMs: timeMs) }
        if let weekday { return .weekly(weekday: weekday, timeMs: timeMs) }
        return hour == nil ? .hourly(pastMs: timeMs) : .daily(timeMs: timeMs)
    }

    /// More than a day of hours, and more than the days that a zone ever left out.
    private static let stepsMax = 100

    /// Refuses what no clock ever shows, or what is not said by year, month, day, weekday, hour, minute and second.
    package func checkMoment(code: String, field: String) throws(Problem) {
        guard case .failure(let misfit) = pattern() else { return }
        throw Problem(code, text: understood(misfit.why), field: field + misfit.field)
    }

    private func understood(_ why: Message) -> Message {
        Message("activity.understood", "\(why, "why") Screen Time read it as: \(listed, "fields").")
    }

    /// Whether there is more than one moment that fits.
    package var comesAgain: Bool { year == nil }

    /// The first moment after one at which the clocks of a zone show this; nil when there is none any more.
    ///
    /// As with schedules: what the clock jumps over comes as much later as the jump is long, and of what it shows twice
    /// the first counts.
    package func moment(after ms: Int64, zone device: String) -> Int64? {
        guard ms > ZoneRules.firstMs, ms < ZoneRules.lastMs, let rules = ZoneRules.of(zone ?? device),
            case .success(let pattern) = pattern()
        else { return nil }
        // What was jumped over lies behind what the clock shows, and still comes.
        var local = pattern.first(after: rules.localMs(atMs: ms) - LocalClock.dayMs)
        for _ in 0..<Self.stepsMax {
            guard let at = local else { return nil }
            let shown = rules.moment(showing: at)
            let isLeftOut = shown.missingMs >= LocalClock.dayMs || (pattern.isHourly && shown.missingMs > 0)
            if !isLeftOut, shown.firstMs > ms { return shown.firstMs }
            local = pattern.first(after: at)
        }
        return nil
    }

    /// The longest threshold or warning, which no interval reaches.
    package static let durationMaxMs: Int64 = 366 * LocalClock.dayMs

    /// The fields as a length of time: days of 24 hours, hours, minutes and seconds, any number of each.
    package func durationMs(_ what: Message, code: String, field: String) throws -> Int64 {
        let units: [(name: String, ms: Int64)] = [
            ("day", LocalClock.dayMs), ("hour", LocalClock.hourMs), ("minute", 60_000), ("second", 1000),
        ]
        func refused(_ why: Message) -> Problem {
            Problem(
                code,
                text: understood(
                    Message(
                        "activity.length-in-units",
                        """
                        \(why, "why") Give \(what, "what") in days, hours, minutes or seconds, such as \
                        minute 30.
                        """
                    )
                ),
                field: field
            )
        }
        guard !set.isEmpty else {
            throw refused(
                Message("activity.length-empty", "No length is given for \(what, "what").")
            )
        }
        var totalMs: Int64 = 0
        for (name, value) in set {
            guard let unit = units.first(where: { $0.name == name }) else {
                throw refused(
                    Message(
                        "activity.length-has-no",
                        "A length of time cannot have the component \(name, "name")."
                    )
                )
            }
            guard value >= 0 else {
                throw refused(
                    Message("activity.length-negative", "A length of time cannot be negative.")
                )
            }
            let part = Int64(value).multipliedReportingOverflow(by: unit.ms)
            let sum = totalMs.addingReportingOverflow(part.partialValue)
            guard !part.overflow, !sum.overflow, sum.partialValue <= Self.durationMaxMs else {
                let most = TextFormat.exactDuration(ms: Self.durationMaxMs)
                throw refused(
                    Message(
                        "activity.length-too-long",
                        "The length of \(what, "what") must be at most \(most, "most")."
                    )
                )
            }
            totalMs = sum.partialValue
        }
        return totalMs
    }

    /// A threshold: more than nothing.
    package func thresholdMs(field: String = "/threshold") throws -> Int64 {
        let ms = try durationMs(
            Message("activity.the-threshold", "the threshold"),
            code: "activity.bad_threshold",
            field: field
        )
        guard ms > 0 else { throw Budget.noThreshold(field: field) }
        return ms
    }

    /// How long before something its warning comes; no time at all means no warning.
    package func warningMs(field: String = "/schedule/warning") throws -> Int64 {
        try durationMs(
            Message("activity.the-warning", "the warning"),
            code: "activity.invalid_date_components",
            field: field
        )
    }
}

/// Moments as a clock shows them.
enum CalendarWords {
    /// `22:00`; seconds and milliseconds only where there are some.
    static func time(_ msOfDay: Int64) -> String {
        let seconds = msOfDay / 1000 % 60
        let ms = msOfDay % 1000
        var text = "\(pad(msOfDay / LocalClock.hourMs, 2)):\(pad(msOfDay / 60_000 % 60, 2))"
        if seconds != 0 || ms != 0 { text += ":\(pad(seconds, 2))" }
        if ms != 0 { text += ".\(pad(ms, 3))" }
        return text
    }

    /// `Sat 21 Nov 22:00`, with the year unless it is the one that goes without saying.
    static func moment(_ localMs: Int64, yearOf known: Int64? = nil) -> String {
        let date = LocalClock.date(localMs)
        let year = known.map { LocalClock.date($0).year } == date.year ? "" : " \(date.year)"
        let (day, month) = (
            CalendarNames.shortDay(date.weekday, in: .english),
            CalendarNames.shortMonth(date.month, in: .english)
        )
        return "\(day) \(date.day) \(month)\(year) "
            + time(LocalClock.floorModulo(localMs, LocalClock.dayMs))
    }

    private static func pad(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
