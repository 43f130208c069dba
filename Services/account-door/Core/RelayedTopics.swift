package import STContracts

/// The topics that a door subscribes to at a service, for the programs of its account.
///
/// The subscriptions of one program must not block events for another program, for example desktop-agent. The door subscribes to
/// whole streams, and its own socket filters events for each program. It keeps at most `markersMax` markers and removes the
/// oldest first.
package struct RelayedTopics: Sendable {
    package enum Change: Equatable, Sendable {
        case subscribe(String)
        case unsubscribe(String)
    }

    /// A service normally replies to a marker within milliseconds.
    package static let markersMax = 1_000

    /// The account's person. `nil` while the door does not know one.
    private var member: DoorPerson?
    /// The streams and heads that programs have requested.
    private var requested: Set<String> = []
    private var subscribedTopics: Set<String> = []
    private var markers: [String] = []

    package init() {}

    /// Without a person, the door forwards no events. It subscribes to the markers again when it has a person.
    package mutating func begin(_ person: DoorPerson?) -> [Change] {
        guard let person else {
            defer { self.member = nil }
            return self.member == nil ? [] : markers.map { .unsubscribe($0) }
        }
        let waiting = self.member == nil ? markers : []
        self.member = person
        return reconcile() + waiting.map { .subscribe($0) }
    }

    package mutating func subscribe(_ topic: String) -> [Change] {
        guard Topic.isValid(topic) else { return [] }
        guard topic.hasPrefix(Topic.syncPrefix) else {
            guard let whole = Self.fullTopic(topic) else { return [] }
            if requested.insert(whole).inserted { return reconcile() }
            // The service publishes the head at each subscription.
            let isHead = topic.hasPrefix(Topic.headPrefix) && subscribedTopics.contains(topic)
            return isHead ? [.subscribe(topic), .unsubscribe(topic)] : []
        }
        markers.append(topic)
        var changes: [Change] = member == nil ? [] : [.subscribe(topic)]
        if markers.count > Self.markersMax {
            let oldest = markers.removeFirst()
            if member != nil { changes.append(.unsubscribe(oldest)) }
        }
        return changes
    }

    /// Removes a marker. Stream subscriptions remain, because other programs may need them and there are few streams.
    package mutating func unsubscribe(_ topic: String) -> [Change] {
        guard let index = markers.firstIndex(of: topic) else { return [] }
        markers.remove(at: index)
        return member == nil ? [] : [.unsubscribe(topic)]
    }

    /// Returns an event without the parts that the account's programs may not receive. Returns `nil` if they may not receive the
    /// event.
    package func filtered(_ frames: [[UInt8]]) -> (topic: String, header: [UInt8], body: [UInt8])? {
        guard let member, frames.count == 3 else { return nil }
        guard frames[0].first != UInt8(ascii: "~") else {
            return (String(decoding: frames[0], as: UTF8.self), frames[1], frames[2])
        }
        guard let event = WireEvent(frames: frames), DoorEvents.isOpen(event.header.stream, to: member) else {
            return nil
        }
        let shown = DoorEvents.filtered(event, to: member)
        return (shown.header.type, shown.header.encoded(), shown.body)
    }

    private mutating func reconcile() -> [Change] {
        guard let member else { return [] }
        let new = requested.filter {
            !subscribedTopics.contains($0) && DoorEvents.isOpen(topic: $0, to: member)
        }
        .sorted()
        subscribedTopics.formUnion(new)
        return new.map { .subscribe($0) }
    }

    /// Returns the subscription topic of the whole stream, or `topic` itself if it is a head. Returns `nil` for other topics.
    private static func fullTopic(_ topic: String) -> String? {
        for stream in Catalogue.entries.flatMap(\.streams) {
            if topic == Topic.head(stream) { return topic }
            if topic.hasPrefix(Topic.subscription(stream)) { return Topic.subscription(stream) }
        }
        return nil
    }
}
