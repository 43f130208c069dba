/// Writes messages to the app's log: `screentime app log`.
///
/// An extension's messages go there with time, level and the callback they were written in. Elsewhere they go to standard
/// error.
public struct Logger: Sendable {
    private let log: OSLog

    /// One without a name.
    public init() { log = .default }

    /// One that writes for this log.
    public init(_ logObj: OSLog) { log = logObj }

    /// One with a name: often the app's id, and a part of the app.
    public init(subsystem: String, category: String) {
        log = OSLog(subsystem: subsystem, category: category)
    }

    /// Writes a message worth knowing.
    public func log(_ message: OSLogMessage) { log.write(.default, message.text) }

    /// Writes a message of that importance.
    public func log(level: OSLogType, _ message: OSLogMessage) { log.write(level, message.text) }

    /// Writes a message for whoever looks for a fault.
    public func trace(_ message: OSLogMessage) { log.write(.debug, message.text) }

    /// Writes a message for whoever looks for a fault.
    public func debug(_ message: OSLogMessage) { log.write(.debug, message.text) }

    /// Writes a message that is helpful, not essential.
    public func info(_ message: OSLogMessage) { log.write(.info, message.text) }

    /// Writes a message worth knowing.
    public func notice(_ message: OSLogMessage) { log.write(.default, message.text) }

    /// Writes that something went wrong.
    public func warning(_ message: OSLogMessage) { log.write(.error, message.text) }

    /// Writes that something went wrong.
    public func error(_ message: OSLogMessage) { log.write(.error, message.text) }

    /// Writes that something happened that must not happen.
    public func critical(_ message: OSLogMessage) { log.write(.fault, message.text) }

    /// Writes that something happened that must not happen.
    public func fault(_ message: OSLogMessage) { log.write(.fault, message.text) }
}
