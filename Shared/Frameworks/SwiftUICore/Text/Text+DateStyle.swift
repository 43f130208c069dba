import Foundation

extension Text {
    /// What is shown of a moment.
    public struct DateStyle: Hashable, Sendable {
        private enum Kind: Hashable { case time, date, relative, offset, timer }

        private let kind: Kind

        /// The time of day.
        public static let time = DateStyle(kind: .time)
        /// The day.
        public static let date = DateStyle(kind: .date)
        /// How long it is from now.
        public static let relative = DateStyle(kind: .relative)
        /// How long it is from now, with its sign.
        public static let offset = DateStyle(kind: .offset)
        /// How long it is from now, as a clock shows it.
        public static let timer = DateStyle(kind: .timer)

        func text(_ date: Date, _ locale: Locale, _ zone: TimeZone) -> String {
            let seconds = date.timeIntervalSinceNow
            switch kind {
            case .time: return Self.formatted(date, locale, zone, .omitted, .shortened)
            case .date: return Self.formatted(date, locale, zone, .long, .omitted)
            case .relative: return Self.length(abs(seconds), locale)
            case .offset: return (seconds < 0 ? "-" : "+") + Self.length(abs(seconds), locale)
            case .timer: return Self.timer(abs(seconds))
            }
        }

        static func text(_ interval: DateInterval, _ locale: Locale, _ zone: TimeZone) -> String {
            [interval.start, interval.end].map { formatted($0, locale, zone, .abbreviated, .shortened) }
                .joined(separator: " – ")
        }

        private static func formatted(
            _ date: Date,
            _ locale: Locale,
            _ zone: TimeZone,
            _ day: Date.FormatStyle.DateStyle,
            _ time: Date.FormatStyle.TimeStyle
        ) -> String {
            var style = Date.FormatStyle(date: day, time: time, locale: locale)
            style.timeZone = zone
            return style.format(date)
        }

        private static func length(_ seconds: TimeInterval, _ locale: Locale) -> String {
            guard seconds.isFinite, seconds < 1e12 else { return "" }
            return Duration.seconds(Int64(seconds)).formatted(
                .units(
                    allowed: [.days, .hours, .minutes, .seconds],
                    width: .abbreviated,
                    maximumUnitCount: 2
                ).locale(locale)
            )
        }

        static func timer(_ seconds: TimeInterval) -> String {
            guard seconds.isFinite, seconds < 1e12 else { return "" }
            let all = Int64(seconds)
            let rest = "\(all / 60 % 60):" + String(format: "%02d", Int(all % 60))
            guard all >= 3600 else { return rest }
            return "\(all / 3600):" + String(format: "%02d", Int(all / 60 % 60)) + ":"
                + String(format: "%02d", Int(all % 60))
        }
    }
}
