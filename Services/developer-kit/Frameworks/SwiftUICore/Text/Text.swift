public import Foundation
import STContracts

public struct Text: Equatable, Sendable {
    var pieces: [TextPiece]

    init(_ source: TextPiece.Source) { pieces = [TextPiece(source)] }

    init(pieces: [TextPiece]) { self.pieces = pieces }

    public init(verbatim content: String) { self.init(.plain(content)) }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ content: S) { self.init(.plain(String(content))) }

    /// Creates a text from the translation of a key in the app's `Localizable.strings`.
    public init(
        _ key: LocalizedStringKey,
        tableName: String? = nil,
        bundle: Bundle? = nil,
        comment: StaticString? = nil
    ) { self.init(.key(key, table: tableName)) }

    /// Creates a text and ignores the attributes.
    public init(_ attributedContent: AttributedString) {
        pieces = attributedContent.runs.map { run in
            TextPiece(.plain(String(attributedContent[run.range].characters)))
        }
    }

    public init(_ image: Image) { self.init(.image(image)) }

    public init<F: FormatStyle>(_ input: F.FormatInput, format: F)
    where F.FormatInput: Equatable, F.FormatOutput == String {
        self.init(.made(FormattedValue { locale, _ in format.locale(locale).format(input) }))
    }

    public init(_ date: Date, style: Text.DateStyle) {
        self.init(.made(FormattedValue { style.text(date, locale: $0, zone: $1) }))
    }

    public init(_ dates: ClosedRange<Date>) {
        self.init(DateInterval(start: dates.lowerBound, end: dates.upperBound))
    }

    public init(_ interval: DateInterval) {
        self.init(.made(FormattedValue { DateStyle.text(interval, locale: $0, zone: $1) }))
    }

    /// Creates a text with the time at which the page is made. The time on a page does not advance.
    public init(
        timerInterval: ClosedRange<Date>,
        pauseTime: Date? = nil,
        countsDown: Bool = true,
        showsHours: Bool = true
    ) {
        let now = pauseTime ?? Date()
        let seconds =
            countsDown
            ? timerInterval.upperBound.timeIntervalSince(max(now, timerInterval.lowerBound))
            : min(now, timerInterval.upperBound).timeIntervalSince(timerInterval.lowerBound)
        self.init(verbatim: DateStyle.timer(max(0, seconds)))
    }

    public static func + (lhs: Text, rhs: Text) -> Text { Text(pieces: lhs.pieces + rhs.pieces) }

    public enum Case: Sendable {
        case uppercase, lowercase
    }

    public struct LineStyle: Hashable, Sendable {
        public struct Pattern: Sendable {
            public static let solid = Pattern()
            public static let dot = Pattern()
            public static let dash = Pattern()
        }

        public static let single = LineStyle()

        public init(pattern: Text.LineStyle.Pattern = .solid, color: Color? = nil) {}

        private init() {}
    }

    public enum TruncationMode: Sendable {
        case head, tail, middle
    }

    private func each(_ change: (inout TextPiece) -> Void) -> Text {
        var text = self
        for index in text.pieces.indices { change(&text.pieces[index]) }
        return text
    }

    public func font(_ font: Font?) -> Text { each { $0.font = $0.font ?? font } }

    public func fontWeight(_ weight: Font.Weight?) -> Text {
        each { if let weight { $0.changes.insert(.weight(weight), at: 0) } }
    }

    /// Has no effect.
    public func fontWidth(_ width: Font.Width?) -> Text { self }

    public func fontDesign(_ design: Font.Design?) -> Text {
        each { if let design { $0.changes.insert(.design(design), at: 0) } }
    }

    public func foregroundColor(_ color: Color?) -> Text {
        each { $0.color = $0.color ?? color.map { AnyShapeStyle($0) } }
    }

    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> Text {
        each { $0.color = $0.color ?? AnyShapeStyle(style) }
    }

    public func bold() -> Text { bold(true) }

    public func bold(_ isActive: Bool) -> Text {
        each { if isActive { $0.changes.insert(.weight(.bold), at: 0) } }
    }

    public func italic() -> Text { italic(true) }

    public func italic(_ isActive: Bool) -> Text { each { $0.changes.insert(.italic(isActive), at: 0) } }

    public func monospaced(_ isActive: Bool = true) -> Text {
        each { if isActive { $0.changes.insert(.design(.monospaced), at: 0) } }
    }

    public func monospacedDigit() -> Text { self }

    public func underline(
        _ isActive: Bool = true,
        pattern: Text.LineStyle.Pattern = .solid,
        color: Color? = nil
    ) -> Text { each { $0.underline = $0.underline ?? isActive } }

    public func strikethrough(
        _ isActive: Bool = true,
        pattern: Text.LineStyle.Pattern = .solid,
        color: Color? = nil
    ) -> Text { each { $0.strike = $0.strike ?? isActive } }

    // No effect.
    public func kerning(_ kerning: CGFloat) -> Text { self }
    public func tracking(_ tracking: CGFloat) -> Text { self }
    public func baselineOffset(_ baselineOffset: CGFloat) -> Text { self }

    public struct DateStyle: Hashable, Sendable {
        private enum Kind: Hashable { case time, date, relative, offset, timer }

        private let kind: Kind

        public static let time = DateStyle(kind: .time)
        public static let date = DateStyle(kind: .date)
        public static let relative = DateStyle(kind: .relative)
        public static let offset = DateStyle(kind: .offset)
        public static let timer = DateStyle(kind: .timer)

        func text(_ date: Date, locale: Locale, zone: TimeZone) -> String {
            let seconds = date.timeIntervalSinceNow
            switch kind {
            case .time:
                return Self.formatted(date, locale: locale, zone: zone, day: .omitted, time: .shortened)
            case .date:
                return Self.formatted(date, locale: locale, zone: zone, day: .long, time: .omitted)
            case .relative: return Self.length(abs(seconds), locale)
            case .offset: return (seconds < 0 ? "-" : "+") + Self.length(abs(seconds), locale)
            case .timer: return Self.timer(abs(seconds))
            }
        }

        static func text(_ interval: DateInterval, locale: Locale, zone: TimeZone) -> String {
            [interval.start, interval.end]
                .map { formatted($0, locale: locale, zone: zone, day: .abbreviated, time: .shortened) }
                .joined(separator: " – ")
        }

        private static func formatted(
            _ date: Date,
            locale: Locale,
            zone: TimeZone,
            day: Date.FormatStyle.DateStyle,
            time: Date.FormatStyle.TimeStyle
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

public enum TextAlignment: Hashable, CaseIterable, Sendable {
    case leading, center, trailing

    var page: PageAlign? {
        switch self {
        case .leading: nil
        case .center: .center
        case .trailing: .trailing
        }
    }
}

/// The selectability of a text. It has no effect, because the program that shows the page decides it.
public protocol TextSelectability {
    static var allowsSelection: Bool { get }
}

public struct EnabledTextSelectability: TextSelectability, Sendable {
    public static let allowsSelection = true
}

public struct DisabledTextSelectability: TextSelectability, Sendable {
    public static let allowsSelection = false
}

extension TextSelectability where Self == EnabledTextSelectability {
    public static var enabled: Self { Self() }
}

extension TextSelectability where Self == DisabledTextSelectability {
    public static var disabled: Self { Self() }
}

extension View {
    public func textSelection<S: TextSelectability>(_ selectability: S) -> some View { self }
}
