package import STPlatform

/// Date components in wire format. A component that was not given is `nil`.
///
/// All fields of Foundation's type exist, so that no component is lost before the service checks it.
package struct DateFields: Codable, Sendable, Hashable {
    package var calendar: String?
    /// An IANA name such as `Europe/Berlin`. `nil` means the zone of the device.
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

    /// The calendars with the same days, months and years as the Gregorian one.
    package static let calendars = ["gregorian", "iso8601"]

    /// The fields that are set, largest first, with their wire names.
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

    /// All fields that are set, even invalid ones: `hour 25, minute 0`.
    package var listed: String {
        let list = set.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
        return list.isEmpty ? "nothing" : list
    }

    /// The set fields that matter to a schedule.
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

    /// The valid years of a date, for which the rules of zones are available.
    static let years = 1970...2199

    var units: Units {
        let all: [(Int?, Units)] = [
            (year, .year), (month, .month), (day, .day), (weekday, .weekday), (hour, .hour),
            (minute, .minute), (second, .second), (nanosecond, .nanosecond),
        ]
        let set = all.reduce(into: Units()) { if $1.0 != nil { $0.insert($1.1) } }
        // A full date determines its weekday.
        return set.isSuperset(of: .dates) ? set.subtracting(.weekday) : set
    }

    /// The time of day, in whole milliseconds.
    var time: Duration {
        .seconds(Int64(hour ?? 0) * 3600 + Int64(minute ?? 0) * 60 + Int64(second ?? 0))
            + .milliseconds((nanosecond ?? 0) / 1_000_000)
    }

    /// The pattern of the fields, or the reason why they cannot be one end of a schedule.
    func pattern() -> Result<SchedulePattern, Mismatch> {
        if let misfit = unsupportedPlace ?? wrongNumber ?? wrongSet { return .failure(misfit) }
        return .success(matchedPattern)
    }

    struct Mismatch: Error {
        var reason: Message
        var field: String = ""
    }

    private var unsupportedPlace: Mismatch? {
        if let calendar, !Self.calendars.contains(calendar) {
            let known = Self.calendars.joined(separator: " or ")
            return Mismatch(
                reason: Message(
                    "activity.date-calendar",
                    "The calendar is not supported; use \(known, "known")."
                ),
                field: "/calendar"
            )
        }
        if let zone, ZoneRules.load(zone) == nil {
            return Mismatch(
                reason: Message(
                    "activity.date-zone",
                    "The time zone is unknown; give a name such as Europe/Berlin."
                ),
                field: "/zone"
            )
        }
        return nil
    }

    private var wrongNumber: Mismatch? {
        let ranges: [(String, Int?, ClosedRange<Int>)] = [
            ("era", era, 1...1), ("year", year, Self.years), ("month", month, 1...12),
            ("day", day, 1...31), ("weekday", weekday, 1...7), ("hour", hour, 0...23),
            ("minute", minute, 0...59), ("second", second, 0...59),
            ("nanosecond", nanosecond, 0...999_999_999),
        ]
        for (name, value, range) in ranges {
            guard let value, !range.contains(value) else { continue }
            return Mismatch(
                reason: Message(
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
        // Without a year, February 29 is valid because some years have it.
        let last = CivilDate.daysIn(month: month, year: year ?? 2000)
        guard day <= last else {
            let name = CalendarNames.month(month, in: .english) + (year.map { " \($0)" } ?? "")
            return Mismatch(
                reason: Message(
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
        return Mismatch(
            reason: Message(
                "activity.date-weekday",
                """
                \(date.text, "date") is a \(CalendarNames.day(actual), "actual") and not a \
                \(CalendarNames.day(weekday), "weekday").
                """
            ),
            field: "/weekday"
        )
    }

    /// The problem of fields that do not go together, or of a missing unit between a large one and a small one.
    private var wrongSet: Mismatch? {
        guard !set.isEmpty else {
            return Mismatch(reason: Message("activity.date-empty", "There are no date components."))
        }
        let units = units
        let isFullDate = units.isSuperset(of: .dates)
        let derived: Set<String> = [
            "era", "quarter", "week_of_month", "week_of_year", "year_for_week_of_year", "day_of_year",
            "weekday_ordinal",
        ]
        if !isFullDate, let (name, _) = set.first(where: { derived.contains($0.name) }) {
            return Mismatch(
                reason: Message(
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
            return Mismatch(
                reason: Message(
                    "activity.date-weekday-alone",
                    "A weekday can be combined only with a time of day or with a full date."
                ),
                field: "/weekday"
            )
        }
        if dates == [.year, .day] {
            return Mismatch(
                reason: Message("activity.date-needs-month", "A year and a day need a month."),
                field: "/month"
            )
        }
        let times = units.intersection(.times)
        guard !times.isEmpty else { return nil }
        if !dates.isEmpty, !dates.contains(.day) {
            return Mismatch(
                reason: Message(
                    "activity.date-needs-day",
                    "A time of day with a year or month also needs a day."
                ),
                field: "/day"
            )
        }
        return wrongTime(times, needsHour: units != times)
    }

    private func wrongTime(_ times: Units, needsHour: Bool) -> Mismatch? {
        let order: [(Units, String)] = [
            (.hour, "hour"), (.minute, "minute"), (.second, "second"), (.nanosecond, "nanosecond"),
        ]
        var rest = order[...]
        if !needsHour, !times.contains(.hour) { rest = rest.dropFirst() }
        while let (unit, name) = rest.popFirst() {
            if times.contains(unit) { continue }
            guard let smaller = rest.first(where: { times.contains($0.0) }) else { continue }
            return Mismatch(
                reason: Message(
                    "activity.date-needs-larger",
                    "If \(smaller.1, "smaller") is set, \(name, "larger") must be set too."
                ),
                field: "/\(name)"
            )
        }
        return nil
    }

    /// The pattern of fields that were found valid.
    private var matchedPattern: SchedulePattern {
        if let year {
            let date = CivilDate(year: year, month: month ?? 1, day: day ?? 1)
            return .once(localMs: LocalClock.start(of: date) + time.ms)
        }
        if let month { return .yearly(month: month, day: day ?? 1, time: time) }
        if let day { return .monthly(day: day, time: time) }
        if let weekday { return .weekly(weekday: weekday, time: time) }
        return hour == nil ? .hourly(past: time) : .daily(time: time)
    }

    /// More than the hours of a day, and more than the days that any zone ever skipped.
    private static let stepsMax = 100

    /// Throws if no clock ever shows the fields, or if they use other components than year, month, day, weekday, hour, minute and
    /// second.
    package func checkMoment(code: String, field: String) throws(Problem) {
        guard case .failure(let misfit) = pattern() else { return }
        throw Problem(code, text: readingMessage(misfit.reason), field: field + misfit.field)
    }

    private func readingMessage(_ why: Message) -> Message {
        Message("activity.understood", "\(why, "why") Screen Time read it as: \(listed, "fields").")
    }

    /// True if more than one moment matches.
    package var isRecurring: Bool { year == nil }

    /// The first moment after `ms` at which the clocks of a zone show these fields. `nil` if there is none.
    ///
    /// The rules are those of schedules. A skipped time comes later by the length of the jump. Of a time that is shown twice, the
    /// first counts.
    package func moment(after ms: Int64, zone device: String) -> Int64? {
        guard ms > ZoneRules.firstMs, ms < ZoneRules.lastMs, let rules = ZoneRules.load(zone ?? device),
            case .success(let pattern) = pattern()
        else { return nil }
        // A skipped time is earlier than the time that the clock shows, and still comes.
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

    /// Upper bound on a threshold or warning. No interval is that long.
    package static let durationMax = Duration.milliseconds(366 * LocalClock.dayMs)

    /// The fields as a duration: any number of days of 24 hours, hours, minutes and seconds.
    package func durationMs(_ what: Message, code: String, field: String) throws -> Int64 {
        let units: [(name: String, ms: Int64)] = [
            ("day", LocalClock.dayMs), ("hour", LocalClock.hourMs), ("minute", 60_000), ("second", 1000),
        ]
        func refused(_ why: Message) -> Problem {
            Problem(
                code,
                text: readingMessage(
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
            guard !part.overflow, !sum.overflow, sum.partialValue <= Self.durationMax.ms else {
                let most = TextFormat.exactDuration(ms: Self.durationMax.ms)
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

    /// The fields as a threshold, which must be greater than zero.
    package func thresholdMs(field: String = "/threshold") throws -> Int64 {
        let ms = try durationMs(
            Message("activity.the-threshold", "the threshold"),
            code: "activity.bad_threshold",
            field: field
        )
        guard ms > 0 else { throw Budget.noThreshold(field: field) }
        return ms
    }

    /// The time before an event at which its warning comes. Zero means no warning.
    package func warningMs(field: String = "/schedule/warning") throws -> Int64 {
        try durationMs(
            Message("activity.the-warning", "the warning"),
            code: "activity.invalid_date_components",
            field: field
        )
    }
}

/// Texts of moments on a local clock.
enum CalendarStrings {
    /// A time such as `22:00`, with seconds and milliseconds only if they are not zero.
    static func time(_ msOfDay: Int64) -> String {
        let seconds = msOfDay / 1000 % 60
        let ms = msOfDay % 1000
        var text = "\(pad(msOfDay / LocalClock.hourMs, 2)):\(pad(msOfDay / 60_000 % 60, 2))"
        if seconds != 0 || ms != 0 { text += ":\(pad(seconds, 2))" }
        if ms != 0 { text += ".\(pad(ms, 3))" }
        return text
    }

    /// A moment such as `Sat 21 Nov 22:00`, with the year unless it is the year of `known`.
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
