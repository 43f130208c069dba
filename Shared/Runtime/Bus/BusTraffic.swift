import Synchronization

/// Counts the messages that a process sends and receives as a client and as a subscriber.
///
/// In a quiet system these and the engine's counts as a server add up, which tells the mover of a virtual clock that no
/// message is on its way.
package final class BusTraffic: Sendable {
    private let sent = Atomic<Int64>(0)
    private let replied = Atomic<Int64>(0)
    private let events = Atomic<Int64>(0)
    private let underWay = Atomic<Int64>(0)

    package init() {}

    package var requestsSent: Int64 { sent.load(ordering: .relaxed) }
    package var repliesReceived: Int64 { replied.load(ordering: .relaxed) }
    package var eventsHeard: Int64 { events.load(ordering: .relaxed) }
    /// Requests that wait for their answer.
    package var asked: Int64 { underWay.load(ordering: .relaxed) }

    package func requestSent() { sent.add(1, ordering: .relaxed) }

    package func replyReceived() { replied.add(1, ordering: .relaxed) }

    package func eventHeard() { events.add(1, ordering: .relaxed) }

    package func callBegan() { underWay.add(1, ordering: .relaxed) }

    package func callEnded() { underWay.subtract(1, ordering: .relaxed) }

    /// Whether a request counts as traffic; questions about clocks and health do not.
    package static func counts(_ route: String) -> Bool {
        !route.hasPrefix("clock.") && !route.hasPrefix("health.")
    }
}
