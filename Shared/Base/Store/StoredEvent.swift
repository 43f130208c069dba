/// An event in its place.
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

    /// About what it takes in a reply.
    package var byteCount: Int { id.utf8.count + type.utf8.count + subject.utf8.count + body.count }
}
