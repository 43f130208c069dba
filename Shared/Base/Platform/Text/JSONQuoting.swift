/// Writes JSON strings.
///
/// Separate from the other JSON code because logs and the supervisor do not import the bus.
package enum JSONQuoting {
    /// Appends a quoted string with control characters, quotes and backslashes escaped.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { plain in
            // Nearly every text needs no escape and is copied unchanged.
            if plain.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) {
                for byte in plain { appendEscaped(byte, to: &bytes) }
            } else {
                bytes.append(contentsOf: plain)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    package static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 2)
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The same JSON with escapes for the characters that affect a terminal. Line breaks remain.
    package static func sanitized(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { DisplayWidth.isControl($0) && $0 != "\n" }) else {
            return text
        }
        var result = ""
        for scalar in text.unicodeScalars {
            if DisplayWidth.isControl(scalar), scalar != "\n" {
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func appendEscaped(_ byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case 0x22, 0x5C: appendPair(byte, to: &bytes)
        case 0x0A: appendPair(UInt8(ascii: "n"), to: &bytes)
        case 0x0D: appendPair(UInt8(ascii: "r"), to: &bytes)
        case 0x09: appendPair(UInt8(ascii: "t"), to: &bytes)
        case 0..<0x20:
            bytes.append(contentsOf: "\\u00".utf8)
            bytes.append(digit(byte >> 4))
            bytes.append(digit(byte & 15))
        default: bytes.append(byte)
        }
    }

    private static func appendPair(_ letter: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(letter)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
