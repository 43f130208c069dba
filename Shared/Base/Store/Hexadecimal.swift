/// Numbers as text of a fixed width.
enum Hexadecimal {
    /// 16 digits.
    static func text(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
