import STContracts
package import STPlatform

/// The sentences of the built-in reports.
struct ReportStrings: Sendable {
    let language: DisplayLanguage

    init(_ language: DisplayLanguage) { self.language = language }

    private var dates: ReportDates { ReportDates(language) }

    func say(_ key: String, _ text: MessageText) -> String { language.text(key, text) }

    // MARK: - Titles

    func title(_ scene: ReportTemplate, _ key: ReportKey, days: Int) -> String {
        switch scene {
        case .total: total(by: key)
        case .categories: say("report.screen-time-by-category", "Screen time by category")
        case .apps: say("report.screen-time-by-app", "Screen time by app")
        case .hours: say("report.screen-time-by-hour", "Screen time by hour")
        case .days: say("report.screen-time-by-day", "Screen time by day")
        case .weeks: say("report.screen-time-by-week", "Screen time by week")
        case .timeline: say("report.the-course-of-the", "Timeline of the day")
        case .pickups: say("report.pickups-and-notifications", "Pickups and notifications")
        case .compare: compared(days)
        case .household: say("report.the-household", "The household")
        }
    }

    private func compared(_ days: Int) -> String {
        switch days {
        case 1: say("report.day-against-day", "Day compared with the day before")
        case 7: say("report.week-against-week", "Week compared with the week before")
        default:
            say(
                "report.days-against-the-before",
                "\(days, "days") days compared with the \(days, "days") days before"
            )
        }
    }

    private func total(by key: ReportKey) -> String {
        switch key {
        case .app, .unknown: say("report.screen-time-by-app", "Screen time by app")
        case .category: say("report.screen-time-by-category", "Screen time by category")
        case .site: say("report.screen-time-by-site", "Screen time by site")
        case .member: say("report.screen-time-by-person", "Screen time by person")
        case .device: say("report.screen-time-by-device", "Screen time by device")
        }
    }

    var everyone: String { say("report.all-people", "All people") }

    // MARK: - Sentences of all reports

    /// Returns the meaning of a condition for a report, or `nil` if it does not change what a report shows.
    func notice(_ condition: Condition) -> String? {
        switch condition.code {
        case .recordsDamaged: damaged
        case .recordsMissing: lost
        case .desktopUnobserved:
            [
                say(
                    "report.this-session-cannot-be",
                    "\(condition.text, "state") No new usage is counted."
                ), condition.advice?.text(in: language),
            ].compactMap(\.self).joined(separator: " ")
        default: nil
        }
    }

    private var lost: String {
        say(
            "report.records-are-missing-so",
            "Records are missing, so this report may show too little usage. For details, run: screentime history"
        )
    }

    private var damaged: String {
        say(
            "report.the-record-of-use",
            """
            The usage records are damaged, so new usage is not recorded. To find out what to do, run: \
            screentime status
            """
        )
    }

    var demo: String { say("report.demo-not-your-own", "DEMO: not your own data") }

    var nothing: String { say("report.no-use-was-seen", "No usage was recorded.") }

    var blindSpots: String {
        say(
            "report.not-included-devices-whose",
            "Not included: devices whose usage was not imported, other accounts, and time without observations."
        )
    }

    func absent(_ length: Duration) -> String {
        say(
            "report.the-computer-was-left",
            "No one was at the computer for \(dates.duration(length), "duration")."
        )
    }

    /// Returns sentences about unobserved and shielded time, even if there was none.
    ///
    /// With `isBlind`, they do not claim that everything was observed.
    func unseen(_ unobserved: Duration, shielded: Duration, isBlind: Bool = false) -> [String] {
        if isBlind {
            let told = unseen(max(.milliseconds(1), unobserved), shielded: shielded)
            guard unobserved == .zero else { return told }
            let sentence = say("report.what-happens-now-is", "Screen Time does not detect current usage.")
            return [sentence] + told.dropFirst()
        }
        let (unseen, shield) = (dates.duration(unobserved), dates.duration(shielded))
        if unobserved == .zero, shielded == .zero {
            return [
                say(
                    "report.all-time-was-seen",
                    "Screen Time observed the whole period, and no shield was in the foreground."
                )
            ]
        }
        return [
            unobserved == .zero
                ? say("report.all-time-was-seen-2", "Screen Time observed the whole period.")
                : say(
                    "report.not-seen-that-is",
                    "Not observed: \(unseen, "unseen"). This time counts neither as usage nor as absence."
                ),
            shielded == .zero
                ? say("report.no-time-was-spent", "No shield was in the foreground.")
                : say(
                    "report.in-front-of-shields",
                    """
                    Time with a shield in the foreground: \(shield, "shielded"). It does not count as \
                    usage.
                    """
                ),
        ]
    }

    func since(_ moment: String?) -> String {
        guard let moment else {
            return say("report.nothing-has-been-watched", "Nothing has been recorded on this computer yet.")
        }
        return say("report.watched-since", "Recorded since \(moment, "moment").")
    }

