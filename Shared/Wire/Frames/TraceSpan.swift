/// One step of a story: written only while somebody listens to `~trace.`.
package struct TraceSpan: WireBody, Codable, Equatable {
    package enum Kind: String, WireEnum {
        /// A request leaves; a request is answered; events and state become durable; an event goes out; a subscriber
        /// has applied an event; something was thrown away, and `outcome` says why.
        case send, handle, commit, publish, apply, drop, unknown
    }

    package var service: String
    package var kind: Kind
    /// The route or the event type.
    package var name: String
    package var messageId: String
    package var cause: String?
    package var traceId: String
    package var spanId: String
    package var parentId: String?
    /// Real boot time, the same clock in every process of the machine.
    package var startUs: Int64
    package var durationUs: Int64
    package var principal: String?
    package var bytes: Int64
    /// `ok`, or the code of the problem, or `duplicate`, `gap`, `retry`, `expired`.
    package var outcome: String

    package init(
        service: String,
        kind: Kind,
        name: String,
        messageId: String,
        cause: String? = nil,
        trace: TraceContext,
        parentId: String?,
        startUs: Int64,
        durationUs: Int64,
        principal: String? = nil,
        bytes: Int64 = 0,
        outcome: String = "ok"
    ) {
        self.service = service
        self.kind = kind
        self.name = name
        self.messageId = messageId
        self.cause = cause
        traceId = trace.traceID
        spanId = trace.spanID
        self.parentId = parentId
        self.startUs = startUs
        self.durationUs = durationUs
        self.principal = principal
        self.bytes = bytes
        self.outcome = outcome
    }

    package func encodedBody() throws -> [UInt8] {
        var writer = JSONWriter(capacity: 384)
        writer.field("service", service)
        writer.field("kind", kind.rawValue)
        writer.field("name", name)
        writer.field("message_id", messageId)
        writer.field("cause", cause)
        writer.field("trace_id", traceId)
        writer.field("span_id", spanId)
        writer.field("parent_id", parentId)
        writer.field("start_us", startUs)
        writer.field("duration_us", durationUs)
        writer.field("principal", principal)
        writer.field("bytes", bytes)
        writer.field("outcome", outcome)
        return writer.finish()
    }
}
