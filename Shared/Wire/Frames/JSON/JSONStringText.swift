/// The text of a JSON string, escapes undone.
enum JSONStringText {
    static func decode(_ base: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) throws -> String {
        let raw = UnsafeBufferPointer(rebasing: base[range])
        guard raw.contains(UInt8(ascii: "\\")) else { return String(decoding: raw, as: UTF8.self) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(raw.count)
        var index = 0
        while index < raw.count {
            guard raw[index] == UInt8(ascii: "\\") else {
                bytes.append(raw[index])
                index += 1
                continue
            }
            index = try unescape(raw, at: index + 1, into: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func unescape(
        _ raw: UnsafeBufferPointer<UInt8>,
        at index: Int,
        into bytes: inout [UInt8]
    ) throws -> Int {
        guard index < raw.count else { throw JSONFault.malformed(at: index) }
        switch raw[index] {
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(raw[index])
        case UInt8(ascii: "u"): return try unicode(raw, at: index + 1, into: &bytes)
        default: throw JSONFault.malformed(at: index)
        }
        return index + 1
    }

    private static func unicode(
        _ raw: UnsafeBufferPointer<UInt8>,
        at index: Int,
        into bytes: inout [UInt8]
    ) throws -> Int {
        let first = try unit(raw, at: index)
        var units = [first]
        var next = index + 4
        if UTF16.isLeadSurrogate(first), next + 6 <= raw.count, raw[next] == UInt8(ascii: "\\"),
            raw[next + 1] == UInt8(ascii: "u")
        {
            units.append(try unit(raw, at: next + 2))
            next += 6
        }
        // A lone surrogate becomes U+FFFD here, as everywhere in Swift.
        bytes.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
        return next
    }

    private static func unit(_ raw: UnsafeBufferPointer<UInt8>, at index: Int) throws -> UInt16 {
        guard index + 4 <= raw.count else { throw JSONFault.malformed(at: index) }
        var value: UInt16 = 0
        for offset in 0..<4 {
            guard let digit = Character(UnicodeScalar(raw[index + offset])).hexDigitValue else {
                throw JSONFault.malformed(at: index)
            }
            value = value << 4 | UInt16(digit)
        }
        return value
    }
}
