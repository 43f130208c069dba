/// Writes messages to the app's log, which `screentime app log` shows.
///
/// An extension's messages go there with time, level and callback. Elsewhere they go to standard error.
public struct Logger: Sendable {
    private let log: OSLog

    public init() { log = .default }

    public init(_ logObj: OSLog) { log = logObj }

    public init(subsystem: String, category: String) {
        log = OSLog(subsystem: subsystem, category: category)
    }

    public func log(_ message: OSLogMessage) { log.write(.default, message.text) }

    public func log(level: OSLogType, _ message: OSLogMessage) { log.write(level, message.text) }

    public func trace(_ message: OSLogMessage) { log.write(.debug, message.text) }

    public func debug(_ message: OSLogMessage) { log.write(.debug, message.text) }

    public func info(_ message: OSLogMessage) { log.write(.info, message.text) }

    public func notice(_ message: OSLogMessage) { log.write(.default, message.text) }

    public func warning(_ message: OSLogMessage) { log.write(.error, message.text) }

    public func error(_ message: OSLogMessage) { log.write(.error, message.text) }

    public func critical(_ message: OSLogMessage) { log.write(.fault, message.text) }

    public func fault(_ message: OSLogMessage) { log.write(.fault, message.text) }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public func os_log(_ message: OSLogMessage) { OSLog.default.write(.default, message.text) }

// swift-format-ignore: AlwaysUseLowerCamelCase
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {
    log.write(type, message.text)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Takes C's printf format. Numbers are shown and texts are hidden, unless `%{public}` or `%{private}` says
/// otherwise.
@_disfavoredOverload
public func os_log(
    _ message: StaticString,
    log: OSLog = .default,
    type: OSLogType = .default,
    _ values: Any...
) {
    log.write(type, PercentFormat.text(message.description, values))
}

// swift-format-ignore: AlwaysUseLowerCamelCase
@_disfavoredOverload
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: StaticString, _ values: Any...) {
    log.write(type, PercentFormat.text(message.description, values))
}

public final class OSLog: Sendable {
    let subsystem: String
    let category: String
    let isSilent: Bool

    public static let `default` = OSLog(subsystem: "", category: "")
    public static let disabled = OSLog(subsystem: "", category: "", isSilent: true)

    public convenience init(subsystem: String, category: String) {
        self.init(subsystem: subsystem, category: category, isSilent: false)
    }

    private init(subsystem: String, category: String, isSilent: Bool) {
        self.subsystem = subsystem
        self.category = category
        self.isSilent = isSilent
    }

    public func isEnabled(type: OSLogType) -> Bool { !isSilent }

    func write(_ type: OSLogType, _ text: String) {
        guard !isSilent else { return }
        LogOutput.shared.write(level: type.word, subsystem: subsystem, category: category, text)
    }
}

public struct OSLogType: RawRepresentable, Equatable, Hashable, Sendable {
    public var rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public init(_ value: UInt8) { rawValue = value }

    public static let `default` = OSLogType(0x00)
    public static let info = OSLogType(0x01)
    public static let debug = OSLogType(0x02)
    public static let error = OSLogType(0x10)
    public static let fault = OSLogType(0x11)

    package var word: String {
        switch self {
        case .debug: "debug"
        case .info: "info"
        case .error: "error"
        case .fault: "fault"
        default: "notice"
        }
    }
}
