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

    /// In the order in which they start; they stop in the reverse one.
    package static let all: [ServiceName] = [auth, activity, monitor, shield, report, notifier, desktop]
}
