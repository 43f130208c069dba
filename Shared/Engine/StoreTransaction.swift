package import STContracts
package import STPlatform
package import STStore

/// What a change may do: write to the database and append events, all of which become durable together or not at all.
package final class StoreTransaction {
    package let database: Database
    package let now: TimeReading
    /// The id of the message that led here.
    package let cause: String?
    /// The step of the story during which this happens.
    package let trace: TraceContext
    private let log: EventLog
    private let source: String
    private(set) var published: [WireEvent] = []

    init(
        database: Database,
        log: EventLog,
        source: String,
        now: TimeReading,
        cause: String?,
        trace: TraceContext
    ) {
        self.database = database
        self.log = log
        self.source = source
        self.now = now
        self.cause = cause
        self.trace = trace
    }

    /// Appends an event; it is published once the transaction has been committed.
    ///
    /// A later event of the same subject supersedes this one in snapshots.
    @discardableResult
    package func emit<E: EventType>(_ event: E.Type, subject: String, _ body: E.Body) throws -> WireEvent {
        let bytes = try body.encodedBody()
        guard bytes.count <= BusLimits.eventBodyBytes else {
            throw Problem(
                "event.too_large",
                "The event \(E.type) is larger than \(BusLimits.eventBodyBytes) bytes."
            )
        }
        let draft = EventDraft(
            stream: E.stream.rawValue,
            id: Identifier.make(wallMs: now.wallMs),
            type: E.type,
            timeMs: now.wallMs,
            subject: subject,
            schema: Int(E.schemaVersion),
            traceparent: trace.next().traceparent,
            cause: cause,
            body: bytes
        )
        let previous = try log.head(E.stream.rawValue).id
        var event = WireEvent(try log.append(draft), source: source)
        event.header.previous = previous
        published.append(event)
        return event
    }
}