    func known(_ time: String, isOpen: Bool) -> String {
        isOpen
            ? say(
                "report.counted-up-to-what",
                "Counted up to \(time, "time"), including the foreground app."
            )
            : say("report.counted-up-to", "Counted up to \(time, "time").")
    }

    func more(_ count: Int, _ used: Duration) -> String {
        say("report.more-with", "\(count, "count") more, \(dates.duration(used), "duration") in total")
    }

    func rest(_ count: Int) -> String { say("report.more", "\(count, "count") more") }

    var others: String { say("report.others", "Others") }

    var time: String { say("report.time", "Time") }

    func pickups(_ count: Int64) -> String {
        language.text(
            "report.count-of-pickups",
            count: Int(clamping: count),
            one: "1 pickup",
            other: "\(count, "count") pickups"
        )
    }

    func notifications(_ count: Int64) -> String {
        language.text(
            "report.count-of-notifications",
            count: Int(clamping: count),
            one: "1 notification",
            other: "\(count, "count") notifications"
        )
    }

    // MARK: - Comparison

    /// Returns a difference, for example `1 h 5 min more than` with the name of the other period.
    func difference(_ length: Duration, than other: String) -> String {
        let magnitude = length < .zero ? .zero - length : length
        let size = dates.duration(magnitude)
        if magnitude < .seconds(60) { return say("report.as-much-as", "as much as \(other, "other")") }
        return length > .zero
            ? say("report.more-than", "\(size, "size") more than \(other, "other")")
            : say("report.less-than", "\(size, "size") less than \(other, "other")")
    }

    /// Returns `+12%`, or `nil` if there was no usage before.
    func percent(_ now: Duration, _ before: Duration) -> String? {
        guard before > .zero else { return nil }
        let percent = Int((Double((now - before).ms) / Double(before.ms) * 100).rounded())
        if percent > 999 { return nil }
        return percent == 0 ? "±0%" : percent > 0 ? "+\(percent)%" : "−\(-percent)%"
    }
}

/// Formats dates and durations in a language.
package struct ReportDates: Sendable {
    package let language: DisplayLanguage

    package init(_ language: DisplayLanguage) { self.language = language }

    /// Returns `2 h 5 min`.
    package func duration(_ length: Duration) -> String {
        TextFormat.duration(ms: max(0, length.ms) / 1000 * 1000, in: language, inHours: true)
    }

    /// Returns `Friday, 20 November 2026`.
    package func long(_ day: CivilDate) -> String {
        language.text("report.weekday-date", "\(wholeWeekday(day), "weekday"), \(date(day), "date")")
    }

    /// Returns `20 November 2026`.
    package func date(_ day: CivilDate) -> String {
        language.text("report.date-year", "\(dayAndMonth(day), "date") \(day.year, "year")")
    }

    /// Returns `20 November`.
    private func dayAndMonth(_ day: CivilDate) -> String {
        let month = CalendarNames.month(day.month, in: language)
        return language.text("report.day-month", "\(day.day, "day") \(month, "month")")
    }

    /// Returns `20 Nov`.
    package func short(_ day: CivilDate) -> String {
        let month = CalendarNames.shortMonth(day.month, in: language)
        return language.text("report.day-month", "\(day.day, "day") \(month, "month")")
    }

    /// Returns `Fri`.
    package func weekday(_ day: CivilDate) -> String {
        CalendarNames.shortDay(day.weekday, in: language)
    }

    /// Returns `Friday`.
    package func wholeWeekday(_ day: CivilDate) -> String {
        CalendarNames.day(day.weekday, in: language)
    }

    /// Returns the label below a bar, for example `Fri 20`.
    package func tick(_ day: CivilDate) -> String {
        language.text("report.weekday-day", "\(weekday(day), "weekday") \(day.day, "day")")
    }

    /// Returns `14 – 20 November 2026`.
    package func range(_ first: CivilDate, _ last: CivilDate) -> String {
        if first == last { return long(first) }
        guard first.year == last.year else { return "\(date(first)) – \(date(last))" }
        if first.month == last.month {
            let month = CalendarNames.month(first.month, in: language)
            return language.text(
                "report.days-month-year",
                "\(first.day, "first") – \(last.day, "last") \(month, "month") \(first.year, "year")"
            )
        }
        return language.text(
            "report.dates-year",
            "\(dayAndMonth(first), "first") – \(dayAndMonth(last), "last") \(last.year, "year")"
        )
    }

    /// Returns `14 – 20 Nov`.
    package func shortRange(_ first: CivilDate, _ last: CivilDate) -> String {
        guard first != last else { return short(first) }
        if first.month == last.month, first.year == last.year {
            let month = CalendarNames.shortMonth(first.month, in: language)
            return language.text(
                "report.days-month",
                "\(first.day, "first") – \(last.day, "last") \(month, "month")"
            )
        }
        return "\(short(first)) – \(short(last))"
    }
}
