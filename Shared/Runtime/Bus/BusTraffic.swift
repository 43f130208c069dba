import Synchronization

/// Counts the messages of a process that it sends and gets as a client and as a subscriber.
///
/// Together with what its engine counts as a server they add up over a quiet system, by which whoever moves a virtual
/// clock knows that nothing is on its way.
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

    /// Whether a request belongs to what happens, rather than to the question how it goes.
    package static func counts(_ route: String) -> Bool {
        !route.hasPrefix("clock.") && !route.hasPrefix("health.")
    }
}
