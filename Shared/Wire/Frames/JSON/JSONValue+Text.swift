import STPlatform

extension JSONValue {
    /// Reads a whole text.
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
    /// Going through Codable would try every case, and each wrong guess is an error thrown and caught.
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
        // JSON has no word for what is not a number.
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

    /// In order of the keys, so that equal values are equal text.
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
