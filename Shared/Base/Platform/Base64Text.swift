/// Base64 as RFC 4648 has it: whole groups of four, padded, and nothing between them.
///
/// Foundation's own would load its tables of all languages, which takes as long as drawing a small picture.
package enum Base64Text {
    /// Nil for any other text.
    package static func decoded(_ text: String) -> [UInt8]? {
        let utf8 = Array(text.utf8)
        guard utf8.count % 4 == 0 else { return nil }
        let padding = utf8.last == pad ? (utf8.dropLast().last == pad ? 2 : 1) : 0
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count / 4 * 3)
        var gathered: UInt32 = 0
        for (index, byte) in utf8.enumerated() {
            let isPadding = index >= utf8.count - padding
            let value = isPadding ? 0 : values[Int(byte)]
            guard value < 64 else { return nil }
            gathered = gathered << 6 | UInt32(value)
            guard index % 4 == 3 else { continue }
            bytes.append(UInt8(truncatingIfNeeded: gathered >> 16))
            bytes.append(UInt8(truncatingIfNeeded: gathered >> 8))
            bytes.append(UInt8(truncatingIfNeeded: gathered))
            gathered = 0
        }
        bytes.removeLast(padding)
        return bytes
    }

    private static let pad = UInt8(ascii: "=")
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (index, digit) in digits.utf8.enumerated() { values[Int(digit)] = UInt8(index) }
        return values
    }()
}
