/// The position up to which a subscriber has read a stream.
package struct StreamPosition: Sendable, Equatable, Hashable {
    package var epoch: String
    package var sequence: Int64
    /// The id of the event at `sequence`. It distinguishes the log from a restored backup, which has the same epoch.
    package var id: String?

    package init(epoch: String, sequence: Int64, id: String? = nil) {
        self.epoch = epoch
        self.sequence = sequence
        self.id = id
    }
}

/// An event that has no position in its stream yet.
package struct EventDraft: Sendable, Equatable {
    package var stream: String
    package var id: String
    package var type: String
    package var timeMs: Int64
    /// The subject of the event. In a snapshot, a later event replaces an earlier one of the same subject.
    package var subject: String
    package var schema: Int
    package var traceparent: String?
    package var cause: String?
    package var body: [UInt8]

    package init(
        stream: String,
        id: String,
        type: String,
        timeMs: Int64,
        subject: String,
        schema: Int = 1,
        traceparent: String? = nil,
        cause: String? = nil,
        body: [UInt8]
    ) {
        self.stream = stream
        self.id = id
        self.type = type
        self.timeMs = timeMs
        self.subject = subject
        self.schema = schema
        self.traceparent = traceparent
        self.cause = cause
        self.body = body
    }
}

/// An event with its position in a stream.
package struct StoredEvent: Sendable, Equatable {
    package var stream: String
    package var epoch: String
    package var sequence: Int64
    package var id: String
    package var type: String
    package var timeMs: Int64
    package var subject: String
    package var schema: Int
    package var traceparent: String?
    package var cause: String?
    package var body: [UInt8]

    package init(_ draft: EventDraft, epoch: String, sequence: Int64) {
        stream = draft.stream
        self.epoch = epoch
        self.sequence = sequence
        id = draft.id
        type = draft.type
        timeMs = draft.timeMs
        subject = draft.subject
        schema = draft.schema
        traceparent = draft.traceparent
        cause = draft.cause
        body = draft.body
    }

    /// The cursor of a subscriber that has applied this event.
    package var position: StreamPosition { StreamPosition(epoch: epoch, sequence: sequence, id: id) }

    /// The approximate number of bytes of the event in a reply.
    package var byteCount: Int { id.utf8.count + type.utf8.count + subject.utf8.count + body.count }
}

/// The newest event of a stream.
package struct StreamHead: Sendable, Equatable {
    package var stream: String
    package var epoch: String
    /// Zero if the stream has never had an event.
    package var sequence: Int64
    /// The id of the event at `sequence`.
    package var id: String?

    package init(stream: String, epoch: String, sequence: Int64, id: String?) {
        self.stream = stream
        self.epoch = epoch
        self.sequence = sequence
        self.id = id
    }

    package var position: StreamPosition { StreamPosition(epoch: epoch, sequence: sequence, id: id) }
}

/// The events that follow a position, without gaps.
package struct SincePage: Sendable, Equatable {
    package var events: [StoredEvent]
    package var head: StreamHead
    /// True if events remain between the last of these and the head.
    package var more: Bool

    package init(events: [StoredEvent], head: StreamHead, more: Bool) {
        self.events = events
        self.head = head
        self.more = more
    }
}

/// A page of a snapshot: the newest event of every subject, as of one position.
package struct SnapshotPage: Sendable, Equatable {
    package var events: [StoredEvent]
    /// The end of the snapshot. Pass it for the next page, and after the last page use it as the cursor for `since`.
    package var through: StreamPosition
    package var more: Bool

    package init(events: [StoredEvent], through: StreamPosition, more: Bool) {
        self.events = events
        self.through = through
        self.more = more
    }
}

/// A type of events whose content is also in table rows of the service. The log deletes old events, and a snapshot reads the rows
/// instead.
package struct DerivedEvents: Sendable {
    package struct Row: Sendable {
        package var row: Int64
        package var subject: String
        package var timeMs: Int64
        package var body: [UInt8]

        package init(row: Int64, subject: String, timeMs: Int64, body: [UInt8]) {
            self.row = row
            self.subject = subject
            self.timeMs = timeMs
            self.body = body
        }
    }

    package let stream: String
    package let type: String
    let schema: Int
    /// Reads the rows from one number through another.
    let read: @Sendable (Database, _ first: Int64, _ last: Int64) throws -> [Row]

    func event(_ row: Row, sequence: Int64, of head: StreamHead) -> StoredEvent {
        let draft = EventDraft(
            stream: stream,
            id: "retold-\(sequence)",
            type: type,
            timeMs: row.timeMs,
            subject: row.subject,
            schema: schema,
            body: row.body
        )
        return StoredEvent(draft, epoch: head.epoch, sequence: sequence)
    }

    package init(
        stream: String,
        type: String,
        schema: Int,
        read: @escaping @Sendable (Database, _ first: Int64, _ last: Int64) throws -> [Row]
    ) {
        self.stream = stream
        self.type = type
        self.schema = schema
        self.read = read
    }
}
