package import Foundation

/// A length of time in the form 1h30m, 45m or 90s.
package struct Length: Hashable, Comparable, Sendable {
    package static let day = Length(seconds: 86_400)

    package let seconds: Int

    package init(seconds: Int) { self.seconds = seconds }

    package init(minutes: Int) { seconds = minutes * 60 }

    /// Parses a length. A number without a unit means minutes. Returns `nil` if the text is not a length.
    package init?(_ text: some StringProtocol) {
        let units: [Character: Int] = ["h": 3600, "m": 60, "s": 1]
        var total = 0
        var number: Int?
        var last = Int.max
        for letter in text {
            if letter.isASCII, let digit = letter.wholeNumberValue {
                number = (number ?? 0) * 10 + digit
                // Reject more than the length of a day, because further digits would overflow.
                guard let number, number <= Self.day.seconds else { return nil }
            } else {
                guard let unit = units[letter], unit < last, let count = number else { return nil }
                total += count * unit
                last = unit
                number = nil
            }
        }
        if let number {
            guard last == Int.max else { return nil }
            total = number * 60
        }
        guard !text.isEmpty else { return nil }
        seconds = total
    }

    /// Parses a person's answer. `place` is the name of the option for error messages.
    package static func read(_ text: String, _ place: String? = nil) throws -> Length {
        guard let length = Length(text) else {
            throw Refusal(
                .usage,
                "\(place.map { "\($0): " } ?? "")“\(text.prefix(40))” is not a length of time. Write it like 1h30m, 45m or 90s"
            )
        }
        return length
    }

    /// The length in the format that `init` parses.
    package var text: String { text(["h", "m", "s"], between: "") }

    /// Returns the length in words.
    package func text(_ language: Language) -> String {
        switch language {
        case .english: text
        case .korean: text(["시간", "분", "초"], between: " ")
        }
    }

    private func text(_ units: [String], between: String) -> String {
        let parts = zip([seconds / 3600, seconds / 60 % 60, seconds % 60], units).filter { $0.0 > 0 }
        guard !parts.isEmpty else { return "0\(units[1])" }
        return parts.map { "\($0.0)\($0.1)" }.joined(separator: between)
    }

    /// The length as date components, for thresholds and warnings.
    package var components: DateComponents {
        DateComponents(hour: seconds / 3600, minute: seconds / 60 % 60, second: seconds % 60)
    }

    package static func < (one: Length, other: Length) -> Bool { one.seconds < other.seconds }
}

/// A time of day, for example 9:00 or 23:59:59.
package struct TimeOfDay: Hashable, Sendable {
    package static let midnight = TimeOfDay(hour: 0, minute: 0, second: 0)
    package static let lastSecond = TimeOfDay(hour: 23, minute: 59, second: 59)

    package let hour: Int
    package let minute: Int
    package let second: Int

    package init(hour: Int, minute: Int, second: Int) {
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy { (48...57).contains($0) } && part.utf8.count <= 2 ? Int(part) : nil
        }
        guard (2...3).contains(parts.count), numbers.count == parts.count, numbers[0] < 24,
            numbers.dropFirst().allSatisfy({ $0 < 60 })
        else { return nil }
        self.init(hour: numbers[0], minute: numbers[1], second: numbers.count == 3 ? numbers[2] : 0)
    }

    /// Parses a person's answer. `place` is the name of the option for error messages.
    package static func read(_ text: String, _ place: String? = nil) throws -> TimeOfDay {
        guard let time = TimeOfDay(text) else {
            throw Refusal(
                .usage,
                "\(place.map { "\($0): " } ?? "")“\(text.prefix(40))” is not a time of day. Write it like 9:00 or 23:59:59"
            )
        }
        return time
    }

    package var text: String {
        let short = "\(Digits.two(hour)):\(Digits.two(minute))"
        return second == 0 ? short : "\(short):\(Digits.two(second))"
    }

    package var components: DateComponents { DateComponents(hour: hour, minute: minute, second: second) }
}

/// Formats dates in local time.
package enum LocalTime {
    /// Returns a date as text, for example 2026-11-20 10:30:05.
    package static func text(_ date: Date, calendar: Calendar = .current) -> String {
        let parts = calendar.dateComponents([.hour, .minute, .second], from: date)
        let time = TimeOfDay(hour: parts.hour ?? 0, minute: parts.minute ?? 0, second: parts.second ?? 0)
        return "\(Day(date, calendar: calendar).text) \(time.text)"
    }
}
