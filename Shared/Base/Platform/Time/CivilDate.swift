/// A day of the proleptic Gregorian calendar, without a time zone.
package struct CivilDate: Sendable, Hashable {
    package var year: Int
    package var month: Int
    package var day: Int

    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Converts days since 1970. Counts in eras of 400 years that begin in March, so that the leap day comes last and needs no
    /// special case.
    package init(daysSinceEpoch: Int) {
        let shifted = daysSinceEpoch + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    package var daysSinceEpoch: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// 1 is Sunday, as in Foundation. The epoch was a Thursday.
    package var weekday: Int { ((daysSinceEpoch + 4) % 7 + 7) % 7 + 1 }

    package func adding(days: Int) -> CivilDate { CivilDate(daysSinceEpoch: daysSinceEpoch + days) }

    package static func daysIn(month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// For example `2026-11-20`.
    package var text: String {
        "\(TextFormat.padded(year, 4))-\(TextFormat.padded(month, 2))-\(TextFormat.padded(day, 2))"
    }

    /// Parses a date. Fails unless the text is a real day written as `2026-11-20`.
    package init?(text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        // `Int` also accepts a sign and any number of digits.
        guard parts.map(\.utf8.count) == [4, 2, 2], text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
            year > 0, (1...12).contains(month), day > 0, day <= Self.daysIn(month: month, year: year)
        else { return nil }
        self.init(year: year, month: month, day: day)
    }
}

/// The names of weekdays and months.
package enum CalendarNames {
    /// For example `Friday`. 1 is Sunday.
    package static func day(_ weekday: Int) -> Message {
        switch weekday {
        case 1: Message("date.sunday", "Sunday")
        case 2: Message("date.monday", "Monday")
        case 3: Message("date.tuesday", "Tuesday")
        case 4: Message("date.wednesday", "Wednesday")
        case 5: Message("date.thursday", "Thursday")
        case 6: Message("date.friday", "Friday")
        case 7: Message("date.saturday", "Saturday")
        default: Message(verbatim: "\(weekday)")
        }
    }

    package static func day(_ weekday: Int, in language: DisplayLanguage) -> String {
        Self.day(weekday).text(in: language)
    }

    /// For example `Fri`. 1 is Sunday.
    package static func shortDay(_ weekday: Int) -> Message {
        switch weekday {
        case 1: Message("date.short-sunday", "Sun")
        case 2: Message("date.short-monday", "Mon")
        case 3: Message("date.short-tuesday", "Tue")
        case 4: Message("date.short-wednesday", "Wed")
        case 5: Message("date.short-thursday", "Thu")
        case 6: Message("date.short-friday", "Fri")
        case 7: Message("date.short-saturday", "Sat")
        default: Message(verbatim: "\(weekday)")
        }
    }

    package static func shortDay(_ weekday: Int, in language: DisplayLanguage) -> String {
        Self.shortDay(weekday).text(in: language)
    }

    /// For example `November`. 1 is January.
    package static func month(_ month: Int) -> Message {
        switch month {
        case 1: Message("date.january", "January")
        case 2: Message("date.february", "February")
        case 3: Message("date.march", "March")
        case 4: Message("date.april", "April")
        case 5: Message("date.may", "May")
        case 6: Message("date.june", "June")
        case 7: Message("date.july", "July")
        case 8: Message("date.august", "August")
        case 9: Message("date.september", "September")
        case 10: Message("date.october", "October")
        case 11: Message("date.november", "November")
        case 12: Message("date.december", "December")
        default: Message(verbatim: "\(month)")
        }
    }

    package static func month(_ month: Int, in language: DisplayLanguage) -> String {
        Self.month(month).text(in: language)
    }

    /// For example `Nov`. 1 is January.
    package static func shortMonth(_ month: Int) -> Message {
        switch month {
        case 1: Message("date.short-january", "Jan")
        case 2: Message("date.short-february", "Feb")
        case 3: Message("date.short-march", "Mar")
        case 4: Message("date.short-april", "Apr")
        case 5: Message("date.short-may", "May")
        case 6: Message("date.short-june", "Jun")
        case 7: Message("date.short-july", "Jul")
        case 8: Message("date.short-august", "Aug")
        case 9: Message("date.short-september", "Sep")
        case 10: Message("date.short-october", "Oct")
        case 11: Message("date.short-november", "Nov")
        case 12: Message("date.short-december", "Dec")
        default: Message(verbatim: "\(month)")
        }
    }

    package static func shortMonth(_ month: Int, in language: DisplayLanguage) -> String {
        Self.shortMonth(month).text(in: language)
    }
}
