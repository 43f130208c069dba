import Glibc

/// Lines to standard error: JSON for a file or a pipe, readable text for a terminal.
package struct StandardErrorSink: LogSink {
    private let isTerminal: Bool
    private let isColoured: Bool

    package init() {
        isTerminal = isatty(STDERR_FILENO) == 1
        isColoured = isTerminal && getenv("NO_COLOR") == nil
    }

    package func write(_ record: LogRecord) {
        var line = isTerminal ? record.text(coloured: isColoured) : record.json
        line += "\n"
        // One write for the whole line, so that lines of several threads do not run into each other.
        line.withUTF8 { bytes in _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
    }
}
