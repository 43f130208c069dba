package import STPlatform

/// The content of a body frame.
///
/// Codable types get both methods by default. A type that is decoded very often or has an unusual format implements them itself.
package protocol WireBody: Sendable {
    func encodedBody() throws -> [UInt8]
    static func decodedBody(_ bytes: [UInt8]) throws -> Self
    static var schema: JSONValue { get }
    /// True if the keys are the Swift names, for external formats. Screen Time's own formats use snake case.
    static var keepsNames: Bool { get }
}

extension WireBody {
    package static var keepsNames: Bool { false }
}

extension WireBody where Self: Codable {
    package func encodedBody() throws -> [UInt8] {
        try BodyEncoder.encode(self, keepsNames: Self.keepsNames)
    }

    package static func decodedBody(_ bytes: [UInt8]) throws -> Self {
        do {
            return try BodyDecoder.decode(Self.self, bytes, keepsNames: keepsNames)
        } catch let error as DecodingError {
            throw BodyProblem.explain(error, keepsNames: keepsNames)
        }
    }

    package static var schema: JSONValue { SchemaRecorder.schema(of: Self.self) }
}

/// The body of routes without parameters or result.
package struct Empty: WireBody, Codable, Equatable {
    package init() {}
}

extension Problem: WireBody {
    package static var schema: JSONValue {
        guard case .object(var schema) = SchemaRecorder.schema(of: Problem.self),
            case .object(var properties) = schema["properties"]
        else { return SchemaRecorder.schema(of: Problem.self) }
        // A value is a string, or an object that contains a duration, a list or another message.
        properties["values"] = ["type": "object"]
        schema["properties"] = .object(properties)
        return .object(schema)
    }
}

extension Problem: Codable {
    private enum CodingKeys: String, CodingKey {
        case code, message, key, values, count, field, retryable, help, details
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        var text = Message(
            key: try container.decodeIfPresent(String.self, forKey: .key) ?? "",
            english: try container.decodeIfPresent(String.self, forKey: .message) ?? "",
            values: [:],
            count: try container.decodeIfPresent(Int.self, forKey: .count)
        )
        do {
            text.values = try container.decodeIfPresent([String: MessageValue].self, forKey: .values) ?? [:]
        } catch {
            // A newer service may send a kind of value that this version cannot decode. Only the English text is then shown.
            text.key = ""
        }
        self.init(
            try container.decode(String.self, forKey: .code),
            text: text,
            field: try container.decodeIfPresent(String.self, forKey: .field),
            retryable: try container.decodeIfPresent(Bool.self, forKey: .retryable) ?? false,
            help: try container.decodeIfPresent(String.self, forKey: .help),
            details: try container.decodeIfPresent([String: String].self, forKey: .details) ?? [:]
        )
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(code, forKey: .code)
        try container.encode(message, forKey: .message)
        if !text.key.isEmpty { try container.encode(text.key, forKey: .key) }
        if !text.values.isEmpty {
            try container.encode(text.values.mapValues { $0.limited() }, forKey: .values)
        }
        try container.encodeIfPresent(text.count, forKey: .count)
        try container.encodeIfPresent(field, forKey: .field)
        try container.encode(retryable, forKey: .retryable)
        try container.encodeIfPresent(help, forKey: .help)
        if !details.isEmpty { try container.encode(details, forKey: .details) }
    }
}

/// A field with a message is encoded as its English text. A second field beside it contains the parts of the message, so programs
/// without support for messages read plain text.
extension Message: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(verbatim: try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(english)
    }
}

/// The parts of a message beside its English text. A text without a key has empty parts.
struct MessageParts: Codable {
    static let suffix = "Message"
    static let suffixOfList = "Messages"

    private var key: String?
    private var values: [String: MessageValue]?
    private var count: Int?

    init(_ message: Message) {
        key = message.key.isEmpty ? nil : message.key
        values = message.values.isEmpty ? nil : message.values.mapValues { $0.limited() }
        count = message.count
    }

    func message(_ english: String) -> Message {
        Message(key: key ?? "", english: english, values: values ?? [:], count: count)
    }

