/// How important a message is.
public struct OSLogType: RawRepresentable, Equatable, Hashable, Sendable {
    /// The number that stands for it.
    public var rawValue: UInt8

    /// The type with this number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The type with this number.
    public init(_ value: UInt8) { rawValue = value }

    /// Worth knowing.
    public static let `default` = OSLogType(0x00)

    /// Helpful, not essential.
    public static let info = OSLogType(0x01)

    /// For whoever is looking for a fault.
    public static let debug = OSLogType(0x02)

    /// Something went wrong.
    public static let error = OSLogType(0x10)

    /// Something that must not happen happened.
    public static let fault = OSLogType(0x11)

    /// As it stands in a log.
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
