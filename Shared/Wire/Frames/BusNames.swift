/// A process of the system, by the name of its folder, its executable and its sockets.
package struct ServiceName: Sendable, Hashable, RawRepresentable, Codable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package init(_ rawValue: String) { self.rawValue = rawValue }

    package var description: String { rawValue }

    package static let auth = ServiceName("auth-service")
    package static let activity = ServiceName("activity-center")
    package static let monitor = ServiceName("monitor-runner")
    package static let shield = ServiceName("shield-service")
    package static let report = ServiceName("report-service")
    package static let notifier = ServiceName("notifier")
    package static let desktop = ServiceName("desktop-agent")
    /// These two run only where a person has started or joined a household of many machines.
    package static let household = ServiceName("household-service")
    package static let link = ServiceName("link-service")
    package static let ofHousehold = [household, link]

    /// On every machine, in the order in which they start; they stop in the reverse one.
    package static let all: [ServiceName] = [auth, activity, monitor, shield, report, notifier, desktop]
    /// Those that a protected computer runs itself: what looks at a screen stays in each account's session.
    package static let ofComputer = all.filter { $0 != desktop }
}

/// A sequence of events that one service publishes.
package struct StreamName: Sendable, Hashable, RawRepresentable, Codable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package init(_ rawValue: String) { self.rawValue = rawValue }

    package var description: String { rawValue }

    package static let authorization = StreamName("authorization")
    package static let usage = StreamName("usage")
    package static let activity = StreamName("activity")
    package static let delivery = StreamName("delivery")
    package static let decision = StreamName("decision")
    package static let policy = StreamName("policy")
    package static let shield = StreamName("shield")
    package static let notification = StreamName("notification")

    /// What a service tells of changes and of what happened to itself.
    package static func history(of service: ServiceName) -> StreamName {
        StreamName(service.rawValue + ".history")
    }
}

/// Topics are `stream.event[.qualifier]`; the names that begin with `~` are the bus's own.
package enum Topic {
    /// Answered in-band, which proves to a joiner that its subscription has arrived.
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

/// The named limits of the bus.
package enum BusLimits {
    /// Frames of one message after the routing id and the empty frame of a REQ peer.
    package static let frames = 4
    package static let headerBytes = 4 * 1024
    package static let eventBodyBytes = 64 * 1024
    package static let requestBodyBytes = 256 * 1024
    package static let replyBodyBytes = 256 * 1024
    /// libzmq closes a connection without a word beyond this; up to it `frame.too_large` is answered.
    package static let socketBytes: Int64 = 1024 * 1024
    /// What the events socket takes: a topic, and the metadata of a connection.
    package static let subscriptionSocketBytes: Int64 = 512
    package static let depth = 32
    package static let topicBytes = 128
    package static let idBytes = 64
    package static let idempotencyKeyBytes = 128
    /// The deadline of a caller that names none, and the longest that a caller may ask for.
    package static let timeoutMsDefault: Int64 = 5_000
    package static let timeoutMsMax: Int64 = 60_000
    package static let idempotencyKeepMs: Int64 = 24 * 3_600_000
    package static let pageRows = 500
    /// Room left in a reply for what stands around the rows of a page.
    package static let pageBytes = 192 * 1024
}

/// The version of the product, as CHANGELOG.md tells it.
package enum Version {
    package static let text = "0.6.0"
}
