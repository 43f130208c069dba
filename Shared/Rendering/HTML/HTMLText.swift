import STPlatform

/// Escapes texts for HTML.
package enum HTMLEscape {
    /// Returns a text that is safe in elements and in quoted attributes.
    package static func text(_ text: String) -> String {
        Markup.escaped(text) { scalar, result in
            switch scalar {
            case "`": result += "&#96;"
            case "\n", "\u{2028}", "\u{2029}": result += "\n"
            case "\t": result += " "
            case "\r": break
            default: if let kept = allowed(scalar) { result.unicodeScalars.append(kept) }
            }
        }
    }

    /// Returns nil for characters that change the direction of the following text. Invalid characters are replaced by
    /// a visible one.
    private static func allowed(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        let value = scalar.value
        if (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value) || value == 0xFEFF {
            return nil
        }
        let isControl = value < 0x20 || (0x7F...0x9F).contains(value) || (0xFFF9...0xFFFB).contains(value)
        let isNone = value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(value)
        return isControl || isNone ? "\u{FFFD}" : scalar
    }
}

/// Formats numbers for CSS and SVG.
enum HTMLNumber {
    /// Returns a number with up to two decimals, never with an exponent.
    static func text(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e9 else { return "0" }
        let hundredths = Int64((value * 100).rounded())
        let size = hundredths.magnitude
        let sign = hundredths < 0 ? "-" : ""
        let (whole, rest) = (size / 100, size % 100)
        if rest == 0 { return sign + "\(whole)" }
        return sign + "\(whole)." + (rest < 10 ? "0\(rest)" : rest % 10 == 0 ? "\(rest / 10)" : "\(rest)")
    }

    static func px(_ value: Double) -> String { text(value) + "px" }

    /// Returns a font size in rem, so that it follows the reader's setting for all pages.
    static func rem(_ value: Double) -> String {
        let part = (value / 16 * 10_000).rounded() / 10_000
        guard part.isFinite, part >= 0, part < 1000 else { return "1rem" }
        let units = Int64((part * 10_000).rounded())
        var fraction = String(units % 10_000 + 10_000).dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        return fraction.isEmpty ? "\(units / 10_000)rem" : "\(units / 10_000).\(fraction)rem"
    }
}
