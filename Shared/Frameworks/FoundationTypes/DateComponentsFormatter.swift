public import Foundation

/// Writes a length of time in words, such as “1 hr, 5 min” or “1:05:00”.
open class DateComponentsFormatter: Formatter, @unchecked Sendable {
    // @unchecked: set up by one thread and used by it, as every formatter.

    /// How much of each word is written.
    public enum UnitsStyle: Int, Sendable {
        /// 1:05:00.
        case positional

        /// 1h 5m.
        case abbreviated

        /// 1 hr, 5 min.
        case short

        /// 1 hour, 5 minutes.
        case full

        /// One hour, five minutes on a phone; here as `full`.
        case spellOut

        /// 1hr 5min on a phone; here as `short`.
        case brief
    }

    /// What happens to a unit of which there is none.
    public struct ZeroFormattingBehavior: OptionSet, Sendable {
        /// The number that stands for it.
        public let rawValue: UInt

        /// The one with this number.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// As fits the style.
        public static let `default` = ZeroFormattingBehavior(rawValue: 1)

        /// Left out before the first one that is not zero.
        public static let dropLeading = ZeroFormattingBehavior(rawValue: 2)

        /// Left out between others.
        public static let dropMiddle = ZeroFormattingBehavior(rawValue: 4)

        /// Left out after the last one that is not zero.
        public static let dropTrailing = ZeroFormattingBehavior(rawValue: 8)

        /// Left out everywhere.
        public static let dropAll: ZeroFormattingBehavior = [.dropLeading, .dropMiddle, .dropTrailing]

        /// Written, with two digits where it is positional.
        public static let pad = ZeroFormattingBehavior(rawValue: 65536)
    }

    /// How much of each word is written.
    open var unitsStyle: UnitsStyle = .positional

    /// The units that may be written; none is all from days to seconds.
    open var allowedUnits: NSCalendar.Unit = []

    /// What happens to a unit of which there is none.
    open var zeroFormattingBehavior: ZeroFormattingBehavior = .default

    /// How many units are written at most; 0 is all.
    open var maximumUnitCount = 0

    /// Whose words are written.
    open var calendar: Calendar? = Calendar.current

    /// So many seconds in words.
    open func string(from interval: TimeInterval) -> String? {
        guard interval.isFinite, abs(interval) < 1e12 else { return nil }
        return LengthText(self).text(Int64(interval.rounded(.towardZero)))
    }

    /// The time between the two in words.
    open func string(from startDate: Date, to endDate: Date) -> String? {
        string(from: endDate.timeIntervalSince(startDate))
    }

    /// A length of days, hours, minutes and seconds in words.
    open func string(from components: DateComponents) -> String? {
        let days = Double(components.day ?? 0) + 7 * Double(components.weekOfMonth ?? 0)
        let hours = days * 24 + Double(components.hour ?? 0)
        return string(
            from: (hours * 60 + Double(components.minute ?? 0)) * 60 + Double(components.second ?? 0)
        )
    }

    /// As `string(from:)`, for a number of seconds or components.
    open override func string(for obj: Any) -> String? {
        switch obj {
        case let components as DateComponents: string(from: components)
        case let seconds as TimeInterval: string(from: seconds)
        default: nil
        }
    }

    /// One length in words, in one style.
    public static func localizedString(from components: DateComponents, unitsStyle: UnitsStyle) -> String? {
        let formatter = DateComponentsFormatter()
        formatter.unitsStyle = unitsStyle
        return formatter.string(from: components)
    }
}
