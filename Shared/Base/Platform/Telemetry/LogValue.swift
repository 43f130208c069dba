/// A typed field of a log line.
///
/// Messages never have values built into them.
package enum LogValue: Sendable, Equatable {
    case text(String)
    case number(Int64)
    case flag(Bool)
    /// A window title, an address: shown as a short digest unless the level is debug.
    case personal(String)
}

extension LogValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    package init(stringLiteral value: String) { self = .text(value) }

    package init(integerLiteral value: Int64) { self = .number(value) }

    package init(booleanLiteral value: Bool) { self = .flag(value) }
}

extension LogValue {
    /// FNV-1a: enough to see that two lines speak of the same thing without saying of what.
    static func digest(_ text: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return "#" + String(hash & 0xffff_ffff, radix: 16)
    }
}
