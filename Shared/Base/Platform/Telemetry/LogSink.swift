import Glibc
import STCSystemd

/// The destination of log lines.
package protocol LogSink: Sendable {
    func write(_ record: LogRecord)
}

/// Writes lines to standard error: JSON for a file or a pipe, readable text for a terminal.
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
        // One write for the whole line, so that lines of several threads do not mix.
        line.withUTF8 { bytes in _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
    }
}

/// Writes lines to journald with their fields, so that `journalctl ST_TRACE_ID=…` shows a trace across services.
package struct JournalSink: LogSink {
    /// A sink if standard error is connected to the journal, as `JOURNAL_STREAM` states. Otherwise `nil`.
    package static func ifConnected() -> JournalSink? {
        guard let stream = getenv("JOURNAL_STREAM").map({ String(cString: $0) }) else { return nil }
        var info = stat()
        guard fstat(STDERR_FILENO, &info) == 0, stream == "\(info.st_dev):\(info.st_ino)" else { return nil }
        return JournalSink()
    }

    package func write(_ record: LogRecord) {
        var entries = [
            "MESSAGE=\(record.event)\(record.message.map { "  \($0)" } ?? "")",
            "PRIORITY=\(record.level.priority)",
            "SYSLOG_IDENTIFIER=\(record.service)",
            "ST_EVENT=\(record.event)",
        ]
        for field in record.fields {
            entries.append("ST_\(Self.name(field.name))=\(record.plainText(field.value))")
        }
        send(entries.map { Array($0.utf8) })
    }

    /// The name of a journal field, which may have upper-case letters, digits and underscores.
    private static func name(_ text: String) -> String {
        String(text.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }

    private func send(_ entries: [[UInt8]]) {
        // All entries in one buffer, so that the pointers of the vector stay valid during the call.
        let joined = entries.flatMap { $0 }
        joined.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            var offset = 0
            var vector: [iovec] = []
            for entry in entries {
                vector.append(
                    iovec(iov_base: UnsafeMutableRawPointer(mutating: base + offset), iov_len: entry.count)
                )
                offset += entry.count
            }
            _ = sd_journal_sendv(vector, Int32(vector.count))
        }
    }
}
