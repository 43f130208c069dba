import STPlatform

/// The events of the services' streams that an account may receive.
///
/// An event about another person keeps its id and its sequence number, so that followers miss no event. Its type, subject and body
/// are removed.
package enum DoorEvents {
    /// The path of the member's name in the body of each event type. `nil` if the whole household may receive the event.
    static let places: [String: [String]?] = [
        MemberAdded.type: nil, MemberRemoved.type: nil, DeviceRegistered.type: nil,
        AuthorizationChanged.type: ["member"], AuthQuestionChanged.type: ["member"],
        AuthorizationNoticed.type: nil, TokensRekeyed.type: nil, AppInstalled.type: nil,
        AppRemoved.type: nil,
        SegmentOpened.type: ["member"], SegmentClosed.type: ["member"], SegmentRedacted.type: nil,
        UsageForgotten.type: ["member"], UsageNotified.type: ["member"], DeviceImported.type: nil,
        IntervalStarted.type: ["member"], IntervalEnded.type: ["member"],
        IntervalWillStart.type: ["member"], IntervalWillEnd.type: ["member"],
        ThresholdReached.type: ["member"], ThresholdReturned.type: ["member"],
        ThresholdWarning.type: ["member"], MonitoringStarted.type: ["activity", "member"],
        MonitoringStopped.type: ["member"], EvidenceForgotten.type: ["member"], SubjectKnown.type: nil,
        DomainListKnown.type: nil,
        RuleDecided.type: ["member"], RuleAllowed.type: ["member"],
        PolicyStoreChanged.type: ["member"], PolicyAllowedChanged.type: ["member"],
        PolicyGrantChanged.type: ["request", "member"],
        ShieldShown.type: ["member"], ShieldRedacted.type: nil, RequestChanged.type: ["request", "member"],
        NotificationPosted.type: ["member"], NotificationChanged.type: ["member"],
    ]

    /// Returns true if the account may follow the stream. Only guardians may follow the callbacks of apps and the histories of the
    /// services.
    package static func isOpen(_ stream: StreamName, to person: DoorPerson) -> Bool {
        person.seesAll
            || [.authorization, .usage, .activity, .policy, .shield, .notification].contains(stream)
    }

    /// Returns true if the account may receive this topic: a stream, the head of a stream, or the reply to its own subscription.
    package static func isOpen(topic: String, to person: DoorPerson) -> Bool {
        guard Topic.isValid(topic) else { return false }
        if topic.hasPrefix(Topic.syncPrefix) { return true }
        return Catalogue.entries.flatMap(\.streams).contains { stream in
            // Compare with the dot, because a shorter prefix would also match other streams.
            isOpen(stream, to: person)
                && (topic == Topic.head(stream) || topic.hasPrefix(Topic.subscription(stream)))
        }
    }

    package static func filtered(_ event: WireEvent, to person: DoorPerson) -> WireEvent {
        guard !person.seesAll else { return event }
        let place = places[event.header.type]
        switch place {
        case .some(nil): return event
        case .some(let path?):
            let body = try? JSONValue(text: event.body)
            let member = path.reduce(body) { $0?[$1] }?.string
            return member == person.member ? event : redacted(event)
        // An event type of a later version.
        case nil: return redacted(event)
        }
    }

    package static func filtered(_ page: EventPage, to person: DoorPerson) -> EventPage {
        var page = page
        page.events = page.events.map { filtered($0, to: person) }
        return page
    }

    private static func redacted(_ event: WireEvent) -> WireEvent {
        var header = event.header
        header.type = "\(header.stream.rawValue).hidden"
        header.subject = ""
        header.cause = nil
        header.traceparent = nil
        return WireEvent(header: header, body: Array("{}".utf8))
    }
}
