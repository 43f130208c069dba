import Synchronization

/// Counts the messages that a process sends and receives as a client and as a subscriber.
///
/// In a quiet system, these counts and the engine's counts as a server add up. The program that moves a virtual clock can then
/// infer that no message is on its way.
package final class BusTraffic: Sendable {
    private let sent = Atomic<Int64>(0)
    private let replied = Atomic<Int64>(0)
    private let events = Atomic<Int64>(0)
    /// The number of requests of each route that wait for a reply.
    private let waiting = Mutex<[String: Int64]>([:])

    package init() {}

    package var requestsSent: Int64 { sent.load(ordering: .relaxed) }
    package var repliesReceived: Int64 { replied.load(ordering: .relaxed) }
    package var eventsReceived: Int64 { events.load(ordering: .relaxed) }
    /// The routes of the requests that wait for a reply.
    package var pendingRoutes: [String] {
        waiting.withLock { $0.flatMap { Array(repeating: $0.key, count: Int($0.value)) } }.sorted()
    }

    package func requestSent() { sent.add(1, ordering: .relaxed) }

    package func replyReceived() { replied.add(1, ordering: .relaxed) }

    package func eventReceived() { events.add(1, ordering: .relaxed) }

    package func callBegan(_ route: String) { waiting.withLock { $0[route, default: 0] += 1 } }

    package func callEnded(_ route: String) {
        waiting.withLock { $0[route] = $0[route].flatMap { $0 > 1 ? $0 - 1 : nil } }
    }

    /// Returns true if a request counts as traffic. Requests about clocks and health do not count.
    package static func counts(_ route: String) -> Bool {
        !route.hasPrefix("clock.") && !route.hasPrefix("health.")
    }
}
