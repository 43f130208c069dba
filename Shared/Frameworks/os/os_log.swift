// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Writes a message of the usual importance.
public func os_log(_ message: OSLogMessage) { OSLog.default.write(.default, message.text) }

/// Writes a message of that importance.
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {
    log.write(type, message.text)
}

/// Writes a message in the form of C's printf.
///
/// `%{public}` and `%{private}` say what is shown; else numbers are, and texts are not.
@_disfavoredOverload
public func os_log(
    _ message: StaticString,
    log: OSLog = .default,
    type: OSLogType = .default,
    _ values: Any...
) {
    log.write(type, PercentFormat.text(message.description, values))
}

/// Writes a message in the form of C's printf, with its importance first.
@_disfavoredOverload
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: StaticString, _ values: Any...) {
    log.write(type, PercentFormat.text(message.description, values))
}
