import Glibc
import STPlatform
import Synchronization

/// Writes messages to the app's log, which `screentime app log` shows.
///
/// Messages of an extension are written to that log with time, level and callback. Messages of other programs are written to
/// standard error.
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
/// Logs a message in C's printf format. Numbers are shown and strings are hidden, unless the format contains `%{public}` or
/// `%{private}`.
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

/// The destination of messages: the host of an extension, as one line of JSON each, or else standard error, as text.
package struct LogOutput: Sendable {
    /// The maximum length of a line. The text of a longer message is shortened here, because the reader would cut the line.
    package static let lineBytesMax = 16 * 1024
    /// The environment variable with the number of the descriptor that the host reads.
    package static let variable = "SCREENTIME_LOG_FD"

    package static let shared = LogOutput(environment: ProcessEnvironment.current())

    /// Ensures that threads write one line at a time.
    private static let turn = Mutex<Void>(())

    private let descriptor: Int32
    private let isJSON: Bool

    package init(descriptor: Int32, isJSON: Bool) {
        self.descriptor = descriptor
        self.isJSON = isJSON
    }

    /// Reads the descriptor from the environment. A descriptor that is not open is ignored, because a person may have started the
    /// program.
    package init(environment: [String: String]) {
        if let number = environment[Self.variable].flatMap(Int32.init), fcntl(number, F_GETFD) >= 0 {
            self.init(descriptor: number, isJSON: true)
        } else {
            self.init(descriptor: STDERR_FILENO, isJSON: false)
        }
    }

    package func write(level: String, subsystem: String, category: String, _ text: String) {
        var text = text
        var line = encoded(level: level, subsystem: subsystem, category: category, text: text)
        // Escaping can make a text six times longer, so its length is known only after encoding.
        while line.count > Self.lineBytesMax && !text.isEmpty {
            text = Self.cut(text, to: min(text.utf8.count / 2, Self.lineBytesMax / 2))
            line = encoded(level: level, subsystem: subsystem, category: category, text: text + " …")
        }
        Self.turn.withLock { _ in
            // Ignore errors. If the reader has exited, there is no other place to report them.
            _ = OwnedDescriptor.write(line, to: descriptor)
        }
    }

    private func encoded(level: String, subsystem: String, category: String, text: String) -> [UInt8] {
        isJSON
            ? json(level: level, subsystem: subsystem, category: category, text: text)
            : plain(level: level, subsystem: subsystem, category: category, text: text)
    }

    private func json(level: String, subsystem: String, category: String, text: String) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(text.utf8.count + 128)
        for (name, value) in [
            ("{\"level\":", level), (",\"subsystem\":", subsystem), (",\"category\":", category),
            (",\"text\":", text),
        ] {
            line += name.utf8
            JSONQuoting.append(value, to: &line)
        }
        line += "}\n".utf8
        return line
    }

    private func plain(level: String, subsystem: String, category: String, text: String) -> [UInt8] {
        let name = [subsystem, category].filter { !$0.isEmpty }.joined(separator: ":")
        return Array("\(level)\(name.isEmpty ? "" : " [\(name)]") \(text)\n".utf8)
    }

    private static func cut(_ text: String, to bytes: Int) -> String {
        var end = text.utf8.index(text.utf8.startIndex, offsetBy: bytes)
        while end > text.startIndex, String.Index(end, within: text) == nil {
            end = text.utf8.index(before: end)
        }
        return String(text[..<end])
    }
}
