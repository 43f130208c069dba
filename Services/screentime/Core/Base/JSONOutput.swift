package import STContracts
package import STPlatform

/// Formats JSON for people: two spaces of indentation, and short leaves on one line.
package enum JSONOutput {
    /// Upper bound on the width of a list or object of plain values that is written on one line.
    private static let inlineColumns = 72

    /// Formats the bytes and keeps the order of members.
    ///
    /// Numbers and strings are unchanged. Invalid JSON is returned as it is.
    package static func pretty(_ bytes: [UInt8]) -> String {
        var layout = JSONLayout(bytes, inlineColumns: inlineColumns)
        return JSONQuoting.sanitized(layout.text())
    }

    package static func pretty(_ value: JSONValue) -> String { pretty(compact(value)) }

    package static func pretty(of body: some WireBody) throws -> String { pretty(try value(of: body)) }

    package static func pretty(of list: [some WireBody], named name: String) throws -> String {
        pretty([name: .array(try list.map { try value(of: $0) })])
    }

    /// Encodes the value on one line with sorted keys, so that equal values have equal texts.
    package static func compact(_ value: JSONValue) -> [UInt8] {
        var bytes: [UInt8] = []
        append(value, to: &bytes)
        return bytes
    }

    package static func line(_ value: JSONValue) -> String {
        JSONQuoting.sanitized(String(decoding: compact(value), as: UTF8.self))
    }

    package static func value(_ bytes: [UInt8]) throws(Problem) -> JSONValue {
        do {
            return try JSONValue(text: bytes)
        } catch {
            throw Problem("json.invalid", "This is not valid JSON.")
        }
    }

    /// Returns the value with its messages in the reader's language. For programs, messages are in English and keep their keys.
    package static func value(of body: some WireBody) throws -> JSONValue {
        let json = try value(try body.encodedBody())
        return Speech.language == .english ? json : json.translated(into: Speech.language)
    }

    private static func append(_ value: JSONValue, to bytes: inout [UInt8]) {
        switch value {
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                append(element, to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                JSONQuoting.append(member.key, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                append(member.value, to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        case .number(let number):
            // The bus writes 1.0. Programs that read this output expect 1.
            let text = number.isFinite ? "\(number)" : "null"
            bytes += (text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8
        case .null, .bool, .integer, .string: value.append(to: &bytes)
        }
    }
}

/// Formats JSON text without parsing it into values, so that no value can change.
package struct JSONLayout {
    private let bytes: [UInt8]
    private let inlineColumns: Int
    private var output: [UInt8] = []
    private var index = 0

    package init(_ bytes: [UInt8], inlineColumns: Int) {
        self.bytes = bytes
        self.inlineColumns = inlineColumns
    }

    package mutating func text() -> String {
        output.reserveCapacity(bytes.count * 2)
        var depth = 0
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case 0x22: copyString()
            case 0x7B, 0x5B:
                if let end = leafEnd() {
                    copyLeaf(through: end)
                } else {
                    output.append(byte)
                    depth += 1
                    breakLine(depth)
                    index += 1
                }
            case 0x7D, 0x5D:
                depth = max(0, depth - 1)
                breakLine(depth)
                output.append(byte)
                index += 1
            case 0x2C:
                output.append(byte)
                breakLine(depth)
                index += 1
            case 0x3A:
                output += [byte, 0x20]
                index += 1
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default:
                output.append(byte)
                index += 1
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private mutating func breakLine(_ depth: Int) {
        output.append(0x0A)
        output += [UInt8](repeating: 0x20, count: depth * 2)
    }

    private mutating func copyString() {
        let end = stringEnd(from: index)
        output += bytes[index..<end]
        index = end
    }

    /// Returns the index after the closing quote.
    private func stringEnd(from start: Int) -> Int {
        var position = start + 1
        while position < bytes.count {
            if bytes[position] == 0x5C {
                position += 2
            } else if bytes[position] == 0x22 {
                return position + 1
            } else {
                position += 1
            }
        }
        return bytes.count
    }

    /// Returns the index of the closing bracket if the list or object at `index` is short and contains no other.
    private func leafEnd() -> Int? {
        var position = index + 1
        var columns = 2
        while position < bytes.count, columns <= inlineColumns {
            switch bytes[position] {
            case 0x7B, 0x5B: return nil
            case 0x7D, 0x5D: return position
            case 0x22:
                let end = stringEnd(from: position)
                columns += end - position
                position = end
            case 0x2C, 0x3A:
                columns += 2
                position += 1
            default:
                columns += 1
                position += 1
            }
        }
        return nil
    }

    private mutating func copyLeaf(through end: Int) {
        while index <= end {
            switch bytes[index] {
            case 0x22: copyString()
            case 0x2C, 0x3A:
                output += [bytes[index], 0x20]
                index += 1
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default:
                output.append(bytes[index])
                index += 1
            }
        }
    }
}
