public import Foundation

extension String {
    /// A text with values. The key of its translation is the text with placeholders, for example `%lld apps`.
    public struct LocalizationValue: Equatable, Sendable, ExpressibleByStringInterpolation {
        var key: String
        var values: [Value] = []

        enum Value: Equatable, Sendable {
            case text(String)
            case whole(Int64)
            case real(Double)
        }

        public init(_ value: String) { key = value.replacing("%", with: "%%") }

        public init(stringLiteral value: String) { self.init(value) }

        public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.value }

        public struct StringInterpolation: StringInterpolationProtocol, Sendable {
            fileprivate var value = LocalizationValue("")

            public init(literalCapacity: Int, interpolationCount: Int) {}

            public mutating func appendLiteral(_ literal: String) {
                value.key += literal.replacing("%", with: "%%")
            }

            private mutating func append(_ item: Value, _ placeholder: String) {
                value.key += placeholder
                value.values.append(item)
            }

            public mutating func appendInterpolation(_ text: some StringProtocol) {
                append(.text(String(text)), "%@")
            }

            public mutating func appendInterpolation(_ number: some FixedWidthInteger) {
                append(.whole(Int64(clamping: number)), "%lld")
            }

            public mutating func appendInterpolation(_ number: some BinaryFloatingPoint) {
                append(.real(Double(number)), "%lf")
            }

            public mutating func appendInterpolation<F: FormatStyle>(_ input: F.FormatInput, format: F)
            where F.FormatOutput == String {
                append(.text(format.format(input)), "%@")
            }
        }

        /// Inserts the values into a format, with numbers formatted for the locale.
        func filled(_ format: String, _ locale: Locale) -> String {
            Placeholders.parts(of: format).map { part in
                switch part {
                case .literal(let text): text
                case .value(let place): values.indices.contains(place) ? values[place].text(locale) : ""
                }
            }.joined()
        }
    }

    /// Creates the translation from the app's bundle, or the text itself if there is no translation.
    public init(
        localized keyAndValue: LocalizationValue,
        table: String? = nil,
        bundle: Bundle? = nil,
        locale: Locale = .current,
        comment: StaticString? = nil
    ) {
        let key = keyAndValue.key
        let format = (bundle ?? .main).localizedString(forKey: key, value: key, table: table)
        self = keyAndValue.filled(format, locale)
    }

    /// Creates the translation for a key that differs from the text.
    public init(
        localized key: StaticString,
        defaultValue: LocalizationValue,
        table: String? = nil,
        bundle: Bundle? = nil,
        locale: Locale = .current,
        comment: StaticString? = nil
    ) {
        let format = (bundle ?? .main).localizedString(
            forKey: "\(key)",
            value: defaultValue.key,
            table: table
        )
        self = defaultValue.filled(format, locale)
    }

    public init(localized resource: LocalizedStringResource) {
        let format = Bundle.main.localizedString(
            forKey: resource.key,
            value: resource.defaultValue.key,
            table: resource.table
        )
        self = resource.defaultValue.filled(format, resource.locale)
    }
}

extension String.LocalizationValue.Value {
    fileprivate func text(_ locale: Locale) -> String {
        switch self {
        case .text(let text): text
        case .whole(let number): number.formatted(.number.locale(locale))
        case .real(let number):
            number.formatted(.number.grouping(.never).precision(.fractionLength(6)).locale(locale))
        }
    }
}

/// A text that is translated when it is shown.
public struct LocalizedStringResource: Equatable, Sendable, ExpressibleByStringInterpolation {
    public let key: String
    public let defaultValue: String.LocalizationValue
    public let table: String?
    public var locale: Locale

    public init(
        _ keyAndValue: String.LocalizationValue,
        table: String? = nil,
        locale: Locale = .current,
        comment: StaticString? = nil
    ) {
        key = keyAndValue.key
        defaultValue = keyAndValue
        self.table = table
        self.locale = locale
    }

    public init(
        _ key: StaticString,
        defaultValue: String.LocalizationValue,
        table: String? = nil,
        locale: Locale = .current,
        comment: StaticString? = nil
    ) {
        self.key = "\(key)"
        self.defaultValue = defaultValue
        self.table = table
        self.locale = locale
    }

    public init(stringLiteral value: String) { self.init(.init(value)) }

    public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
        self.init(.init(stringInterpolation: stringInterpolation))
    }
}

/// The parts of a translation: `%@` is the next value, `%2$@` is the second value, and `%%` is a percent sign.
package enum Placeholders {
    package enum Part: Equatable {
        case literal(String)
        case value(Int)
    }

    package static func parts(of format: String) -> [Part] {
        var parts: [Part] = []
        var literal = ""
        var next = 0
        var rest = Substring(format)
        while let character = rest.popFirst() {
            guard character == "%", !rest.isEmpty else {
                literal.append(character)
                continue
            }
            if rest.first == "%" {
                rest.removeFirst()
                literal.append("%")
                continue
            }
            let specifier = rest.prefix { !$0.isLetter && $0 != "@" }
            rest = rest.dropFirst(specifier.count).drop { "hlqLzjt".contains($0) }.dropFirst()
            var place = next
            if let dollar = specifier.firstIndex(of: "$"), let number = Int(specifier[..<dollar]) {
                place = number > 0 ? number - 1 : next
            } else {
                next += 1
            }
            if !literal.isEmpty { parts.append(.literal(literal)) }
            literal = ""
            parts.append(.value(place))
        }
        return literal.isEmpty ? parts : parts + [.literal(literal)]
    }
}