    /// Completes an English text from its parts. A newer service may send parts that this version cannot decode. Only the English
    /// text is then shown.
    static func message(_ english: String, _ parts: BodyDecoder?) -> Message {
        (try? parts?.value(MessageParts.self))?.message(english) ?? Message(verbatim: english)
    }

    static let schema: JSONValue = [
        "type": "object",
        "properties": [
            "key": ["type": "string"], "values": ["type": "object"], "count": ["type": "integer"],
        ],
    ]
}

extension JSONValue {
    /// The same value with the text of each message in a language, and without the parts of messages.
    package func translated(into language: DisplayLanguage) -> JSONValue {
        switch self {
        case .array(let elements): return .array(elements.map { $0.translated(into: language) })
        case .object(let members):
            var result: [String: JSONValue] = [:]
            for (name, value) in members {
                let parts = members[name + "_message"] ?? members[name + "_messages"]
                if name.hasSuffix("_message"), members[String(name.dropLast(8))] != nil { continue }
                if name.hasSuffix("_messages"), members[String(name.dropLast(9))] != nil { continue }
                result[name] =
                    parts.map { Self.text(value, parts: $0, language: language) }
                    ?? value.translated(into: language)
            }
            return .object(result)
        default: return self
        }
    }

    private static func text(_ value: JSONValue, parts: JSONValue, language: DisplayLanguage) -> JSONValue {
        if case .array(let texts) = value, case .array(let all) = parts, texts.count == all.count {
            return .array(zip(texts, all).map { text($0, parts: $1, language: language) })
        }
        guard case .string(let english) = value else { return value }
        var bytes: [UInt8] = []
        parts.append(to: &bytes)
        let known = try? BodyDecoder.decode(MessageParts.self, bytes)
        return .string(known?.message(english).text(in: language) ?? english)
    }
}

extension MessageValue: Codable {
    private enum CodingKeys: String, CodingKey {
        case durationMs, list, key, message, values, count
    }

    /// Upper bounds on nesting and values, because each level of a message can multiply its length and a page has many messages.
    fileprivate static let depthMax = 5
    fileprivate static let valuesMax = 64

    /// Decodes a value. A text is a string and all other values are objects, so a text cannot be mistaken for another value.
    package init(from decoder: any Decoder) throws {
        guard let decoder = decoder as? BodyDecoder else {
            self = .text(try decoder.singleValueContainer().decode(String.self))
            return
        }
        var left = Self.valuesMax
        self = try Self.value(decoder, depth: 1, &left)
    }

    /// The same value, in which messages that a receiver would not decode are replaced by their English texts.
    fileprivate func limited(_ depth: Int = 1) -> MessageValue {
        switch self {
        case .text, .duration: return self
        case .list(let values):
            return .list(
                values.map { value in
                    if case .list = value { return .text(value.description) }
                    return value.limited(depth)
                }
            )
        case .message(var message):
            guard depth < Self.depthMax else { return .text(message.english) }
            message.values = message.values.mapValues { $0.limited(depth + 1) }
            return .message(message)
        }
    }

    private static func value(_ decoder: BodyDecoder, depth: Int, _ left: inout Int) throws -> MessageValue {
        left -= 1
        guard left >= 0 else { throw decoder.mismatch(MessageValue.self) }
        if decoder.isText { return .text(try decoder.string()) }
        if let ms = decoder.member("duration_ms") { return .duration(ms: try ms.integer(Int64.self)) }
        if let list = decoder.member("list") {
            return .list(try list.elements().map { try value($0, depth: depth, &left) })
        }
        guard let english = try decoder.member("message")?.string(),
            let key = try decoder.member("key")?.string()
        else { throw decoder.mismatch(MessageValue.self) }
        // A deeper message becomes its English text.
        guard depth < depthMax else { return .text(english) }
        let members = try decoder.member("values")?.members() ?? []
        let values = try members.map { ($0, try value($1, depth: depth + 1, &left)) }
        let count = try decoder.member("count")?.integer(Int.self)
        return .message(
            Message(key: key, english: english, values: Dictionary(values) { $1 }, count: count)
        )
    }

