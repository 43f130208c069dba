package import STContracts

/// The topics that a door subscribes to at a service, for the programs of its account.
///
/// The subscriptions of one program must not block events for another program, for example desktop-agent. The door subscribes to
/// whole streams, and its own socket filters events for each program. It keeps at most `markersMax` markers and removes the
/// oldest first.
package struct DoorTopics: Sendable {
    package enum Change: Equatable, Sendable {
        case subscribe(String)
        case unsubscribe(String)
    }

    /// A service normally replies to a marker within milliseconds.
    package static let markersMax = 1_000

    /// The account's person. `nil` while the door does not know one.
    private var person: DoorPerson?
    /// The streams and heads that programs have requested.
    private var wanted: Set<String> = []
    private var followed: Set<String> = []
    private var markers: [String] = []

    package init() {}

    /// Without a person, the door forwards no events. It subscribes to the markers again when it has a person.
    package mutating func begin(_ person: DoorPerson?) -> [Change] {
        guard let person else {
            defer { self.person = nil }
            return self.person == nil ? [] : markers.map { .unsubscribe($0) }
        }
        let waiting = self.person == nil ? markers : []
        self.person = person
        return follow() + waiting.map { .subscribe($0) }
    }

    package mutating func subscribed(_ topic: String) -> [Change] {
        guard Topic.isValid(topic) else { return [] }
        guard topic.hasPrefix(Topic.syncPrefix) else {
            guard let whole = Self.whole(topic) else { return [] }
            if wanted.insert(whole).inserted { return follow() }
            // The service publishes the head at each subscription.
            let isHead = topic.hasPrefix(Topic.headPrefix) && followed.contains(topic)
            return isHead ? [.subscribe(topic), .unsubscribe(topic)] : []
        }
        markers.append(topic)
        var changes: [Change] = person == nil ? [] : [.subscribe(topic)]
        if markers.count > Self.markersMax {
            let oldest = markers.removeFirst()
            if person != nil { changes.append(.unsubscribe(oldest)) }
        }
        return changes
    }

    /// Removes a marker. Stream subscriptions remain, because other programs may need them and there are few streams.
    package mutating func unsubscribed(_ topic: String) -> [Change] {
        guard let index = markers.firstIndex(of: topic) else { return [] }
        markers.remove(at: index)
        return person == nil ? [] : [.unsubscribe(topic)]
    }

    /// Returns an event without the parts that the account's programs may not receive. Returns `nil` if they may not receive the
    /// event.
    package func shown(_ frames: [[UInt8]]) -> (topic: String, header: [UInt8], body: [UInt8])? {
        guard let person, frames.count == 3 else { return nil }
        guard frames[0].first != UInt8(ascii: "~") else {
            return (String(decoding: frames[0], as: UTF8.self), frames[1], frames[2])
        }
        guard let event = WireEvent(frames: frames), DoorEvents.isOpen(event.header.stream, to: person) else {
            return nil
        }
        let shown = DoorEvents.shown(event, to: person)
        return (shown.header.type, shown.header.encoded(), shown.body)
    }

    private mutating func follow() -> [Change] {
        guard let person else { return [] }
        let new = wanted.filter { !followed.contains($0) && DoorEvents.isOpen(topic: $0, to: person) }
            .sorted()
        followed.formUnion(new)
        return new.map { .subscribe($0) }
    }

    /// Returns the subscription topic of the whole stream, or `topic` itself if it is a head. Returns `nil` for other topics.
    private static func whole(_ topic: String) -> String? {
        for stream in Catalogue.entries.flatMap(\.streams) {
            if topic == Topic.head(stream) { return topic }
            if topic.hasPrefix(Topic.subscription(stream)) { return Topic.subscription(stream) }
        }
        return nil
    }
}
