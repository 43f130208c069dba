import STPlatform

/// The second frame of an event: CloudEvents 1.0 attributes, and the position of the event in its stream.
package struct EventHeader: Sendable, Equatable {
    static let typePrefixText: StaticString = "dev.screentime."
    package static let typePrefix = "dev.screentime."
    package static let schemaPrefix = "urn:screentime:schema/"

    package var id: String
    /// The origin of the event: `/<device>/<service>`.
    package var source: String
    /// The type without the prefix `dev.screentime.`, such as `usage.segment.closed`. It is also the topic.
    package var type: String
    package var timeMs: Int64
    package var subject: String
    package var schema: Int64
    package var stream: StreamName
    package var epoch: String
    package var sequence: Int64
    /// The id of the previous event in the stream. Only live messages have it. A restored backup keeps its epoch, so the next
    /// sequence may follow a different event from the one that a subscriber has applied.
    package var previous: String?
    package var traceparent: String?
    package var cause: String?

    package init(
        id: String,
        source: String,
        type: String,
        timeMs: Int64,
        subject: String,
        schema: Int64,
        stream: StreamName,
        epoch: String,
        sequence: Int64,
        previous: String? = nil,
        traceparent: String?,
        cause: String?
    ) {
        self.id = id
        self.source = source
        self.type = type
        self.timeMs = timeMs
        self.subject = subject
        self.schema = schema
        self.stream = stream
        self.epoch = epoch
        self.sequence = sequence
        self.previous = previous
        self.traceparent = traceparent
        self.cause = cause
    }

    /// The estimated size of `encoded`. It is too low only if a text needs escapes.
    package var encodedBytes: Int {
        let texts = [id, source, type, type, subject, stream.rawValue, epoch]
        let optional = [previous, traceparent, cause].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
        return texts.reduce(360 + optional) { $0 + $1.utf8.count }
    }

    package func encoded() -> [UInt8] {
        var writer = JSONWriter(capacity: 512)
        writer.field("specversion", "1.0")
        writer.field("id", id)
        writer.field("source", source)
        writer.field("type", Self.typePrefix + type)
        writer.field("time", RFC3339.text(wallMs: timeMs))
        writer.field("subject", subject)
        writer.field("datacontenttype", "application/json")
        var dataschema = Self.schemaPrefix
        dataschema += type
        dataschema += "/"
        dataschema += String(schema)
        writer.field("dataschema", dataschema)
        writer.field("stream", stream.rawValue)
        writer.field("epoch", epoch)
        writer.field("sequence", Self.padded(sequence))
        writer.field("previous", previous)
        writer.field("traceparent", traceparent)
        writer.field("cause", cause)
        return writer.finish()
    }

    /// Parses a header. Returns `nil` if the bytes are not a Screen Time event header.
    ///
    /// `like` is the previous header in the stream. Texts that are the same in both are shared instead of copied.
    package static func read(_ bytes: [UInt8], like last: EventHeader? = nil) -> EventHeader? {
        try? bytes.withUnsafeBufferPointer { buffer in
            var cursor = JSONCursor(buffer, depthLimit: BusLimits.depth)
            return try read(&cursor, like: last)
        }
    }

    static func read(_ cursor: inout JSONCursor, like last: EventHeader? = nil) throws -> EventHeader? {
        var found = Fields(last: last)
        try cursor.object { key, cursor in try found.readField(key, &cursor) }
        return found.header
    }

    /// The sequence in twenty digits, because CloudEvents requires a sequence that sorts as text.
    private static func padded(_ sequence: Int64) -> String {
        let digits = String(sequence)
        return String(repeating: "0", count: max(0, 20 - digits.utf8.count)) + digits
    }

    /// The fields of a header. Every subscriber reads them for every event. Therefore numbers are parsed directly, and only texts
    /// that are kept become strings.
    private struct Fields {
        let last: EventHeader?
        var id, source, type, subject, stream, epoch, previous, traceparent, cause: String?
        var timeMs: Int64?
        var schema: Int64 = 1
        var sequence: Int64?

        init(last: EventHeader?) { self.last = last }

        mutating func readField(_ key: Range<Int>, _ cursor: inout JSONCursor) throws {
            if cursor.isKey(key, "id") {
                id = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "source") {
                source = try cursor.stringIfPresent(or: last?.source)
            } else if cursor.isKey(key, "type") {
                type = try cursor.stringIfPresent(after: EventHeader.typePrefixText, or: last?.type)
            } else if cursor.isKey(key, "time") {
                timeMs = try cursor.stringIfPresent().flatMap { RFC3339.wallMs($0) }
            } else if cursor.isKey(key, "subject") {
                subject = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "dataschema") {
                schema = try cursor.trailingNumberIfPresent() ?? 1
            } else if cursor.isKey(key, "stream") {
                stream = try cursor.stringIfPresent(or: last?.stream.rawValue)
            } else if cursor.isKey(key, "epoch") {
                epoch = try cursor.stringIfPresent(or: last?.epoch)
            } else if cursor.isKey(key, "sequence") {
                sequence = try cursor.trailingNumberIfPresent()
            } else if cursor.isKey(key, "previous") {
                previous = try cursor.stringIfPresent(or: last?.id)
            } else if cursor.isKey(key, "traceparent") {
                traceparent = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "cause") {
                cause = try cursor.stringIfPresent(or: last?.cause)
            } else {
                try cursor.skipValue()
            }
        }

        var header: EventHeader? {
            guard let id, let type, let stream, let epoch, let sequence, let timeMs else { return nil }
            return EventHeader(
                id: id,
                source: source ?? "",
                type: type,
                timeMs: timeMs,
                subject: subject ?? "",
                schema: schema,
                stream: StreamName(stream),
                epoch: epoch,
                sequence: sequence,
                previous: previous,
                traceparent: traceparent,
                cause: cause
            )
        }
    }
}

/// An event message: a header, and a body of JSON bytes that intermediate services do not parse.
///
/// A message has three frames: the topic, the encoded header and the body. A service publishes it after the commit that stores the
/// event. The same values are the elements of an `EventPage`, for subscribers that missed messages.
///
/// ```swift
/// guard let event = WireEvent(frames: frames) else { return }
/// if event.header.type == UsageNotified.type {
///     let body = try event.decoded(UsageNotified.self)
///     notifications[body.app, default: 0] += body.count
/// }
/// ```
package struct WireEvent: Sendable, Equatable {
    package var header: EventHeader
    package var body: [UInt8]

    package init(header: EventHeader, body: [UInt8]) {
        self.header = header
        self.body = body
    }

    package var frames: [[UInt8]] { [Array(header.type.utf8), header.encoded(), body] }

    /// Parses the frames of a message. Fails if they are not an event.
    package init?(frames: [[UInt8]], like last: EventHeader? = nil) {
        guard frames.count == 3, let header = EventHeader.read(frames[1], like: last) else { return nil }
        self.init(header: header, body: frames[2])
    }

    package func decoded<E: EventType>(_ event: E.Type) throws -> E.Body { try E.Body.decodedBody(body) }
}
