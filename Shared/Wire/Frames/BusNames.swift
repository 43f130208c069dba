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
    /// These two run only on machines on which a person has started or joined a household.
    package static let household = ServiceName("household-service")
    package static let link = ServiceName("link-service")
    package static let ofHousehold = [household, link]

    /// The services of every machine, in the order in which they start. They stop in the reverse order.
    package static let all: [ServiceName] = [auth, activity, monitor, shield, report, notifier, desktop]
    /// The services that a protected computer runs itself. The agent that observes a screen runs in each account's session.
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

    /// The stream with a service's changes and the events of its own operation.
    package static func history(of service: ServiceName) -> StreamName {
        StreamName(service.rawValue + ".history")
    }
}

/// Topics have the form `stream.event[.qualifier]`. The bus itself uses the names that begin with `~`.
package enum Topic {
    /// Events with this prefix confirm to a new subscriber that its subscription has arrived.
    ///
    /// The prefix sorts after every stream, so on a reconnect it is sent after them.
    package static let syncPrefix = "~sync."
    package static let tracePrefix = "~trace."
    package static let headPrefix = "~head."

    /// The subscription of one stream. It includes the dot, because ZeroMQ matches byte prefixes.
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
    /// The frames of one message, without the routing id and the empty frame of a REQ peer.
    package static let frames = 4
    package static let headerBytes = 4 * 1024
    package static let eventBodyBytes = 64 * 1024
    package static let requestBodyBytes = 256 * 1024
    package static let replyBodyBytes = 256 * 1024
    /// libzmq closes a connection beyond this limit without an error message. Below it, the service replies `frame.too_large`.
    package static let socketBytes: Int64 = 1024 * 1024
    /// The limit of the events socket, which receives only topics and the metadata of connections.
    package static let subscriptionSocketBytes: Int64 = 512
    package static let depth = 32
    package static let topicBytes = 128
    package static let idBytes = 64
    package static let idempotencyKeyBytes = 128
    /// The default and the maximum deadline of a caller.
    package static let timeoutMsDefault: Int64 = 5_000
    package static let timeoutMsMax: Int64 = 60_000
    package static let idempotencyKeepMs: Int64 = 24 * 3_600_000
    package static let pageRows = 500
    /// The limit of the rows of a page. The rest of a reply is room for the other members.
    package static let pageBytes = 192 * 1024
}

/// The version of the product, as in CHANGELOG.md.
package enum Version {
    package static let text = "0.6.0"
}
