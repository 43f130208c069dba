package import STContracts

/// Decides when a publisher announces the heads of its streams, so that followers notice the loss of the last event.
///
/// A publisher announces a head on every new subscription, one second after the last event, five seconds later, and then every
/// fifteen seconds. Announcements are rare, because each one wakes every follower twice. A stream without subscribers is not
/// announced.
package struct HeadBeacon: Sendable {
    private static let afterEventMs: Int64 = 1_000
    private static let secondMs: Int64 = 5_000
    private static let idleMs: Int64 = 15_000

    private var dueMs: [StreamName: Int64] = [:]
    /// Streams that `tick` has not announced since their last event.
    private var fresh: Set<StreamName> = []
    private var subscribedStreams: Set<StreamName> = []

    package init() {}

    package var nextMs: Int64? { dueMs.values.min() }

    /// Returns the stream to announce immediately.
    package mutating func subscribed(_ stream: StreamName, nowMs: Int64) -> StreamName {
        subscribedStreams.insert(stream)
        dueMs[stream] = nowMs + Self.secondMs
        return stream
    }

    package mutating func unsubscribed(_ stream: StreamName) {
        subscribedStreams.remove(stream)
        fresh.remove(stream)
        dueMs[stream] = nil
    }

    package mutating func published(_ stream: StreamName, nowMs: Int64) {
        guard subscribedStreams.contains(stream) else { return }
        fresh.insert(stream)
        dueMs[stream] = nowMs + Self.afterEventMs
    }

    package mutating func tick(nowMs: Int64) -> [StreamName] {
        let due = dueMs.filter { $0.value <= nowMs }.map(\.key).sorted { $0.rawValue < $1.rawValue }
        for stream in due {
            dueMs[stream] = nowMs + (fresh.remove(stream) == nil ? Self.idleMs : Self.secondMs)
        }
        return due
    }
}
