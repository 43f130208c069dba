import Glibc

/// How a whole number is written.
public struct OSLogIntegerFormatting: Sendable {
    private let radix: Int
    private let prefix: String
    private let digits: Int

    /// In tens.
    public static let decimal = OSLogIntegerFormatting(radix: 10, prefix: "", digits: 0)

    /// In sixteens.
    public static let hex = OSLogIntegerFormatting(radix: 16, prefix: "", digits: 0)

    /// In eights.
    public static let octal = OSLogIntegerFormatting(radix: 8, prefix: "", digits: 0)

    /// In tens, with at least so many digits.
    public static func decimal(minDigits: Int) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(radix: 10, prefix: "", digits: min(minDigits, OSLogStringAlignment.columnsMax))
    }

    /// In sixteens, with `0x` before it when asked for.
    public static func hex(explicitPositiveSign: Bool = false, includePrefix: Bool) -> OSLogIntegerFormatting
    {
        OSLogIntegerFormatting(radix: 16, prefix: includePrefix ? "0x" : "", digits: 0)
    }

    func text<T: FixedWidthInteger>(_ value: T) -> String {
        let plain = String(value.magnitude, radix: radix)
        let zeros = String(repeating: "0", count: max(0, digits - plain.count))
        return (value < 0 ? "-" : "") + prefix + zeros + plain
    }
}

/// How a number is written.
public struct OSLogFloatFormatting: Sendable {
    private let letter: String
    private let precision: Int

    /// With six digits after the point.
    public static let fixed = fixed(precision: 6)

    /// With an exponent.
    public static let exponential = OSLogFloatFormatting(letter: "e", precision: 6)

    /// With an exponent where that is shorter.
    public static let hybrid = OSLogFloatFormatting(letter: "g", precision: 6)

    /// With so many digits after the point.
    public static func fixed(precision: Int) -> OSLogFloatFormatting {
        OSLogFloatFormatting(letter: "f", precision: min(max(0, precision), 40))
    }

    func text(_ value: Double) -> String {
        withVaList([value]) { list in
            // The largest double has 309 digits before the point.
            var buffer = [CChar](repeating: 0, count: 400)
            let count = vsnprintf(&buffer, buffer.count, "%.\(precision)\(letter)", list)
            return String(
                decoding: buffer.prefix(max(0, Int(count))).map(UInt8.init(bitPattern:)),
                as: UTF8.self
            )
        }
    }
}

/// How a truth value is written.
public enum OSLogBoolFormat: Sendable {
    /// As `true` or `false`.
    case truth

    /// As `yes` or `no`.
    case answer

    func text(_ value: Bool) -> String {
        switch self {
        case .truth: value ? "true" : "false"
        case .answer: value ? "yes" : "no"
        }
    }
}

/// Where a value stands in its column.
public struct OSLogStringAlignment: Sendable {
    /// A column wider than this helps nobody.
    static let columnsMax = 256

    private let columns: Int
    private let isRight: Bool

    /// Without a column.
    public static let none = OSLogStringAlignment(columns: 0, isRight: false)

    /// At the left of a column of so many characters.
    public static func left(columns: Int) -> OSLogStringAlignment {
        OSLogStringAlignment(columns: min(columns, columnsMax), isRight: false)
    }

    /// At the right of a column of so many characters.
    public static func right(columns: Int) -> OSLogStringAlignment {
        OSLogStringAlignment(columns: min(columns, columnsMax), isRight: true)
    }

    func applied(_ text: String) -> String {
        guard columns > 0 else { return text }
        let spaces = String(repeating: " ", count: max(0, columns - text.count))
        return isRight ? spaces + text : text + spaces
    }
}
