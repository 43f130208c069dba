package import STContracts
package import STPlatform

/// Decides when a publisher announces the heads of its streams, so that followers notice the loss of the last event.
///
/// A publisher announces a head on every new subscription, one second after the last event, five seconds later, and then every
/// fifteen seconds. Announcements are rare, because each one wakes every follower twice. A stream without subscribers is not
/// announced.
package struct HeadBeacon: Sendable {
    private static let afterEvent = Duration.seconds(1)
    private static let second = Duration.seconds(5)
    private static let idle = Duration.seconds(15)

    private var due: [StreamName: BootTime] = [:]
    /// Streams that `tick` has not announced since their last event.
    private var fresh: Set<StreamName> = []
    private var subscribedStreams: Set<StreamName> = []

    package init() {}

    package var next: BootTime? { due.values.min() }

    /// Returns the stream to announce immediately.
    package mutating func subscribed(_ stream: StreamName, now: BootTime) -> StreamName {
        subscribedStreams.insert(stream)
        due[stream] = now + Self.second
        return stream
    }

    package mutating func unsubscribed(_ stream: StreamName) {
        subscribedStreams.remove(stream)
        fresh.remove(stream)
        due[stream] = nil
    }

    package mutating func published(_ stream: StreamName, now: BootTime) {
        guard subscribedStreams.contains(stream) else { return }
        fresh.insert(stream)
        due[stream] = now + Self.afterEvent
    }

    package mutating func tick(now: BootTime) -> [StreamName] {
        let streams = due.filter { $0.value <= now }.map(\.key).sorted { $0.rawValue < $1.rawValue }
        for stream in streams {
            due[stream] = now + (fresh.remove(stream) == nil ? Self.idle : Self.second)
        }
        return streams
    }
}
