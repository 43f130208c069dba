extension TextFormat {
    /// 0000-01-01 and 9999-12-31T23:59:59.999, the range that RFC 3339 can write.
    private static let wallMsRange: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999
    private static let dayMs: Int64 = 86_400_000

    /// `2025-01-02T03:04:05.678Z`. What lies outside the years 0 to 9999 becomes their nearest end.
    package static func rfc3339(wallMs: Int64) -> String {
        let moment = min(max(wallMs, wallMsRange.lowerBound), wallMsRange.upperBound)
        var days = moment / dayMs
        var rest = moment % dayMs
        if rest < 0 {
            rest += dayMs
            days -= 1
        }
        let (year, month, day) = date(daysSince1970: days)
        let calendar = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
        let clock = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map { padded($0, 2) }
        return "\(calendar)T\(clock.joined(separator: ":")).\(padded(rest % 1000, 3))Z"
    }

    /// Only UTC, written as `rfc3339` does; the fraction may be absent or have one to nine digits. Else nil.
    package static func wallMs(rfc3339 text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.count <= 30, bytes.last == UInt8(ascii: "Z") else { return nil }
        for (index, mark) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")] {
            guard bytes[index] == mark.utf8.first else { return nil }
        }
        guard let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
            let day = number(bytes[8..<10]),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
            let second = number(bytes[17..<19]),
            (1...12).contains(month), (1...daysIn(month: month, year: year)).contains(day),
            hour < 24, minute < 60, second < 60
        else { return nil }
        guard let milliseconds = fraction(bytes[19..<(bytes.count - 1)]) else { return nil }
        let days = daysSince1970(year: year, month: month, day: day)
        return days * dayMs + hour * 3_600_000 + minute * 60_000 + second * 1000 + milliseconds
    }

    private static func fraction(_ bytes: ArraySlice<UInt8>) -> Int64? {
        if bytes.isEmpty { return 0 }
        guard bytes.first == UInt8(ascii: "."), bytes.count > 1, number(bytes.dropFirst()) != nil else {
            return nil
        }
        var digits = Array(bytes.dropFirst().prefix(3))
        while digits.count < 3 { digits.append(UInt8(ascii: "0")) }
        return number(digits[...])
    }

    /// Digits only: `Int64.init` would also take a sign.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64? {
        guard !bytes.isEmpty, bytes.count <= 9 else { return nil }
        var value: Int64 = 0
        for byte in bytes {
            guard (48...57).contains(byte) else { return nil }
            value = value * 10 + Int64(byte - 48)
        }
        return value
    }

    private static func daysIn(month: Int64, year: Int64) -> Int64 {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return switch month {
        case 2: isLeap ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    // Howard Hinnant's civil calendar: years begin in March, so that the leap day is the last of its year, and 400
    // years make one era of 146,097 days. https://howardhinnant.github.io/date_algorithms.html

    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func date(daysSince1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let days = daysSince1970 + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }
}
