/// Writes events with typed fields to a sink. Drops events below the level.
package struct Log: Sendable {
    private let service: String
    private let level: LogLevel
    private let sink: any LogSink
    private let time: any TimeSource

    package init(
        service: String,
        level: LogLevel,
        sink: any LogSink,
        time: any TimeSource = SystemTimeSource()
    ) {
        self.service = service
        self.level = level
        self.sink = sink
        self.time = time
    }

    /// A log to the journal if systemd runs the process, otherwise to standard error.
    package static func standard(service: String, level: LogLevel) -> Log {
        Log(service: service, level: level, sink: JournalSink.ifConnected() ?? StandardErrorSink())
    }

    package func info(
        _ event: StaticString,
        _ message: String? = nil,
        fields: KeyValuePairs<String, LogValue> = [:]
    ) {
        write(.info, event, message: message, fields: fields)
    }

    package func warning(
        _ event: StaticString,
        _ message: String? = nil,
        fields: KeyValuePairs<String, LogValue> = [:]
    ) {
        write(.warning, event, message: message, fields: fields)
    }

    package func error(
        _ event: StaticString,
        _ message: String? = nil,
        fields: KeyValuePairs<String, LogValue> = [:]
    ) {
        write(.error, event, message: message, fields: fields)
    }

    package func problem(
        _ event: StaticString,
        _ problem: Problem,
        fields: KeyValuePairs<String, LogValue> = [:]
    ) {
        guard level <= .error else { return }
        var all: [(name: String, value: LogValue)] = [("code", .text(problem.code))]
        if let help = problem.help { all.append(("try", .text(help))) }
        for field in fields { all.append((field.key, field.value)) }
        sink.write(record(.error, event, message: problem.message, fields: all))
    }

    private func write(
        _ line: LogLevel,
        _ event: StaticString,
        message: String?,
        fields: KeyValuePairs<String, LogValue>
    ) {
        guard line >= level else { return }
        sink.write(record(line, event, message: message, fields: fields.map { ($0.key, $0.value) }))
    }

    private func record(
        _ line: LogLevel,
        _ event: StaticString,
        message: String?,
        fields: [(name: String, value: LogValue)]
    ) -> LogRecord {
        LogRecord(
            level: line,
            service: service,
            event: event.description,
            message: message.map { Self.truncated($0) },
            fields: fields.map { name, value in
                if case .text(let text) = value { return (name, .text(Self.truncated(text))) }
                return (name, value)
            },
            wallMs: time.now().wallMs
        )
    }

    private static let textBytesMax = 4 * 1024

    /// Cuts a text from outside to the maximum length of a log line.
    private static func truncated(_ text: String) -> String {
        text.utf8.count <= textBytesMax
            ? text
            : TextFormat.truncated(text, bytes: textBytesMax) + " [cut here; it has \(text.utf8.count) bytes]"
    }
}

/// The severity of a log line.
///
/// Libraries log at `info` or below. Only services use `warning` and `error`.
package enum LogLevel: String, Sendable, CaseIterable, Comparable {
    case debug, info, warning, error

    package static func < (one: LogLevel, other: LogLevel) -> Bool { one.rank < other.rank }

    private var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }

    /// syslog's number, as the journal requires.
    package var priority: Int {
        switch self {
        case .debug: 7
        case .info: 6
        case .warning: 4
        case .error: 3
        }
    }
}

/// A typed field of a log line. Values are in fields, so that messages stay constant and searchable.
package enum LogValue: Sendable, Equatable {
    case text(String)
    case number(Int64)
    case flag(Bool)
    /// A window title or an address. Shown as a short digest unless the level is debug.
    case personal(String)

    /// A short digest that shows if two lines are about the same value without revealing it.
    static func digest(_ text: String) -> String {
        "#" + String(Fingerprint(text).value & 0xffff_ffff, radix: 16)
    }
}

extension LogValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    package init(stringLiteral value: String) { self = .text(value) }

    package init(integerLiteral value: Int64) { self = .number(value) }

    package init(booleanLiteral value: Bool) { self = .flag(value) }
}

/// One event of a log.
package struct LogRecord: Sendable {
    package var level: LogLevel
    package var service: String
    /// A stable snake_case name, for searching.
    package var event: String
    /// A sentence for a person, if the name is not sufficient.
    package var message: String?
    package var fields: [(name: String, value: LogValue)]
    package var wallMs: Int64

    /// One line of JSON.
    package var json: String {
        var line = "{\"time\":\"\(RFC3339.text(wallMs: wallMs))\",\"level\":\"\(level.rawValue)\""
        line += ",\"service\":\(JSONQuoting.quoted(service)),\"event\":\(JSONQuoting.quoted(event))"
        if let message { line += ",\"message\":\(JSONQuoting.quoted(message))" }
        for field in fields { line += ",\(JSONQuoting.quoted(field.name)):\(jsonText(field.value))" }
        return JSONQuoting.sanitized(line + "}")
    }

    /// One line for a terminal: time of day, level, service, event, message and fields.
    package func text(coloured: Bool) -> String {
        let time = RFC3339.text(wallMs: wallMs).dropFirst(11).dropLast(1)
        let mark = level.rawValue.uppercased()
        let colour = Self.colour(level)
        var line = coloured ? "\u{1B}[2m\(time)\u{1B}[0m \(colour)\(mark)\u{1B}[0m " : "\(time) \(mark) "
        line += "\(service) \(event)"
        if let message { line += "  \(DisplayWidth.sanitized(message))" }
        for field in fields { line += "  \(field.name)=\(DisplayWidth.sanitized(plainText(field.value)))" }
        return line
    }

    /// The text of a value. Personal values are hidden unless the line is for debugging.
    func plainText(_ value: LogValue) -> String {
        switch value {
        case .text(let text): text
        case .number(let number): String(number)
        case .flag(let flag): flag ? "true" : "false"
        case .personal(let text): level == .debug ? text : LogValue.digest(text)
        }
    }

    private func jsonText(_ value: LogValue) -> String {
        switch value {
        case .number, .flag: plainText(value)
        case .text, .personal: JSONQuoting.quoted(plainText(value))
        }
    }

    private static func colour(_ level: LogLevel) -> String {
        switch level {
        case .debug: "\u{1B}[2m"
        case .info: "\u{1B}[32m"
        case .warning: "\u{1B}[33m"
        case .error: "\u{1B}[31m"
        }
    }
}
