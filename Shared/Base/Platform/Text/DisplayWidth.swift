/// The number of terminal columns of a text. Names may be Korean, and a Korean character takes two columns.
package enum DisplayWidth {
    /// East Asian Wide and Fullwidth, and the emoji that terminals show wide (Unicode's EastAsianWidth.txt).
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x231A...0x231B, 0x23E9...0x23EC, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF,
        0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF,
        0x20000...0x3FFFD,
    ]

    package static func columns(_ text: String) -> Int {
        // Most texts are ASCII, and each of their bytes is a column.
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
        return text.reduce(0) { $0 + columns($1) }
    }

    private static func columns(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        if scalar.value < 0x20 || scalar.value == 0x7F || scalar.properties.generalCategory == .nonspacingMark
        {
            return 0
        }
        // A variation selector selects the emoji form, which is wide.
        if character.unicodeScalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// The text in exactly this many columns: padded with spaces on the right, or cut with an ellipsis.
    package static func fitted(_ text: String, _ width: Int) -> String {
        padded(truncated(text, width), width)
    }

    package static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - columns(text)))
    }

    package static func paddedLeft(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - columns(text))) + text
    }

    /// The text in at most this many columns. A text that is too long ends with an ellipsis.
    package static func truncated(_ text: String, _ width: Int) -> String {
        guard columns(text) > width else { return text }
        guard width > 0 else { return "" }
        var result = ""
        var used = 0
        for character in text {
            let next = columns(character)
            if used + next > width - 1 { break }
            result.append(character)
            used += next
        }
        return result + "…"
    }

    /// The text without characters that could move the cursor, because names and bodies come from outside.
    package static func sanitized(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { isControl($0) }) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { result.append(isControl(scalar) ? "·" : scalar) }
        return String(result)
    }

    /// True for control characters and bidirectional controls, which affect a terminal.
    package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            || (0x202A...0x202E).contains(scalar.value)
            || (0x2066...0x2069).contains(scalar.value)
    }
}

extension String {
    package var sanitized: String { DisplayWidth.sanitized(self) }
}

/// Breaks sentences between words, because a terminal breaks them inside words.
package enum TextWrap {
    /// Lines of at most this many columns. A word that is longer than a line is broken too.
    package static func lines(_ text: String, columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            let next = line.isEmpty ? String(word) : line + " " + word
            if DisplayWidth.columns(next) <= columns {
                line = next
                continue
            }
            if !line.isEmpty { lines.append(line) }
            line = ""
            for character in word {
                if DisplayWidth.columns(line + String(character)) > columns, !line.isEmpty {
                    lines.append(line)
                    line = ""
                }
                line.append(character)
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// Converts a fragment of a log or status to a sentence, with a capital letter at the start and a full stop at the end.
    package static func sentence(_ text: String) -> String {
        let text = DisplayWidth.sanitized(text)
        guard let first = text.first else { return "" }
        let end = text.last.map { ".!?…".contains($0) } ?? true
        return first.uppercased() + text.dropFirst() + (end ? "" : ".")
    }
}
