import Glibc
package import STPlatform

/// Where a command writes, and how it may look there.
package struct Terminal: Sendable {
    package var isTerminal: Bool
    package var isColoured: Bool
    package var columns: Int
    package var rows: Int
    /// Where a person types what comes from nowhere else.
    package var keyboard = "/dev/tty"
    /// Where no person sits at a keyboard: what came along instead.
    package var proof: PassedProof?
    /// Where text goes instead of the process's own output, for tests: the text and the descriptor it was meant for.
    package var sink: (@Sendable (_ text: String, _ descriptor: Int32) -> Void)?

    package init(isTerminal: Bool, isColoured: Bool, columns: Int, rows: Int = 40) {
        self.isTerminal = isTerminal
        self.isColoured = isColoured
        self.columns = columns
        self.rows = rows
    }

    package static func current(environment: [String: String]) -> Terminal {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        var size = winsize()
        let isSized = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return Terminal(
            isTerminal: isTerminal,
            // no-color.org: set and not empty.
            isColoured: isTerminal && environment["NO_COLOR", default: ""].isEmpty
                && environment["TERM"] != "dumb",
            columns: isSized ? Int(size.ws_col) : 100,
            rows: isSized && size.ws_row > 0 ? Int(size.ws_row) : 40
        )
    }

    /// Writes the text and a line end to standard output.
    package func write(_ text: String) { put(Self.harmless(text + "\n"), STDOUT_FILENO) }

    /// Writes a screen that moves the cursor; what others have named in it must be harmless already.
    package func draw(_ text: String) { put(text + "\n", STDOUT_FILENO) }

    /// Writes lines, broken at words where they are longer than the terminal is wide.
    package func write(wrapping lines: [String]) {
        write(lines.flatMap { TextWrap.lines($0, self) }.joined(separator: "\n"))
    }

    /// Writes to standard error: what a person should read and a pipe should not.
    package func note(_ text: String) { put(Self.harmless(text + "\n"), STDERR_FILENO) }

    /// A line that the next one replaces; writes nothing where no person watches.
    package func progress(_ text: String) {
        if isTerminal { put("\r\u{1B}[K" + text, STDERR_FILENO) }
    }

    package func styled(_ text: String, _ style: Style) -> String {
        isColoured ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Of what others have named things nothing can do more to the terminal than colour it.
    private static func harmless(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy { $0 == "\n" || !DisplayWidth.isControl($0) }
        if isPlain { return text }
        var result = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if scalar == "\u{1B}", let own = ownSequence(rest) {
                result.append(scalar)
                result.append(contentsOf: own)
                rest = rest[own.endIndex...]
            } else if DisplayWidth.isControl(scalar), scalar != "\n", scalar != "\t",
                // Lines of CSV end so.
                scalar != "\r" || rest.first != "\n"
            {
                result.append("·")
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// What `styled` writes after the escape: a bracket, digits and `m`.
    private static func ownSequence(_ rest: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView? {
        guard rest.first == "[" else { return nil }
        let end = rest.dropFirst().firstIndex { !("0"..."9").contains($0) && $0 != ";" }
        guard let end, rest[end] == "m" else { return nil }
        return rest[...end]
    }

    package enum Style: String, Sendable {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case blue = "34"
        case magenta = "35"
        case cyan = "36"
    }

    private func put(_ text: String, _ descriptor: Int32) {
        if let sink { return sink(text, descriptor) }
        var text = text
        text.withUTF8 { bytes in
            var offset = 0
            while offset < bytes.count {
                let count = Glibc.write(
                    descriptor,
                    bytes.baseAddress?.advanced(by: offset),
                    bytes.count - offset
                )
                if count < 0 && errno == EINTR { continue }
                // The reader has left, as `head` does; a command that listens would otherwise go on without one.
                if count < 0 && errno == EPIPE && descriptor == STDOUT_FILENO { _exit(0) }
                if count <= 0 { return }
                offset += count
            }
        }
    }
}

extension TextWrap {
    /// Lines of at most this many columns, where words allow it; a pipe gets one line.
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

/// The language in which a command speaks: that of the person at the terminal.
///
/// Output for programs stays English.
package enum Speech {
    @TaskLocal package static var language = WordLanguage.english

    package static func say(_ key: String, _ text: MessageText) -> String { language.say(key, text) }

    package static func say(_ message: Message) -> String { message.text(in: language) }

    package static func say(_ key: String, count: Int, one: MessageText, other: MessageText) -> String {
        language.say(key, count: count, one: one, other: other)
    }

    package static func say(_ problem: Problem) -> String { say(problem.text) }

    /// A duration in this language, such as `1 h 30 min`.
    package static func duration(ms: Int64) -> String { TextFormat.duration(ms: ms, in: language) }
}
