/// An event before it has its place in a stream.
package struct EventDraft: Sendable, Equatable {
    package var stream: String
    package var id: String
    package var type: String
    package var timeMs: Int64
    /// What the event is about.
    ///
    /// In a snapshot a later event takes the place of an earlier one of the same subject.
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
