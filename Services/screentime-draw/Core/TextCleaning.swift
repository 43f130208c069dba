/// Prepares texts of other programs for drawing: without control characters, with a limited length, and with whole Korean words.
enum TextCleaning {
    /// Upper bound on the scalars of a word that stays whole. A longer word would not fit anyway.
    private static let wordLengthMax = 12

    /// Upper bound on consecutive combining marks. No script needs more, and they cover other lines and take long to lay out.
    private static let marksMax = 256

    /// Returns the text with at most `limit` scalars. `isCut` is true if there were more.
    static func cleaned(_ text: String, limit: Int, isOneLine: Bool) -> (text: String, isCut: Bool) {
        let harmless = sanitized(text, limit: limit, isOneLine: isOneLine)
        return (trimmed(harmless.text), harmless.isCut)
    }

    /// Same as `cleaned`, but keeps spaces at both ends, for a part of a text.
    static func sanitized(_ text: String, limit: Int, isOneLine: Bool) -> (text: String, isCut: Bool) {
        var scalars = String.UnicodeScalarView()
        var count = 0
        var marks = 0
        var isCut = false
        for scalar in text.unicodeScalars {
            guard count < limit else {
                isCut = true
                break
            }
            count += 1
            marks = isMark(scalar) ? marks + 1 : 0
            if marks > marksMax { continue }
            if isNewline(scalar) {
                // A line separator is used, because pango limits lines within a paragraph, and a newline would begin
                // another paragraph.
                scalars.append(isOneLine ? " " : "\u{2028}")
            } else if scalar == "\t" {
                scalars.append(" ")
            } else if !isUnsafe(scalar) {
                scalars.append(scalar)
            }
        }
        return (String(scalars), isCut)
    }

    /// Keeps Korean words whole, as Korean typography requires. Pango would break them between any two syllables.
    static func keepingKoreanWords(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHangul) else { return text }
        return text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            guard word.unicodeScalars.count <= wordLengthMax else { return String(word) }
            var result = String.UnicodeScalarView()
            for scalar in word.unicodeScalars {
                if isHangul(scalar), let last = result.last, isHangul(last) { result.append("\u{2060}") }
                result.append(scalar)
            }
            return String(result)
        }.joined(separator: " ")
    }

    private static func isHangul(_ scalar: Unicode.Scalar) -> Bool {
        (0xAC00...0xD7A3).contains(scalar.value)
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return false }
        let category = scalar.properties.generalCategory
        return category == .nonspacingMark || category == .enclosingMark
    }

    private static func isNewline(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\n" || scalar == "\r" || scalar.value == 0x85 || (0x2028...0x2029).contains(scalar.value)
            || (0x0B...0x0C).contains(scalar.value)
    }

    /// Returns true for control characters and for characters that change the direction of the following text.
    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
            || scalar.value == 0xFEFF || (0xFFF9...0xFFFC).contains(scalar.value)
    }

    private static func trimmed(_ text: String) -> String {
        let isBlank = { (character: Character) in character == " " || character == "\u{2028}" }
        var rest = text[...]
        while let first = rest.first, isBlank(first) { rest = rest.dropFirst() }
        while let last = rest.last, isBlank(last) { rest = rest.dropLast() }
        return String(rest)
    }
}
