public import Foundation

/// Formats a length of time as text, for example “1 hr, 5 min” or “1:05:00”.
open class DateComponentsFormatter: Formatter, @unchecked Sendable {
    // @unchecked: one thread configures and uses a formatter, as for every `Formatter`.

    public enum UnitsStyle: Int, Sendable {
        /// Example: 1:05:00.
        case positional

        /// Example: 1h 5m.
        case abbreviated

        /// Example: 1 hr, 5 min.
        case short

        /// Example: 1 hour, 5 minutes.
        case full

        /// The same as `full`. On a phone: one hour, five minutes.
        case spellOut

        /// The same as `short`. On a phone: 1hr 5min.
        case brief
    }

    public struct ZeroFormattingBehavior: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Formats zeros as is usual for the style.
        public static let `default` = ZeroFormattingBehavior(rawValue: 1)

        /// Omits zeros before the first other number.
        public static let dropLeading = ZeroFormattingBehavior(rawValue: 2)

        /// Omits zeros between other numbers.
        public static let dropMiddle = ZeroFormattingBehavior(rawValue: 4)

        /// Omits zeros after the last other number.
        public static let dropTrailing = ZeroFormattingBehavior(rawValue: 8)

        /// Omits all zeros.
        public static let dropAll: ZeroFormattingBehavior = [.dropLeading, .dropMiddle, .dropTrailing]

        /// Includes zeros. The positional style then has two digits for each unit.
        public static let pad = ZeroFormattingBehavior(rawValue: 65536)
    }

    open var unitsStyle: UnitsStyle = .positional

    /// The units that the text may contain. An empty set allows days, hours, minutes and seconds.
    open var allowedUnits: NSCalendar.Unit = []
    open var zeroFormattingBehavior: ZeroFormattingBehavior = .default

    /// The maximum number of units in the text. 0 means no limit.
    open var maximumUnitCount = 0
    open var calendar: Calendar? = Calendar.current

    open func string(from interval: TimeInterval) -> String? {
        guard interval.isFinite, abs(interval) < 1e12 else { return nil }
        return LengthText(self).text(Int64(interval.rounded(.towardZero)))
    }

    open func string(from startDate: Date, to endDate: Date) -> String? {
        string(from: endDate.timeIntervalSince(startDate))
    }

    open func string(from components: DateComponents) -> String? {
        let days = Double(components.day ?? 0) + 7 * Double(components.weekOfMonth ?? 0)
        let hours = days * 24 + Double(components.hour ?? 0)
        return string(
            from: (hours * 60 + Double(components.minute ?? 0)) * 60 + Double(components.second ?? 0)
        )
    }

    open override func string(for obj: Any) -> String? {
        switch obj {
        case let components as DateComponents: string(from: components)
        case let seconds as TimeInterval: string(from: seconds)
        default: nil
        }
    }

    public static func localizedString(from components: DateComponents, unitsStyle: UnitsStyle) -> String? {
        let formatter = DateComponentsFormatter()
        formatter.unitsStyle = unitsStyle
        return formatter.string(from: components)
    }
}

/// Formats a length of time with the settings of a `DateComponentsFormatter`.
private struct LengthText {
    private struct Part {
        var unit: Duration.UnitsFormatStyle.Unit
        var count: Int64
    }

    private static let units: [(NSCalendar.Unit, Duration.UnitsFormatStyle.Unit, Int64)] = [
        (.weekOfMonth, .weeks, 604_800), (.day, .days, 86_400), (.hour, .hours, 3_600),
        (.minute, .minutes, 60),
        (.second, .seconds, 1),
    ]

    private let style: DateComponentsFormatter.UnitsStyle
    private let zeros: DateComponentsFormatter.ZeroFormattingBehavior
    private let countMax: Int
    private let allowed: NSCalendar.Unit
    private let locale: Locale

    init(_ formatter: DateComponentsFormatter) {
        style = formatter.unitsStyle
        countMax = formatter.maximumUnitCount > 0 ? formatter.maximumUnitCount : Self.units.count
        allowed = formatter.allowedUnits.isEmpty ? [.day, .hour, .minute, .second] : formatter.allowedUnits
        locale = formatter.calendar?.locale ?? .current
        let isDefault = formatter.zeroFormattingBehavior.contains(.default)
        // The positional style keeps zeros after the first number, because they are needed to read it.
        zeros =
            isDefault ? (style == .positional ? .dropLeading : .dropAll) : formatter.zeroFormattingBehavior
    }

    func text(_ seconds: Int64) -> String {
        let shown = kept(parts(of: abs(seconds))).prefix(countMax)
        let sign = seconds < 0 && shown.contains { $0.count > 0 } ? "-" : ""
        return sign + (style == .positional ? positional(Array(shown)) : words(Array(shown)))
    }

    private func parts(of seconds: Int64) -> [Part] {
        var rest = seconds
        return Self.units.filter { allowed.contains($0.0) }.map { _, unit, length in
            defer { rest %= length }
            return Part(unit: unit, count: rest / length)
        }
    }

    /// Returns the parts without the omitted zeros. If all parts are zero, the last one remains.
    private func kept(_ parts: [Part]) -> [Part] {
        let first = parts.firstIndex { $0.count > 0 } ?? parts.count
        let last = parts.lastIndex { $0.count > 0 } ?? -1
        let kept = parts.enumerated().filter { index, part in
            if part.count > 0 { return true }
            if index < first { return !zeros.contains(.dropLeading) }
            if index > last { return !zeros.contains(.dropTrailing) }
            return !zeros.contains(.dropMiddle)
        }.map(\.element)
        return kept.isEmpty ? parts.suffix(1) : kept
    }

    private func positional(_ parts: [Part]) -> String {
        let pads = zeros.contains(.pad)
        return parts.enumerated().map { index, part in
            let digits = String(part.count)
            return (index > 0 || pads) && digits.count < 2 ? "0" + digits : digits
        }.joined(separator: ":")
    }

    private func words(_ parts: [Part]) -> String {
        let width: Duration.UnitsFormatStyle.UnitWidth =
            switch style {
            case .abbreviated: .narrow
            case .short, .brief: .abbreviated
            default: .wide
            }
        return parts.map { part in
            let seconds = Self.units.first { $0.1 == part.unit }.map { $0.2 * part.count } ?? 0
            return Duration.seconds(seconds).formatted(
                .units(allowed: [part.unit], width: width, zeroValueUnits: .show(length: 1)).locale(locale)
            )
        }.joined(separator: style == .abbreviated ? " " : ", ")
    }
}
