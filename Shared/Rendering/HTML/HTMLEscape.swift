/// Makes any text harmless between tags and in attributes.
enum HTMLEscape {
    /// Both within `<p>` and within `"…"`.
    static func text(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "`": result += "&#96;"
            case "\n", "\u{2028}", "\u{2029}": result += "\n"
            case "\t": result += " "
            case "\r": break
            default: if let kept = kept(scalar) { result.unicodeScalars.append(kept) }
            }
        }
        return result
    }

    /// Nil for what turns the direction of everything after it; what is no character becomes one that shows.
    private static func kept(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        let value = scalar.value
        if (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value) || value == 0xFEFF {
            return nil
        }
        let isControl = value < 0x20 || (0x7F...0x9F).contains(value) || (0xFFF9...0xFFFB).contains(value)
        let isNone = value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(value)
        return isControl || isNone ? "\u{FFFD}" : scalar
    }
}
