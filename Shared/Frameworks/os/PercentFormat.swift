/// Messages in the form of C's printf.
///
/// The values know their own types, so a letter only says how a number is written, and no value is ever read as what it
/// is not.
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
            // A value too few is told rather than guessed.
            result += values.popFirst().map(field.text) ?? "<missing>"
        }
        return result + rest
    }

    /// What stands between the percent sign and its letter.
    private struct Field {
        private static let lengths = Set<Character>("hlqLzjt")
        private static let flags = Set<Character>("-+ #0123456789*")

        var privacy = OSLogPrivacy.auto
        var precision = 6
        var letter: Character

        /// Nil when no letter comes, so that the text stands for itself.
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
