import STPlatform

/// W3C Trace Context: the trace that a message belongs to, and the span that caused the message.
package struct TraceContext: Sendable, Equatable {
    package var traceID: String
    package var spanID: String

    package init(traceID: String, spanID: String) {
        self.traceID = traceID
        self.spanID = spanID
    }

    /// Parses a header. Fails unless it is a valid version 00 header. The receiver of an invalid one starts a new trace and does
    /// not reject the message.
    package init?(traceparent: String?) {
        guard let traceparent, traceparent.utf8.count == 55 else { return nil }
        let bytes = Array(traceparent.utf8)
        guard bytes[2] == 0x2D, bytes[35] == 0x2D, bytes[52] == 0x2D, bytes[0] == 0x30, bytes[1] == 0x30
        else {
            return nil
        }
        let trace = bytes[3..<35]
        let span = bytes[36..<52]
        guard trace.allSatisfy(Self.isHex), span.allSatisfy(Self.isHex),
            trace.contains(where: { $0 != 0x30 }),
            span.contains(where: { $0 != 0x30 })
        else { return nil }
        traceID = String(decoding: trace, as: UTF8.self)
        spanID = String(decoding: span, as: UTF8.self)
    }

    /// A placeholder for messages that are not traced.
    package static let empty = TraceContext(traceID: "", spanID: "")

    package static func fresh() -> TraceContext {
        TraceContext(traceID: TraceIdentifiers.trace(), spanID: TraceIdentifiers.span())
    }

    /// The context of the next span in the same trace.
    package func next() -> TraceContext {
        TraceContext(traceID: traceID, spanID: TraceIdentifiers.span())
    }

    package var traceparent: String {
        var text = "00-"
        text.reserveCapacity(55)
        text += traceID
        text += "-"
        text += spanID
        text += "-01"
        return text
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66)
    }
}

/// One span of a trace. Services publish spans only while a subscriber listens to `~trace.`.
package struct TraceSpan: WireBody, Codable, Equatable {
    package enum Kind: String, WireEnum {
        /// The step of a span:
        /// - `send`: a request is sent.
        /// - `handle`: a request is answered.
        /// - `commit`: events and state become durable.
        /// - `publish`: an event is sent.
        /// - `apply`: a subscriber has applied an event.
        /// - `drop`: a message was discarded, for the reason in `outcome`.
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
    /// `ok`, the code of the problem, or `duplicate`, `gap`, `retry` or `expired`.
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
