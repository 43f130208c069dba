/// How far a subscriber has read a stream.
package struct StreamPosition: Sendable, Equatable, Hashable {
    package var epoch: String
    package var sequence: Int64
    /// The id of the event at `sequence`; it distinguishes a restored backup, which keeps its epoch, from the log before.
    package var id: String?

    package init(epoch: String, sequence: Int64, id: String? = nil) {
        self.epoch = epoch
        self.sequence = sequence
        self.id = id
    }
}

/// An event that has no place in its stream yet.
package struct EventDraft: Sendable, Equatable {
    package var stream: String
    package var id: String
    package var type: String
    package var timeMs: Int64
    /// What the event is about: in a snapshot a later event replaces an earlier one of the same subject.
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

/// An event in its place in a stream.
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

    /// About how many bytes it takes in a reply.
    package var byteCount: Int { id.utf8.count + type.utf8.count + subject.utf8.count + body.count }
}

/// The newest event of a stream.
package struct StreamHead: Sendable, Equatable {
    package var stream: String
    package var epoch: String
    /// Zero when nothing was ever appended.
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
    /// Whether events remain between the last of these and the head.
    package var more: Bool

    package init(events: [StoredEvent], head: StreamHead, more: Bool) {
        self.events = events
        self.head = head
        self.more = more
    }
}

/// A part of the newest event of every subject, as of one position.
package struct SnapshotPage: Sendable, Equatable {
    package var events: [StoredEvent]
    /// Where the snapshot ends: the value for the next page, and the cursor for `since` after the last one.
    package var through: StreamPosition
    package var more: Bool

    package init(events: [StoredEvent], through: StreamPosition, more: Bool) {
        self.events = events
        self.through = through
        self.more = more
    }
}

/// Events of one type whose words stand in rows of their service: the log deletes old ones, and a snapshot reads the rows.
package struct RetoldEvents: Sendable {
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
    /// The rows from one number through another.
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
