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
    package static let policy = StreamName("policy")
    package static let shield = StreamName("shield")
    package static let notification = StreamName("notification")
}
