/// Breaks sentences between words, because a terminal on its own breaks inside them.
package enum TextWrap {
    /// Lines of at most so many columns, in which a word that is longer than a line is broken, too.
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

    /// A fragment from a log or a status as a sentence that others can stand beside.
    package static func sentence(_ text: String) -> String {
        let text = DisplayWidth.harmless(text)
        guard let first = text.first else { return "" }
        let end = text.last.map { ".!?…".contains($0) } ?? true
        return first.uppercased() + text.dropFirst() + (end ? "" : ".")
    }
}
