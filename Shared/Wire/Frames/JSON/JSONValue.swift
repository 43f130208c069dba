import STPlatform

/// Any JSON value, for the few places whose structure is not fixed: schemas, values of settings, input of scripts.
package indirect enum JSONValue: Sendable, Equatable, Codable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // Strings first, because they are the most frequent and every wrong attempt throws an error.
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    package subscript(_ key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    package var string: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// Parses a whole text.
    package init(text bytes: [UInt8]) throws {
        do {
            self = try BodyDecoder.decode(JSONValue.self, bytes)
        } catch let error as DecodingError {
            throw BodyProblem.explain(error)
        }
    }

    package var text: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    /// Reads the value at the cursor.
    ///
    /// Codable would try every case, and each wrong attempt throws an error.
    package init(_ cursor: inout JSONCursor) throws {
        switch try cursor.kind() {
        case .object:
            var members: [String: JSONValue] = [:]
            try cursor.object { key, cursor in members[try cursor.text(key)] = try JSONValue(&cursor) }
            self = .object(members)
        case .array:
            var elements: [JSONValue] = []
            try cursor.array { elements.append(try JSONValue(&$0)) }
            self = .array(elements)
        case .string: self = .string(try cursor.stringIfPresent() ?? "")
        case .bool: self = .bool(try cursor.boolIfPresent() ?? false)
        case .null:
            try cursor.skipValue()
            self = .null
        case .number:
            let range = try cursor.skipValue()
            let text = String(decoding: cursor.bytes(range), as: UTF8.self)
            if let whole = Int64(text) { self = .integer(whole) } else { self = .number(Double(text) ?? 0) }
        }
    }

    package func append(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): JSONWriter.append(value, to: &bytes)
        // JSON cannot express infinity or NaN.
        case .number(let value): bytes.append(contentsOf: (value.isFinite ? "\(value)" : "null").utf8)
        case .string(let value): JSONQuoting.append(value, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members): Self.append(members, to: &bytes)
        }
    }

    /// Appends an object in the order of its keys, so that equal values have equal text.
    package static func append(_ members: [String: JSONValue], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            JSONQuoting.append(member.key, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            member.value.append(to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }

    package init(booleanLiteral value: Bool) { self = .bool(value) }

    package init(integerLiteral value: Int64) { self = .integer(value) }

    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}
