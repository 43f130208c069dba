/// Writes events with typed fields.
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

    /// The journal when run by systemd, standard error otherwise.
    package static func standard(service: String, level: LogLevel) -> Log {
        Log(service: service, level: level, sink: JournalSink.ifConnected() ?? StandardErrorSink())
    }

    package func debug(
        _ event: StaticString,
        _ message: String? = nil,
        _ fields: KeyValuePairs<String, LogValue> = [:]
    ) {
        write(.debug, event, message, fields)
    }

    package func info(
        _ event: StaticString,
        _ message: String? = nil,
        _ fields: KeyValuePairs<String, LogValue> = [:]
    ) {
        write(.info, event, message, fields)
    }

    package func warning(
        _ event: StaticString,
        _ message: String? = nil,
        _ fields: KeyValuePairs<String, LogValue> = [:]
    ) {
        write(.warning, event, message, fields)
    }

    package func error(
        _ event: StaticString,
        _ message: String? = nil,
        _ fields: KeyValuePairs<String, LogValue> = [:]
    ) {
        write(.error, event, message, fields)
    }

    package func problem(
        _ event: StaticString,
        _ problem: Problem,
        _ fields: KeyValuePairs<String, LogValue> = [:]
    ) {
        guard level <= .error else { return }
        var all: [(name: String, value: LogValue)] = [("code", .text(problem.code))]
        if let help = problem.help { all.append(("try", .text(help))) }
        for field in fields { all.append((field.key, field.value)) }
        sink.write(record(.error, event, problem.message, all))
    }

    private func write(
        _ line: LogLevel,
        _ event: StaticString,
        _ message: String?,
        _ fields: KeyValuePairs<String, LogValue>
    ) {
        guard line >= level else { return }
        sink.write(record(line, event, message, fields.map { ($0.key, $0.value) }))
    }

    private func record(
        _ line: LogLevel,
        _ event: StaticString,
        _ message: String?,
        _ fields: [(name: String, value: LogValue)]
    ) -> LogRecord {
        LogRecord(
            level: line,
            service: service,
            event: event.description,
            message: message,
            fields: fields,
            wallMs: time.now().wallMs
        )
    }
}
