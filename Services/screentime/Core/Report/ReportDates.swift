package import STPlatform

/// Dates and durations as a language writes them.
package struct ReportDates: Sendable {
    package let language: WordLanguage

    package init(_ language: WordLanguage) { self.language = language }

    /// `2 h 5 min`, `2시간 5분`: rounded down, seconds only where there is nothing else.
    package func duration(_ ms: Int64) -> String {
        let seconds = max(0, ms) / 1000
        if seconds < 60, seconds > 0 { return language.pick("\(seconds) s", "\(seconds)초") }
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        var parts: [String] = []
        if hours > 0 { parts.append(language.pick("\(hours) h", "\(hours)시간")) }
        if minutes > 0 || hours == 0 { parts.append(language.pick("\(minutes) min", "\(minutes)분")) }
        return parts.joined(separator: " ")
    }

    /// `Friday, 20 November 2026`, `2026년 11월 20일 금요일`.
    package func long(_ day: CivilDate) -> String {
        language.pick(
            "\(wholeWeekday(day)), \(date(day))",
            "\(date(day)) \(wholeWeekday(day))"
        )
    }

    /// `20 November 2026`, `2026년 11월 20일`.
    package func date(_ day: CivilDate) -> String {
        language.pick("\(dayAndMonth(day)) \(day.year)", "\(day.year)년 \(dayAndMonth(day))")
    }

    /// `20 November`, `11월 20일`.
    private func dayAndMonth(_ day: CivilDate) -> String {
        let month = CalendarNames.month(day.month, in: language)
        return language.pick("\(day.day) \(month)", "\(month) \(day.day)일")
    }

    /// `20 Nov`, `11월 20일`.
    package func short(_ day: CivilDate) -> String {
        language.pick("\(day.day) \(CalendarNames.shortMonth(day.month))", dayAndMonth(day))
    }

    /// `Fri`, `금`.
    package func weekday(_ day: CivilDate) -> String {
        CalendarNames.shortDay(day.weekday, in: language)
    }

    /// `Friday`, `금요일`.
    package func wholeWeekday(_ day: CivilDate) -> String {
        CalendarNames.day(day.weekday, in: language)
    }

    /// `Fri 20`, `20일 금`: what stands below a bar.
    package func tick(_ day: CivilDate) -> String {
        language.pick("\(weekday(day)) \(day.day)", "\(day.day)일 \(weekday(day))")
    }

    /// `14 – 20 November 2026`, `2026년 11월 14일 – 20일`.
    package func range(_ first: CivilDate, _ last: CivilDate) -> String {
        if first == last { return long(first) }
        guard first.year == last.year else { return "\(date(first)) – \(date(last))" }
        if first.month == last.month {
            return language.pick("\(first.day) – \(date(last))", "\(date(first)) – \(last.day)일")
        }
        return language.pick(
            "\(dayAndMonth(first)) – \(date(last))",
            "\(date(first)) – \(dayAndMonth(last))"
        )
    }

    /// `14 – 20 Nov`, `11월 14일 – 20일`.
    package func shortRange(_ first: CivilDate, _ last: CivilDate) -> String {
        guard first != last else { return short(first) }
        if first.month == last.month, first.year == last.year {
            return language.pick("\(first.day) – \(short(last))", "\(short(first)) – \(last.day)일")
        }
        return "\(short(first)) – \(short(last))"
    }
}
