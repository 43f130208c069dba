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

    /// What it takes in a reply, rather too much than too little: a page that is too large can never be read, and its
    /// subscriber would stand still for ever.
    package var byteCount: Int {
        Self.fixedBytes + id.utf8.count + 2 * type.utf8.count + stream.utf8.count + epoch.utf8.count
            + Self.escapedCount(subject) + (traceparent?.utf8.count ?? 0) + (cause?.utf8.count ?? 0) + body.count
    }

    /// The names of all attributes, the time, the padded sequence, and a source as long as host names get.
    private static let fixedBytes = 480

    private static func escapedCount(_ text: String) -> Int {
        text.utf8.reduce(0) { $0 + ($1 < 0x20 ? 6 : $1 == 0x22 || $1 == 0x5C ? 2 : 1) }
    }
}
