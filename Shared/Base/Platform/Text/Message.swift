/// A sentence for people: a permanent key, its English text, and the values that complete it.
///
/// The program that shows a message converts it to text, in the language of the person who reads it.
package struct Message: Sendable, Hashable, CustomStringConvertible {
    /// The name of the message in the catalogue of each language. The key stays the same when the English text is edited.
    package var key: String
    package var english: String
    package var values: [String: MessageValue]
    /// The number that selects the plural form. `nil` if the message has only one form.
    package var count: Int?

    package init(key: String, english: String, values: [String: MessageValue], count: Int? = nil) {
        self.key = key
        self.english = english
        self.values = values
        self.count = count
    }

    package init(_ key: String, _ text: MessageText) {
        self.init(key: key, english: text.english, values: text.values)
    }

    /// A message with a number in it. `other` has all values that `one` has.
    package init(_ key: String, count: Int, one: MessageText, other: MessageText) {
        self.init(key: key, english: (count == 1 ? one : other).english, values: other.values, count: count)
    }

    /// A text that has no translation: a command, a name, or the text of another program.
    package init(verbatim text: String) { self.init(key: "", english: text, values: [:]) }

    package var description: String { english }

    package func text(in language: DisplayLanguage) -> String {
        Translations.load(language)?.text(of: self, in: language) ?? english
    }
}

/// A value in a message: a text that is not translated (such as a name or a number), a duration, another message, or a list of
/// values.
package enum MessageValue: Sendable, Hashable, CustomStringConvertible {
    case text(String)
    case duration(ms: Int64)
    indirect case message(Message)
    indirect case list([MessageValue])

    package var description: String { text(in: .english) }

    package func text(in language: DisplayLanguage) -> String {
        switch self {
        case .text(let text): text
        case .duration(let ms): TextFormat.duration(ms: ms, in: language)
        case .message(let message): message.text(in: language)
        case .list(let values): values.map { $0.text(in: language) }.joined(separator: ", ")
        }
    }
}

/// An English sentence with named values: `"\(app, "app") opens again at \(time, "time")."`
package struct MessageText: Sendable, ExpressibleByStringInterpolation {
    package let english: String
    package let values: [String: MessageValue]

    package init(stringLiteral text: String) {
        english = text
        values = [:]
    }

    package init(stringInterpolation: StringInterpolation) {
        english = stringInterpolation.english
        values = stringInterpolation.values
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var english = ""
        fileprivate var values: [String: MessageValue] = [:]

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ text: String) { english += text }

        /// Appends a value with the name that translations use for it.
        package mutating func appendInterpolation(_ value: some CustomStringConvertible, _ name: String) {
            appendInterpolation(MessageValue.text(value.description), name)
        }

        package mutating func appendInterpolation(_ error: any Error, _ name: String) {
            appendInterpolation(MessageValue.text("\(error)"), name)
        }

        package mutating func appendInterpolation(_ message: Message, _ name: String) {
            appendInterpolation(MessageValue.message(message), name)
        }

        package mutating func appendInterpolation(_ value: MessageValue, _ name: String) {
            english += value.description
            values[name] = value
        }
    }
}

extension DisplayLanguage {
    /// The text of a message in this language.
    package func text(_ key: String, _ text: MessageText) -> String {
        self == .english ? text.english : Message(key, text).text(in: self)
    }

    /// The text of a message with a number in it.
    package func text(_ key: String, count: Int, one: MessageText, other: MessageText) -> String {
        Message(key, count: count, one: one, other: other).text(in: self)
    }
}
