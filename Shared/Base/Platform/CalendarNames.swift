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