    package func encode(to encoder: any Encoder) throws {
        if case .text(let text) = self {
            var container = encoder.singleValueContainer()
            return try container.encode(text)
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .text: break
        case .duration(let ms): try container.encode(ms, forKey: .durationMs)
        case .list(let values): try container.encode(values, forKey: .list)
        case .message(let message):
            try container.encode(message.key, forKey: .key)
            try container.encode(message.english, forKey: .message)
            if !message.values.isEmpty { try container.encode(message.values, forKey: .values) }
            try container.encodeIfPresent(message.count, forKey: .count)
        }
    }
}

/// An enum that may get further values. A value that this version does not have decodes to `unknown` instead of failing.
package protocol WireEnum: RawRepresentable, CaseIterable, Codable, Sendable, Hashable
where RawValue == String {
    static var unknown: Self { get }
}

extension WireEnum {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        self = Self(rawValue: text) ?? .unknown
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    package static var known: [String] { allCases.filter { $0 != .unknown }.map(\.rawValue) }

    /// Throws for an unknown value, with the list of the known ones. For values that the sender must get right.
    package func required(_ field: String) throws -> Self {
        guard self == .unknown else { return self }
        let known = Self.known.joined(separator: ", ")
        throw Problem(
            "body.unknown_value",
            "This version does not support that value. Valid values: \(known, "known").",
            field: field
        )
    }
}

/// Converts a decoding error to a problem that names the field.
enum BodyProblem {
    static func explain(_ error: DecodingError, keepsNames: Bool = false) -> Problem {
        func pointer(_ path: [any CodingKey]) -> String? {
            guard !path.isEmpty else { return nil }
            return path.map { "/" + ($0.intValue.map(String.init) ?? $0.wireName(keepsNames: keepsNames)) }
                .joined()
        }
        return switch error {
        case .keyNotFound(let key, let context):
            Problem(
                "body.field_missing",
                "The field \(key.wireName(keepsNames: keepsNames), "wireName") is missing.",
                key: "body.field_missing.the-field-is",
                field: pointer(context.codingPath + [key])
            )
        case .typeMismatch(let type, let context):
            Problem(
                "body.wrong_type",
                "The value must be \(name(type), "type").",
                field: pointer(context.codingPath)
            )
        case .valueNotFound(let type, let context):
            Problem(
                "body.wrong_type",
                "The value must be \(name(type), "type"), not null.",
                key: "body.wrong_type.this-must-be",
                field: pointer(context.codingPath)
            )
        case .dataCorrupted(let context):
            context.codingPath.isEmpty
                ? Problem(
                    "body.invalid",
                    "The body is not valid JSON.",
                    key: "body.invalid.the-body-is-not"
                )
                : Problem(
                    "body.invalid",
                    text: (context.underlyingError as? Problem)?.text
                        ?? Message(verbatim: context.debugDescription),
                    field: pointer(context.codingPath)
                )
        @unknown default:
            Problem("body.invalid", "The body could not be read.", key: "body.invalid.the-body-could")
        }
    }

    private static func name(_ type: any Any.Type) -> Message {
        switch type {
        case is String.Type: Message("body.type-string", "a string")
        case is Bool.Type: Message("body.type-true-or-false", "true or false")
        case is any BinaryInteger.Type: Message("body.type-whole-number", "a whole number")
        case is any BinaryFloatingPoint.Type: Message("body.type-number", "a number")
        case is any Collection.Type: Message("body.type-list", "a list")
        default: Message("body.type-object", "an object")
        }
    }
}

/// Reads bodies that are decoded by hand. Throws the same problems as Codable types.
package enum BodyText {
    package static func read(_ bytes: [UInt8], _ member: (Range<Int>, inout JSONCursor) throws -> Void) throws
    {
        do {
            try JSONText.object(bytes, member)
        } catch is JSONFault {
            throw Problem(
                "body.invalid",
                "The body is not valid JSON.",
                key: "body.invalid.the-body-is-not"
            )
        }
    }

    /// Returns the value of a required field. Throws if it is `nil`.
    package static func require<Value>(_ value: Value?, _ field: String) throws -> Value {
        guard let value else {
            throw Problem(
                "body.field_missing",
                "The field is missing, or its value is of the wrong type.",
                key: "body.field_missing.the-field-is-missing",
                field: field
            )
        }
        return value
    }
}
