public import Foundation

/// Words.
public struct Text: Equatable, Sendable {
    var pieces: [TextPiece]

    init(_ source: TextPiece.Source) { pieces = [TextPiece(source)] }

    init(pieces: [TextPiece]) { self.pieces = pieces }

    /// Words as they are.
    public init(verbatim content: String) { self.init(.plain(content)) }

    /// Words as they are.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ content: S) { self.init(.plain(String(content))) }

    /// Words of the app's `Localizable.strings`, or those themselves.
    public init(
        _ key: LocalizedStringKey,
        tableName: String? = nil,
        bundle: Bundle? = nil,
        comment: StaticString? = nil
    ) { self.init(.key(key, table: tableName)) }

    /// Words with looks of their own; only bold and slanted ones are shown so.
    public init(_ attributedContent: AttributedString) {
        pieces = attributedContent.runs.map { run in
            TextPiece(.plain(String(attributedContent[run.range].characters)))
        }
    }

    /// A picture among words.
    public init(_ image: Image) { self.init(.image(image)) }

    /// A value in a format.
    public init<F: FormatStyle>(_ input: F.FormatInput, format: F)
    where F.FormatInput: Equatable, F.FormatOutput == String {
        self.init(.made(FormattedValue { locale, _ in format.locale(locale).format(input) }))
    }

    /// A moment.
    public init(_ date: Date, style: Text.DateStyle) {
        self.init(.made(FormattedValue { style.text(date, $0, $1) }))
    }

    /// From one moment to another.
    public init(_ dates: ClosedRange<Date>) {
        self.init(DateInterval(start: dates.lowerBound, end: dates.upperBound))
    }

    /// From one moment to another.
    public init(_ interval: DateInterval) {
        self.init(.made(FormattedValue { DateStyle.text(interval, $0, $1) }))
    }

    /// How long it still takes until the end; a page does not count on.
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

    /// One after the other.
    public static func + (lhs: Text, rhs: Text) -> Text { Text(pieces: lhs.pieces + rhs.pieces) }
}
