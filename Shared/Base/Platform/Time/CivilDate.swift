/// A day of the proleptic Gregorian calendar, without any zone.
package struct CivilDate: Sendable, Hashable {
    package var year: Int
    package var month: Int
    package var day: Int

    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Counts in eras of 400 years that begin in March, so that the leap day comes last and needs no case of its own.
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

    /// 1 is Sunday, as in Foundation; the epoch was a Thursday.
    package var weekday: Int { ((daysSinceEpoch + 4) % 7 + 7) % 7 + 1 }

    package func adding(days: Int) -> CivilDate { CivilDate(daysSinceEpoch: daysSinceEpoch + days) }

    package static func daysIn(month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// `2026-11-20`.
    package var text: String {
        "\(TextFormat.padded(year, 4))-\(TextFormat.padded(month, 2))-\(TextFormat.padded(day, 2))"
    }

    /// Nil unless the text is a real day written as `2026-11-20`.
    package init?(text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        // A number alone may have a sign, and any count of digits.
        guard parts.map(\.utf8.count) == [4, 2, 2], text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
            year > 0, (1...12).contains(month), day > 0, day <= Self.daysIn(month: month, year: year)
        else { return nil }
        self.init(year: year, month: month, day: day)
    }
}

/// What days of the week and months are called.
package enum CalendarNames {
    private static let days = [
        ("Sunday", "일"), ("Monday", "월"), ("Tuesday", "화"), ("Wednesday", "수"), ("Thursday", "목"),
        ("Friday", "금"), ("Saturday", "토"),
    ]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
        "November", "December",
    ]

    /// `Friday`, `금요일`; 1 is Sunday.
    package static func day(_ weekday: Int, in language: WordLanguage = .english) -> String {
        guard days.indices.contains(weekday - 1) else { return "day \(weekday)" }
        return language.pick(days[weekday - 1].0, days[weekday - 1].1 + "요일")
    }

    /// `Fri`, `금`.
    package static func shortDay(_ weekday: Int, in language: WordLanguage = .english) -> String {
        guard days.indices.contains(weekday - 1) else { return "day \(weekday)" }
        return language.pick(String(days[weekday - 1].0.prefix(3)), days[weekday - 1].1)
    }

    /// `November`, `11월`.
    package static func month(_ month: Int, in language: WordLanguage = .english) -> String {
        guard months.indices.contains(month - 1) else { return "month \(month)" }
        return language.pick(months[month - 1], "\(month)월")
    }

    /// `Nov`, `11월`.
    package static func shortMonth(_ month: Int, in language: WordLanguage = .english) -> String {
        guard months.indices.contains(month - 1) else { return "month \(month)" }
        return language.pick(String(months[month - 1].prefix(3)), "\(month)월")
    }
}
