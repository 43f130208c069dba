package import STContracts
package import STPlatform

/// JSON for people to read: two spaces, short leaves on one line.
package enum JSONOutput {
    /// A list or object of plain values that fits into this many columns stays on one line.
    private static let inlineColumns = 72

    /// The bytes laid out anew, members in the order they came in.
    ///
    /// Numbers and texts stay exactly as they are; broken JSON comes back as it was.
    package static func pretty(_ bytes: [UInt8]) -> String {
        var layout = JSONLayout(bytes, inlineColumns: inlineColumns)
        return JSONQuoting.harmless(layout.text())
    }

    package static func pretty(_ value: JSONValue) -> String { pretty(compact(value)) }

    package static func pretty(of body: some WireBody) throws -> String { pretty(try value(of: body)) }

    package static func pretty(of list: [some WireBody], named name: String) throws -> String {
        pretty([name: .array(try list.map { try value(of: $0) })])
    }

    /// On one line with sorted keys, so that the same value is always the same text.
    package static func compact(_ value: JSONValue) -> [UInt8] {
        var bytes: [UInt8] = []
        append(value, to: &bytes)
        return bytes
    }

    package static func line(_ value: JSONValue) -> String {
        JSONQuoting.harmless(String(decoding: compact(value), as: UTF8.self))
    }

    package static func value(_ bytes: [UInt8]) throws(Problem) -> JSONValue {
        do {
            return try JSONValue(text: bytes)
        } catch {
            throw Problem("json.invalid", "This is not valid JSON.")
        }
    }

    /// With its messages in the language of the reader. Output for programs is in English, and keeps the keys of messages.
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
            // The bus writes 1.0; programs that read this output have always got 1.
            let text = number.isFinite ? "\(number)" : "null"
            bytes += (text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8
        case .null, .bool, .integer, .string: value.append(to: &bytes)
        }
    }
}

/// Lays out JSON text without parsing it into values, so that nothing in it can change on the way.
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

    /// After the closing quote.
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

    /// Where the list or object at `index` closes, when it is short and has none inside.
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
