/// Topics are `stream.event[.qualifier]`; the names that begin with `~` are the bus's own.
package enum Topic {
    /// Answered in-band, which proves to a joiner that its subscription has arrived (engineering.md, finding
    /// 7).
    ///
    /// It sorts after every stream, so on a reconnect it is sent after them.
    package static let syncPrefix = "~sync."
    package static let tracePrefix = "~trace."
    package static let headPrefix = "~head."

    /// The subscription of one stream: with the dot, because ZeroMQ matches byte prefixes.
    package static func subscription(_ stream: StreamName) -> String { stream.rawValue + "." }

    package static func head(_ stream: StreamName) -> String { headPrefix + stream.rawValue }

    package static func isValid(_ topic: String) -> Bool {
        !topic.isEmpty && topic.utf8.count <= BusLimits.topicBytes
            && topic.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
                case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"): true
                default: false
                }
            }
    }
}
