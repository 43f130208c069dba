import Glibc
package import STPlatform

/// The output of a command, and the format that it supports.
package struct Terminal: Sendable {
    package var isTerminal: Bool
    package var isColoured: Bool
    package var columns: Int
    package var rows: Int
    /// The terminal from which passcodes and answers are read.
    package var keyboard = "/dev/tty"
    /// The passcode that replaces the keyboard, for example from the console page.
    package var proof: PassedProof?
    /// Receives text and its descriptor instead of the process's own output, for tests and for the console page.
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
            // See no-color.org: the variable must be set and not empty.
            isColoured: isTerminal && environment["NO_COLOR", default: ""].isEmpty
                && environment["TERM"] != "dumb",
            columns: isSized ? Int(size.ws_col) : 100,
            rows: isSized && size.ws_row > 0 ? Int(size.ws_row) : 40
        )
    }

    /// Writes the text and a line end to standard output.
    package func write(_ text: String) { writeBytes(Self.sanitized(text + "\n"), STDOUT_FILENO) }

    /// Writes a screen that moves the cursor. Names from outside must already be harmless in it.
    package func draw(_ text: String) { writeBytes(text + "\n", STDOUT_FILENO) }

    /// Writes lines. Lines that are longer than the terminal is wide are broken at words.
    package func write(wrapping lines: [String]) {
        write(lines.flatMap { TextWrap.lines($0, self) }.joined(separator: "\n"))
    }

    /// Writes to standard error, for texts that a person should read and a pipe should not receive.
    package func note(_ text: String) { writeBytes(Self.sanitized(text + "\n"), STDERR_FILENO) }

    /// Writes a line that the next call replaces. Writes nothing if the output is not a terminal.
    package func progress(_ text: String) {
        if isTerminal { writeBytes("\r\u{1B}[K" + text, STDERR_FILENO) }
    }

    package func styled(_ text: String, _ style: Style) -> String {
        isColoured ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Replaces control characters, so that names from outside can do no more to the terminal than colour it.
    private static func sanitized(_ text: String) -> String {
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
                // CSV lines end with CR and LF.
                scalar != "\r" || rest.first != "\n"
            {
                result.append("·")
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// Returns a sequence that `styled` writes after the escape character: a bracket, digits and `m`.
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

    private func writeBytes(_ text: String, _ descriptor: Int32) {
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
                // The reader has ended, as `head` does. Without this, a command that listens would run on without a reader.
                if count < 0 && errno == EPIPE && descriptor == STDOUT_FILENO { _exit(0) }
                if count <= 0 { return }
                offset += count
            }
        }
    }
}

extension TextWrap {
    /// Breaks the text at words into lines of the terminal's width. Text for a pipe stays one line.
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

/// The language of a command's output: the language of the person at the terminal.
///
/// Output for programs is always English.
package enum Speech {
    @TaskLocal package static var language = DisplayLanguage.english

    package static func say(_ key: String, _ text: MessageText) -> String { language.text(key, text) }

    package static func say(_ message: Message) -> String { message.text(in: language) }

    package static func say(_ key: String, count: Int, one: MessageText, other: MessageText) -> String {
        language.text(key, count: count, one: one, other: other)
    }

    package static func say(_ problem: Problem) -> String { say(problem.text) }

    /// Returns a duration in this language, for example `1 h 30 min`.
    package static func duration(ms: Int64) -> String { TextFormat.duration(ms: ms, in: language) }

    package static func duration(_ length: Duration) -> String { duration(ms: length.ms) }
}
