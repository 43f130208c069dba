package import STDomain

/// A time of the day as a rule has it, `21:30`.
package struct ClockTime: Sendable, Equatable {
    package var minutes: Int

    /// Nil unless it is two digits, a colon and two digits; `24:00` is midnight at the end of a day.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 5, bytes[2] == UInt8(ascii: ":") else { return nil }
        let digits = [bytes[0], bytes[1], bytes[3], bytes[4]].map { Int($0) - 48 }
        guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
        let hour = digits[0] * 10 + digits[1]
        let minute = digits[2] * 10 + digits[3]
        guard hour < 24 && minute < 60 || hour == 24 && minute == 0 else { return nil }
        minutes = hour % 24 * 60 + minute
    }

    package var fields: DateFields { DateFields(hour: minutes / 60, minute: minutes % 60) }
}
