import Glibc

public struct OSLogIntegerFormatting: Sendable {
    private let radix: Int
    private let prefix: String
    private let digits: Int

    public static let decimal = OSLogIntegerFormatting(radix: 10, prefix: "", digits: 0)
    public static let hex = OSLogIntegerFormatting(radix: 16, prefix: "", digits: 0)
    public static let octal = OSLogIntegerFormatting(radix: 8, prefix: "", digits: 0)

    public static func decimal(minDigits: Int) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(radix: 10, prefix: "", digits: min(minDigits, OSLogStringAlignment.columnsMax))
    }

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

public struct OSLogFloatFormatting: Sendable {
    private let letter: String
    private let precision: Int

    public static let fixed = fixed(precision: 6)
    public static let exponential = OSLogFloatFormatting(letter: "e", precision: 6)
    public static let hybrid = OSLogFloatFormatting(letter: "g", precision: 6)

    public static func fixed(precision: Int) -> OSLogFloatFormatting {
        OSLogFloatFormatting(letter: "f", precision: min(max(0, precision), 40))
    }

    func text(_ value: Double) -> String {
        withVaList([value]) { list in
            // The largest `Double` has 309 digits before the decimal point.
            var buffer = [CChar](repeating: 0, count: 400)
            let count = vsnprintf(&buffer, buffer.count, "%.\(precision)\(letter)", list)
            return String(
                decoding: buffer.prefix(max(0, Int(count))).map(UInt8.init(bitPattern:)),
                as: UTF8.self
            )
        }
    }
}

public enum OSLogBoolFormat: Sendable {
    case truth, answer

    func text(_ value: Bool) -> String {
        switch self {
        case .truth: value ? "true" : "false"
        case .answer: value ? "yes" : "no"
        }
    }
}

public struct OSLogStringAlignment: Sendable {
    /// The maximum width of a column.
    static let columnsMax = 256

    private let columns: Int
    private let isRight: Bool

    public static let none = OSLogStringAlignment(columns: 0, isRight: false)

    public static func left(columns: Int) -> OSLogStringAlignment {
        OSLogStringAlignment(columns: min(columns, columnsMax), isRight: false)
    }

    public static func right(columns: Int) -> OSLogStringAlignment {
        OSLogStringAlignment(columns: min(columns, columnsMax), isRight: true)
    }

    func applied(_ text: String) -> String {
        guard columns > 0 else { return text }
        let spaces = String(repeating: " ", count: max(0, columns - text.count))
        return isRight ? spaces + text : text + spaces
    }
}

/// Formats messages in C's printf format.
///
/// The values have Swift types, so a conversion letter only selects the format of a number. No value is interpreted as another
/// type.
enum PercentFormat {
    static func text(_ format: String, _ values: [Any]) -> String {
        var result = ""
        var values = values[...]
        var rest = Substring(format)
        while let percent = rest.firstIndex(of: "%") {
            result += rest[..<percent]
            rest = rest[rest.index(after: percent)...]
            if rest.first == "%" {
                result += "%"
                rest = rest.dropFirst()
                continue
            }
            guard let field = Field(&rest) else {
                result += "%"
                continue
            }
            // Show a missing value as missing instead of guessing one.
            result += values.popFirst().map(field.text) ?? "<missing>"
        }
        return result + rest
    }

    /// The text between the percent sign and its conversion letter.
    private struct Field {
        private static let lengths = Set<Character>("hlqLzjt")
        private static let flags = Set<Character>("-+ #0123456789*")

        var privacy = OSLogPrivacy.auto
        var precision = 6
        var letter: Character

        /// Reads a field. Returns `nil` if there is no conversion letter, in which case the text is literal.
        init?(_ rest: inout Substring) {
            var here = rest
            if here.first == "{" {
                guard let close = here.firstIndex(of: "}") else { return nil }
                let words = here[..<close].dropFirst().split(separator: ",").map {
                    $0.filter { !$0.isWhitespace }
                }
                if words.contains("public") { privacy = .public }
                if words.contains("private") || words.contains("sensitive") { privacy = .private }
                here = here[here.index(after: close)...]
            }
            here = here.drop { Self.flags.contains($0) }
            if here.first == "." {
                let digits = here.dropFirst().prefix { $0.isASCII && $0.isNumber }
                precision = Int(digits) ?? 0
                here = here.dropFirst(1 + digits.count)
            }
            here = here.drop { Self.lengths.contains($0) }
            guard let letter = here.first, letter.isLetter || letter == "@" else { return nil }
            self.letter = letter
            rest = here.dropFirst()
        }

        func text(_ value: Any) -> String {
            switch value {
            case let number as any FixedWidthInteger: privacy.shown(whole(number), isPlain: true)
            case let number as Double: privacy.shown(fraction(number), isPlain: true)
            case let number as Float: privacy.shown(fraction(Double(number)), isPlain: true)
            case let truth as Bool: privacy.shown(truth ? "true" : "false", isPlain: true)
            case is StaticString: privacy.shown(String(describing: value), isPlain: true)
            default: privacy.shown(String(describing: value), isPlain: false)
            }
        }

        private func whole<T: FixedWidthInteger>(_ number: T) -> String {
            switch letter {
            case "x", "X", "p": OSLogIntegerFormatting.hex.text(number)
            case "o": OSLogIntegerFormatting.octal.text(number)
            default: OSLogIntegerFormatting.decimal.text(number)
            }
        }

        private func fraction(_ number: Double) -> String {
            letter == "@" ? "\(number)" : OSLogFloatFormatting.fixed(precision: precision).text(number)
        }
    }
}
