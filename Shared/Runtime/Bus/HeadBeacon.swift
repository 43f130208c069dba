package import STContracts

/// When a publisher says how far its streams have come, so that the loss of the last event shows.
///
/// At start, on every new subscription, one second after the last event, five seconds later, then every fifteen: each
/// wakes every follower twice. Nothing at all while nobody listens.
package struct HeadBeacon: Sendable {
    private static let afterEventMs: Int64 = 1_000
    private static let secondMs: Int64 = 5_000
    private static let idleMs: Int64 = 15_000

    private var dueMs: [StreamName: Int64] = [:]
    /// Since their last event they have spoken no more than once.
    private var fresh: Set<StreamName> = []
    private var listened: Set<StreamName> = []

    package init() {}

    package var nextMs: Int64? { dueMs.values.min() }

    /// Returns what to announce at once.
    package mutating func subscribed(_ stream: StreamName, nowMs: Int64) -> StreamName {
        listened.insert(stream)
        dueMs[stream] = nowMs + Self.secondMs
        return stream
    }

    package mutating func unsubscribed(_ stream: StreamName) {
        listened.remove(stream)
        fresh.remove(stream)
        dueMs[stream] = nil
    }

    package mutating func published(_ stream: StreamName, nowMs: Int64) {
        guard listened.contains(stream) else { return }
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
