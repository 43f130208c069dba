/// Where log lines go.
package protocol LogSink: Sendable {
    func write(_ record: LogRecord)
}
