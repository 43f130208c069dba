import STPlatform

extension TextWrap {
    /// Lines of at most so many columns, where words allow it; a pipe gets one line.
    package static func lines(_ text: String, _ terminal: Terminal) -> [String] {
        guard terminal.isTerminal, DisplayWidth.columns(text) > terminal.columns else { return [text] }
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let next = line.isEmpty ? String(word) : line + " " + word
            if DisplayWidth.columns(next) > terminal.columns, !line.isEmpty {
                lines.append(line)
                line = String(word)
            } else {
                line = next
            }
        }
        return lines + [line]
    }
}
