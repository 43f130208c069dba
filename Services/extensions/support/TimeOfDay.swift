package import Foundation

/// A time on the clock, such as 9:00 or 23:59:59.
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

    /// As `init`, for an answer of a person; `place` is the option it stands behind.
    package static func read(_ text: String, _ place: String? = nil) throws -> TimeOfDay {
        guard let time = TimeOfDay(text) else {
            throw Refusal(
                .usage,
                "\(place.map { "\($0): " } ?? "")“\(text.prefix(40))” is no time of day. Write it like 9:00 or 23:59:59"
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
