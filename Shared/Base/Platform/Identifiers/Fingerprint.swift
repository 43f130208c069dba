/// FNV-1a of 64 bits. It distinguishes texts and detects accidental edits. It does not resist forgery.
package struct Fingerprint {
    package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    package init() {}

    package init(_ text: String) { add(text) }

    package init(_ bytes: [UInt8]) { add(bytes) }

    package var hex: String { String(value, radix: 16) }

    package mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }

    package mutating func add(_ text: String) { for byte in text.utf8 { add(byte) } }

    package mutating func add(_ bytes: [UInt8]) { for byte in bytes { add(byte) } }
}
