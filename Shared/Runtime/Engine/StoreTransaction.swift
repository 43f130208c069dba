package import STContracts
package import STPlatform
package import STStore

/// The transaction of a change. It writes to the database and appends events, which become durable together or not at all.
package final class StoreTransaction {
    package let database: Database
    package let now: TimeReading
    /// Identifies the current boot of the machine.
    package let bootID: String
    /// The id of the message that caused the change.
    package private(set) var cause: String?
    private let log: EventLog
    private let service: ServiceName
    private let source: String
    private(set) var published: [WireEvent] = []
    /// The trace of the cause, and the span of this change once it is needed. Most events cause no further message, so no random
    /// numbers are drawn for them.
    private var traceparent: String?
    private var ownTrace: TraceContext?
    private var heads: [String: StreamHead] = [:]
    /// True if deleted data must also be removed from the file after the commit.
    private(set) var needsScrub = false

    init(
        database: Database,
        log: EventLog,
        service: ServiceName,
        source: String,
        now: TimeReading,
        bootID: String,
        cause: String?,
        trace: TraceContext?
    ) {
        self.database = database
        self.log = log
        self.service = service
        self.source = source
        self.now = now
        self.bootID = bootID
        self.cause = cause
        ownTrace = trace
    }

    /// The span of this change in its trace.
    package var trace: TraceContext {
        if let ownTrace { return ownTrace }
        let made = TraceContext(traceparent: traceparent)?.next() ?? .fresh()
        ownTrace = made
        return made
    }

    /// Makes another event the cause of the following changes.
    func beginEvent(to event: WireEvent) {
        cause = event.header.id
        traceparent = event.header.traceparent
        ownTrace = nil
    }

    /// A point in this change to which it can go back.
    struct Checkpoint {
        fileprivate var heads: [String: StreamHead]
        fileprivate var published: Int
    }

    var checkpoint: Checkpoint { Checkpoint(heads: heads, published: published.count) }

    /// Discards the events emitted since. Their rows must have been rolled back.
    func rollBack(to place: Checkpoint) {
        heads = place.heads
        published.removeLast(published.count - place.published)
    }

    /// Saves the heads of the streams. Otherwise, sequence numbers would be used again.
    func finish() throws {
        for head in heads.values { try log.save(head) }
    }

    /// Empties the events of these subjects, which keep their positions, and makes every follower rebuild. Returns the number of
    /// events.
    ///
    /// The file is scrubbed after the commit.
    package func redact<E: EventType>(_ subjects: [String], of stream: StreamName, as event: E.Type) throws
        -> Int
    {
        let name = stream.rawValue
        // Events that this change has already emitted keep their numbers.
        if let head = heads.removeValue(forKey: name) { try log.save(head) }
        var count = 0
        for subject in subjects {
            count += try log.redact(name, subject: subject, as: E.type, timeMs: now.wallMs)
        }
        try log.renew(name)
        try scrubAfterCommit()
        return count
    }

    /// Changes the bodies of events of some types in place. Subscribers that already have the events are not notified.
    package func rewrite(
        _ stream: StreamName,
        types: [String],
        _ change: ([UInt8]) throws -> [UInt8]?
    ) throws {
        if try log.rewrite(stream.rawValue, types: types, change) > 0 { try scrubAfterCommit() }
    }

    /// Deletes the stored replies to these routes. A repeated request is then carried out again.
    package func discardReplies(to routes: [String]) throws {
        for route in routes { try IdempotencyTable(database).forget(route: route) }
    }

    /// Rewrites the file after the commit, so that it no longer contains deleted data.
    package func scrubAfterCommit() throws {
        // Saved in the file, so that the next start repeats an interrupted scrub.
        try MetaTable(database).set(Self.scrubMark, "wanted")
        needsScrub = true
    }

    static let scrubMark = "scrub"

    /// Appends an event. It is published once the transaction has been committed.
    ///
    /// In snapshots, a later event of the same subject replaces this one. `row` is the row with the same content, for a type that
    /// rows can replace.
    @discardableResult
    package func emit<E: EventType>(_ event: E.Type, subject: String, row: Int64? = nil, _ body: E.Body)
        throws
        -> WireEvent
    {
        let kind = (stream: E.stream, type: E.type, version: E.schemaVersion)
        return try emit(kind, subject: subject, row: row, try body.encodedBody())
    }

    /// Adds a line to the history, with the present time.
    package func recordHistory(_ line: HistoryLine) throws { try emitHistory(stamped(line)) }

    /// Publishes a line on the service's own history stream.
    package func emitHistory(_ line: HistoryLine) throws {
        let event = EventInfo(historyOf: service)
        let kind = (stream: event.stream, type: event.type, version: event.schemaVersion)
        // Each line has its own subject, so that no later line replaces it.
        try emit(kind, subject: Identifier.make(wallMs: now.wallMs), row: nil, try line.encodedBody())
    }

    /// Returns the line with this service and the present time, and with texts of limited size.
    package func stamped(_ line: HistoryLine) -> HistoryLine {
        var line = line
        line.service = service.rawValue
        line.about = line.about.map { TextFormat.truncated($0, bytes: HistoryLine.textBytesMax) }
        for path in [\HistoryLine.before, \.after, \.why] {
            guard let text = line[keyPath: path]?.english, text.utf8.count > HistoryLine.textBytesMax else {
                continue
            }
            line[keyPath: path] = Message(
                verbatim: TextFormat.truncated(text, bytes: HistoryLine.textBytesMax)
            )
        }
        line.wallMs = now.wallMs
        line.bootMs = now.bootMs
        return line
    }

    @discardableResult
    private func emit(
        _ kind: (stream: StreamName, type: String, version: Int64),
        subject: String,
        row: Int64?,
        _ bytes: [UInt8]
    ) throws -> WireEvent {
        guard bytes.count <= BusLimits.eventBodyBytes else {
            throw Problem(
                "event.too_large",
                "The event \(kind.type, "type") is larger than \(BusLimits.eventBodyBytes, "eventBodyBytes") bytes."
            )
        }
        let draft = EventDraft(
            stream: kind.stream.rawValue,
            id: Identifier.make(wallMs: now.wallMs),
            type: kind.type,
            timeMs: now.wallMs,
            subject: subject,
            schema: Int(kind.version),
            traceparent: trace.next().traceparent,
            cause: cause,
            body: bytes
        )
        var head = try heads[draft.stream] ?? log.head(draft.stream)
        let previous = head.id
        var event = WireEvent(try log.append(draft, to: &head), source: source)
        heads[draft.stream] = head
        if let row { try log.recordDerived(draft.type, head.sequence, says: row) }
        event.header.previous = previous
        published.append(event)
        return event
    }
}

extension WireEvent {
    /// Creates the event of a stored row.
    package init(_ stored: StoredEvent, source: String) {
        self.init(
            header: EventHeader(
                id: stored.id,
                source: source,
                type: stored.type,
                timeMs: stored.timeMs,
                subject: stored.subject,
                schema: Int64(stored.schema),
                stream: StreamName(stored.stream),
                epoch: stored.epoch,
                sequence: stored.sequence,
                traceparent: stored.traceparent,
                cause: stored.cause
            ),
            body: stored.body
        )
    }
}

extension StreamPoint {
    package init(_ head: StreamHead) {
        self.init(stream: head.stream, epoch: head.epoch, sequence: head.sequence, id: head.id)
    }
}

/// Places in production code at which a test can make the process fail, as a power cut would.
package struct FaultPoints: Sendable {
    package enum Point: String, Sendable, CaseIterable {
        case beforeCommit = "before_commit"
        case afterCommit = "after_commit"
    }

    private let action: @Sendable (Point) -> Void

    package init(_ action: @escaping @Sendable (Point) -> Void) { self.action = action }

    package static let none = FaultPoints { _ in }

    @inline(__always)
    package func hit(_ point: Point) { action(point) }
}
