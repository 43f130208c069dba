public import Foundation

/// Words that may have others in another language, with values in them.
public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation, Sendable {
    /// A part of it.
    enum Part: Equatable, Sendable {
        case literal(String)
        /// A value, and how it is named in the key.
        case value(Text, String)
    }

    let parts: [Part]

    /// Those words.
    public init(_ value: String) { parts = [.literal(value)] }

    /// Those words.
    public init(stringLiteral value: String) { self.init(value) }

    /// Those words and values.
    public init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

    /// Under which words it is to be found, such as `%lld apps`.
    var key: String {
        parts.map {
            switch $0 {
            case .literal(let text): text.replacing("%", with: "%%")
            case .value(_, let name): name
            }
        }.joined()
    }

    /// Puts words and values together.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        var parts: [Part] = []

        /// Nothing yet.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Words.
        public mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { parts.append(.literal(literal)) }
        }

        /// Words.
        public mutating func appendInterpolation(_ string: String) {
            parts.append(.value(Text(verbatim: string), "%@"))
        }

        /// An object, as it describes itself.
        public mutating func appendInterpolation<Subject: NSObject>(
            _ subject: Subject,
            formatter: Formatter? = nil
        ) {
            appendInterpolation(formatter?.string(for: subject) ?? subject.description)
        }

        /// A value of Foundation's, in a formatter's words or as it describes itself.
        public mutating func appendInterpolation<Subject: ReferenceConvertible>(
            _ subject: Subject,
            formatter: Formatter? = nil
        ) {
            appendInterpolation(formatter?.string(for: subject) ?? "\(subject)")
        }

        /// A value in a format.
        public mutating func appendInterpolation<F: FormatStyle>(_ input: F.FormatInput, format: F)
        where F.FormatInput: Equatable, F.FormatOutput == String {
            parts.append(.value(Text(input, format: format), "%@"))
        }

        /// A number.
        public mutating func appendInterpolation<T: _FormatSpecifiable>(_ value: T) {
            let arg = value._plain
            parts.append(.value(Text(.made(FormattedValue { locale, _ in arg.text(locale) })), arg.name))
        }

        /// A number as `printf` has it, such as `%.1f`.
        public mutating func appendInterpolation<T: _FormatSpecifiable>(_ value: T, specifier: String) {
            let arg = value._plain
            parts.append(.value(Text(.made(FormattedValue { arg.text(specifier, $0, $1) })), specifier))
        }

        /// A text with its look.
        public mutating func appendInterpolation(_ text: Text) { parts.append(.value(text, "%@")) }

        /// A picture.
        public mutating func appendInterpolation(_ image: Image) { parts.append(.value(Text(image), "%@")) }

        /// A moment.
        public mutating func appendInterpolation(_ date: Date, style: Text.DateStyle) {
            parts.append(.value(Text(date, style: style), "%@"))
        }

        /// From one moment to another.
        public mutating func appendInterpolation(_ dates: ClosedRange<Date>) {
            parts.append(.value(Text(dates), "%@"))
        }

        /// From one moment to another.
        public mutating func appendInterpolation(_ interval: DateInterval) {
            parts.append(.value(Text(interval), "%@"))
        }
    }
}
