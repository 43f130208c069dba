import STPlatform

/// Returns the events that a subscriber missed.
package enum EventsSince: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var stream: String
        /// The subscriber's position. If `epoch`, `sequence` and `id` are absent, the page starts at the beginning.
        ///
        /// The id is that of the event at `sequence`. A restored backup keeps its epoch, so only the id reveals it.
        package var epoch: String?
        package var sequence: Int64?
        package var id: String?
        package var limit: Int64?

        package init(
            stream: String,
            epoch: String? = nil,
            sequence: Int64? = nil,
            id: String? = nil,
            limit: Int64? = nil
        ) {
            self.stream = stream
            self.epoch = epoch
            self.sequence = sequence
            self.id = id
            self.limit = limit
        }
    }

    package typealias Reply = EventPage

    package static let name = "events.since"
    package static let kind = RouteKind.query
    package static let summary = "The events of a stream after a position, oldest first, a page at a time."
}

/// Returns the newest event of every subject, for a subscriber that is new or too far behind.
package enum EventsSnapshot: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var stream: String
        /// The `next` of the previous reply. Absent on the first page.
        package var next: String?
        package var limit: Int64?

        package init(stream: String, next: String? = nil, limit: Int64? = nil) {
            self.stream = stream
            self.next = next
            self.limit = limit
        }
    }

    package typealias Reply = EventPage

    package static let name = "events.snapshot"
    package static let kind = RouteKind.query
    package static let summary = "The newest event of every subject up to one pinned head, a page at a time."
}

/// A page of events.
///
/// Encoded and decoded by hand, because the bodies in it are passed on as bytes.
package struct EventPage: WireBody, Equatable {
    package var head: StreamPoint
    package var events: [WireEvent]
    /// The value for the next request. `nil` on the last page.
    package var next: String?

    package init(head: StreamPoint, events: [WireEvent], next: String?) {
        self.head = head
        self.events = events
        self.next = next
    }

    package func encodedBody() throws -> [UInt8] {
        var list: [UInt8] = [UInt8(ascii: "[")]
        for (index, event) in events.enumerated() {
            if index > 0 { list.append(UInt8(ascii: ",")) }
            list.append(contentsOf: Array("{\"header\":".utf8))
            list.append(contentsOf: event.header.encoded())
            list.append(contentsOf: Array(",\"body\":".utf8))
            list.append(contentsOf: event.body)
            list.append(UInt8(ascii: "}"))
        }
        list.append(UInt8(ascii: "]"))
        var writer = JSONWriter(capacity: list.count + 256)
        writer.raw("head", head.encoded())
        writer.raw("events", list)
        writer.field("next", next)
        return writer.finish()
    }

    package static func decodedBody(_ bytes: [UInt8]) throws -> EventPage {
        var head: StreamPoint?
        var events: [WireEvent] = []
        var next: String?
        try JSONText.object(bytes) { key, cursor in
            if cursor.isKey(key, "head") {
                head = try StreamPoint.read(&cursor)
            } else if cursor.isKey(key, "events") {
                try cursor.array { events.append(try readEvent(&$0, like: events.last?.header)) }
            } else if cursor.isKey(key, "next") {
                next = try cursor.stringIfPresent()
            } else {
                try cursor.skipValue()
            }
        }
        guard let head else {
            throw Problem(
                "body.field_missing",
                "The page of events has no `head`.",
                key: "body.field_missing.the-page-has",
                field: "/head"
            )
        }
        return EventPage(head: head, events: events, next: next)
    }

    private static func readEvent(_ cursor: inout JSONCursor, like last: EventHeader?) throws -> WireEvent {
        var header: EventHeader?
        var body: [UInt8] = Array("{}".utf8)
        try cursor.object { key, cursor in
            if cursor.isKey(key, "header") {
                header = try EventHeader.read(&cursor, like: last)
            } else if cursor.isKey(key, "body") {
                body = cursor.bytes(try cursor.skipValue())
            } else {
                try cursor.skipValue()
            }
        }
        guard let header else {
            throw Problem(
                "body.invalid",
                "An event in this page of results has no readable header.",
                key: "body.invalid.an-event-of"
            )
        }
        return WireEvent(header: header, body: body)
    }

    package static var schema: JSONValue {
        [
            "type": "object",
            "properties": [
                "head": StreamPoint.schema,
                "events": [
                    "type": "array",
                    "items": [
                        "type": "object",
                        "properties": ["header": ["type": "object"], "body": ["type": "object"]],
                        "required": ["header", "body"],
                    ],
                ],
                "next": ["type": "string"],
            ],
            "required": ["head", "events"],
        ]
    }
}

/// A position in a stream: the head of a publisher, or the position of a subscriber.
package struct StreamPoint: WireBody, Codable, Equatable, Hashable {
    package var stream: String
    package var epoch: String
    package var sequence: Int64
    /// The id of the event at `sequence`. `nil` only before the first event.
    package var id: String?

    package init(stream: String, epoch: String, sequence: Int64, id: String?) {
        self.stream = stream
        self.epoch = epoch
        self.sequence = sequence
        self.id = id
    }

    package func encoded() -> [UInt8] {
        var writer = JSONWriter(capacity: 128)
        writer.field("stream", stream)
        writer.field("epoch", epoch)
        writer.field("sequence", sequence)
        writer.field("id", id)
        return writer.finish()
    }

    package static func read(_ bytes: [UInt8]) -> StreamPoint? {
        try? bytes.withUnsafeBufferPointer { buffer in
            var cursor = JSONCursor(buffer, depthLimit: BusLimits.depth)
            return try read(&cursor)
        }
    }

    static func read(_ cursor: inout JSONCursor) throws -> StreamPoint? {
        var stream: String?
        var epoch: String?
        var sequence: Int64?
        var id: String?
        try cursor.object { key, cursor in
            if cursor.isKey(key, "stream") {
                stream = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "epoch") {
                epoch = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "sequence") {
                sequence = try cursor.integerIfPresent()
            } else if cursor.isKey(key, "id") {
                id = try cursor.stringIfPresent()
            } else {
                try cursor.skipValue()
            }
        }
        guard let stream, let epoch, let sequence else { return nil }
        return StreamPoint(stream: stream, epoch: epoch, sequence: sequence, id: id)
    }
}
