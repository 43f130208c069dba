package import STContracts
package import STPlatform
package import STStore

/// What a change may do: write to the database and append events, all of which become durable together or not at all.
package final class StoreTransaction {
    package let database: Database
    package let now: TimeReading
    /// Identifies the current boot of the machine.
    package let bootID: String
    /// The id of the message that led here.
    package private(set) var cause: String?
    private let log: EventLog
    private let service: ServiceName
    private let source: String
    private(set) var published: [WireEvent] = []
    /// The step that led here, and this one once it is asked for: most events lead to no further message, and none
    /// of those needs random numbers drawn for it.
    private var traceparent: String?
    private var ownTrace: TraceContext?
    private var heads: [String: StreamHead] = [:]
    /// What was deleted must be gone from the file as well, once this is committed.
    private(set) var wantsScrub = false

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

    /// The step of the story during which this happens.
    package var trace: TraceContext {
        if let ownTrace { return ownTrace }
        let made = TraceContext(traceparent: traceparent)?.next() ?? .fresh()
        ownTrace = made
        return made
    }

    /// From here on another event is what led to what happens.
    func turn(to event: WireEvent) {
        cause = event.header.id
        traceparent = event.header.traceparent
        ownTrace = nil
    }

    /// How far this change has come, to go back to.
    struct Place {
        fileprivate var heads: [String: StreamHead]
        fileprivate var published: Int
    }

    var place: Place { Place(heads: heads, published: published.count) }

    /// Forgets what was emitted since; its rows must have been rolled back.
    func goBack(to place: Place) {
        heads = place.heads
        published.removeLast(published.count - place.published)
    }

    /// Writes down how far the streams have come; without it the numbers would be given again.
    func finish() throws {
        for head in heads.values { try log.save(head) }
    }

    /// Empties the events of these subjects, which keep their places, and makes every follower rebuild; returns how
    /// many events there were.
    ///
    /// The file is scrubbed after the commit.
    package func redact<E: EventType>(_ subjects: [String], of stream: StreamName, as event: E.Type) throws
        -> Int
    {
        let name = stream.rawValue
        // What this change has told already keeps its number.
        if let head = heads.removeValue(forKey: name) { try log.save(head) }
        var count = 0
        for subject in subjects {
            count += try log.redact(name, subject: subject, as: E.type, timeMs: now.wallMs)
        }
        try log.renew(name)
        try scrubAfterCommit()
        return count
    }

    /// Changes what events of some types say, each in its place; subscribers that have them already do not hear of it.
    package func rewrite(
        _ stream: StreamName,
        types: [String],
        _ change: ([UInt8]) throws -> [UInt8]?
    ) throws {
        if try log.rewrite(stream.rawValue, types: types, change) > 0 { try scrubAfterCommit() }
    }

    /// Forgets what was answered to requests that may be sent twice: a repeat is done anew.
    package func forgetReplies(to routes: [String]) throws {
        for route in routes { try IdempotencyTable(database).forget(route: route) }
    }

    /// Has the file written anew after the commit, so that what was deleted is nowhere in it.
    package func scrubAfterCommit() throws {
        // Kept in the file, so that an end in between is made up for at the next start.
        try MetaTable(database).set(Self.scrubMark, "wanted")
        wantsScrub = true
    }

    static let scrubMark = "scrub"

    /// Appends an event; it is published once the transaction has been committed.
    ///
    /// A later event of the same subject supersedes this one in snapshots. `row` is the row that says the same, of a type
    /// that rows retell.
    @discardableResult
    package func emit<E: EventType>(_ event: E.Type, subject: String, row: Int64? = nil, _ body: E.Body)
        throws
        -> WireEvent
    {
        let kind = (stream: E.stream, type: E.type, version: E.schemaVersion)
        return try emit(kind, subject: subject, row: row, try body.encodedBody())
    }

    /// Adds a line to the history: it happened now.
    package func remember(_ line: HistoryLine) throws { try tell(stamped(line)) }

    /// Tells a line on the service's own stream.
    package func tell(_ line: HistoryLine) throws {
        let event = EventInfo(historyOf: service)
        let kind = (stream: event.stream, type: event.type, version: event.schemaVersion)
        // Each is a subject of its own: no later one takes its place.
        try emit(kind, subject: Identifier.make(wallMs: now.wallMs), row: nil, try line.encodedBody())
    }

    /// A line of this service and this moment, with texts that fit.
    package func stamped(_ line: HistoryLine) -> HistoryLine {
        var line = line
        line.service = service.rawValue
        line.about = line.about.map { TextFormat.fitting($0, bytes: HistoryLine.textBytesMax) }
        for path in [\HistoryLine.before, \.after, \.why] {
            guard let text = line[keyPath: path]?.english, text.utf8.count > HistoryLine.textBytesMax else {
                continue
            }
            line[keyPath: path] = Message(
                verbatim: TextFormat.fitting(text, bytes: HistoryLine.textBytesMax)
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
        if let row { try log.note(draft.type, head.sequence, says: row) }
        event.header.previous = previous
        published.append(event)
        return event
    }
}

extension WireEvent {
    /// The stored row as it travels.
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

/// Places in production code at which a test may make the process fail, as a power cut would.
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
