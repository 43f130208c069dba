/// Base64 of RFC 4648: the standard alphabet, whole groups of four, padded, without line breaks.
///
/// Written by hand because Foundation's implementation loads the tables of all languages, which takes as long as drawing a small
/// picture.
package enum Base64 {
    package static func encode(_ bytes: [UInt8]) -> String {
        let digits = digits
        let length = (bytes.count + 2) / 3 * 4
        return String(unsafeUninitializedCapacity: length) { output in
            var end = 0
            var index = 0
            while index < bytes.count {
                let left = bytes.count - index
                var group = UInt32(bytes[index]) << 16
                if left > 1 { group |= UInt32(bytes[index + 1]) << 8 }
                if left > 2 { group |= UInt32(bytes[index + 2]) }
                output[end] = digits[Int(group >> 18)]
                output[end + 1] = digits[Int(group >> 12 & 63)]
                output[end + 2] = left > 1 ? digits[Int(group >> 6 & 63)] : pad
                output[end + 3] = left > 2 ? digits[Int(group & 63)] : pad
                end += 4
                index += 3
            }
            return length
        }
    }

    /// Returns the bytes, or `nil` unless the text is exactly the one that `encode` writes for them.
    package static func decode(_ text: String) -> [UInt8]? {
        let values = values
        let utf8 = Array(text.utf8)
        guard utf8.count % 4 == 0 else { return nil }
        let padding = utf8.last == pad ? (utf8.dropLast().last == pad ? 2 : 1) : 0
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count / 4 * 3)
        var group: UInt32 = 0
        for (index, byte) in utf8.enumerated() {
            let value = index >= utf8.count - padding ? 0 : values[Int(byte)]
            guard value < 64 else { return nil }
            group = group << 6 | UInt32(value)
            guard index % 4 == 3 else { continue }
            bytes.append(UInt8(truncatingIfNeeded: group >> 16))
            bytes.append(UInt8(truncatingIfNeeded: group >> 8))
            bytes.append(UInt8(truncatingIfNeeded: group))
            group = 0
        }
        // The unused bits before the padding must be zero. Otherwise several texts would mean the same bytes.
        guard bytes.suffix(padding).allSatisfy({ $0 == 0 }) else { return nil }
        bytes.removeLast(padding)
        return bytes
    }

    private static let pad = UInt8(ascii: "=")
    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )
    /// The value of each byte. 255 for a byte that is not a digit.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (index, digit) in digits.enumerated() { values[Int(digit)] = UInt8(index) }
        return values
    }()
}
