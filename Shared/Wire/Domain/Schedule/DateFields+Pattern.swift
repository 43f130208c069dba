import STPlatform

extension DateFields {
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
        var why: String
        var field: String = ""
    }

    private var wrongPlace: Misfit? {
        if let calendar, !Self.calendars.contains(calendar) {
            return Misfit(
                why: "The calendar is not known; known are \(Self.calendars.joined(separator: " and ")).",
                field: "/calendar"
            )
        }
        if let zone, ZoneRules.of(zone) == nil {
            return Misfit(
                why: "The zone is not known; give a name such as Europe/Berlin.",
                field: "/zone"
            )
        }
        return nil
    }

    private var wrongNumber: Misfit? {
        let ranges: [(String, Int?, ClosedRange<Int>)] = [
            ("era", era, 1...1), ("year", year, Self.years), ("month", month, 1...12),
            ("day", day, 1...31), ("weekday", weekday, 1...7), ("hour", hour, 0...23),
            ("minute", minute, 0...59), ("second", second, 0...59), ("nanosecond", nanosecond, 0...999_999_999),
        ]
        for (name, value, range) in ranges {
            guard let value, !range.contains(value) else { continue }
            return Misfit(
                why: "\(name) \(value) is outside of \(range.lowerBound) to \(range.upperBound).",
                field: "/\(name)"
            )
        }
        guard let month, let day else { return nil }
        // Without a year the 29th of February is a day of some of them.
        let last = CivilDate.daysIn(month: month, year: year ?? 2000)
        guard day <= last else {
            let name = CalendarNames.month(month) + (year.map { " \($0)" } ?? "")
            return Misfit(why: "\(name) has no day \(day); its last one is \(last).", field: "/day")
        }
        guard let year, let weekday else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        let actual = LocalClock.weekday(LocalClock.start(of: date))
        guard actual != weekday else { return nil }
        return Misfit(
            why: "\(date.text) is a \(CalendarNames.day(actual)) and not a \(CalendarNames.day(weekday)).",
            field: "/weekday"
        )
    }

    /// What is missing between a large unit and a small one, or does not go together.
    private var wrongSet: Misfit? {
        guard !set.isEmpty else { return Misfit(why: "It has no components.") }
        let units = units
        let isFullDate = units.isSuperset(of: .dates)
        let derived: Set<String> = [
            "era", "quarter", "week_of_month", "week_of_year", "year_for_week_of_year", "day_of_year",
            "weekday_ordinal",
        ]
        if !isFullDate, let (name, _) = set.first(where: { derived.contains($0.name) }) {
            return Misfit(
                why:
                    "A schedule does not go by \(name); use year, month, day, weekday, hour, minute, second.",
                field: "/\(name)"
            )
        }
        let dates = units.intersection(.dates)
        if units.contains(.weekday), !dates.isEmpty {
            return Misfit(why: "A weekday goes with a time alone, or with a full date.", field: "/weekday")
        }
        if dates == [.year, .day] { return Misfit(why: "A year and a day need a month.", field: "/month") }
        let times = units.intersection(.times)
        guard !times.isEmpty else { return nil }
        if !dates.isEmpty, !dates.contains(.day) {
            return Misfit(why: "A time of day needs a day.", field: "/day")
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
            let smaller = rest.first { times.contains($0.0) }
            if let smaller { return Misfit(why: "A \(smaller.1) needs a \(name).", field: "/\(name)") }
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
}
