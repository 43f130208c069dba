import STPlatform

/// The events that a service publishes. Subscribers read missed events from this log.
///
/// The head of a stream is a row and is not cached in memory. A rollback therefore undoes the sequence numbers together with the
/// events, and a sequence never has gaps.
package struct EventLog {
    package static let migration = Migration(
        name: "events",
        sql: """
            CREATE TABLE streams(
                stream TEXT NOT NULL PRIMARY KEY,
                epoch TEXT NOT NULL,
                head INTEGER NOT NULL DEFAULT 0,
                -- The lowest cursor that can still be served. The event at it is never trimmed, so that its id can
                -- be compared with the subscriber's.
                trimmed INTEGER NOT NULL DEFAULT 0
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE events(
                stream TEXT NOT NULL,
                sequence INTEGER NOT NULL,
                id TEXT NOT NULL,
                type TEXT NOT NULL,
                time_ms INTEGER NOT NULL,
                subject TEXT NOT NULL,
                schema INTEGER NOT NULL,
                traceparent TEXT,
                cause TEXT,
                body BLOB NOT NULL,
                PRIMARY KEY(stream, sequence)
            ) STRICT;
            CREATE INDEX events_by_subject ON events(stream, subject, sequence);
            """
    )

    /// The table that maps events to rows. Only a service with `DerivedEvents` has it.
    package static let derivedMigration = Migration(
        name: "events told by rows",
        sql: """
            CREATE TABLE event_rows(event INTEGER PRIMARY KEY, source INTEGER NOT NULL, row INTEGER NOT NULL) STRICT;
            """
    )

    private let database: Database
    /// All entries are of the same stream.
    private let derivedEvents: [DerivedEvents]

    package init(_ database: Database, retold: [DerivedEvents] = []) {
        precondition(Set(retold.map(\.stream)).count <= 1, "event_rows has the numbers of one stream")
        self.database = database
        self.derivedEvents = retold
    }

    /// Creates the missing streams, each with its own epoch.
    package func open(streams: [String]) throws {
        try database.transaction {
            for stream in streams {
                try database.run(
                    "INSERT INTO streams(stream, epoch) VALUES (?, ?) ON CONFLICT DO NOTHING",
                    [.text(stream), .text(Self.newEpoch())]
                )
            }
        }
    }

    /// Appends an event to its stream, inside the transaction that makes the change it announces.
    package func append(_ draft: EventDraft) throws -> StoredEvent {
        var head = try head(draft.stream)
        let stored = try append(draft, to: &head)
        try save(head)
        return stored
    }

    /// Appends an event after a head that was read in this transaction. Call `save` before the transaction ends.
    ///
    /// This way a change with many events reads and writes the head once.
    package func append(_ draft: EventDraft, to head: inout StreamHead) throws -> StoredEvent {
        try database.requireTransaction()
        head.sequence += 1
        head.id = draft.id
        try database.run(
            """
            INSERT INTO events(stream, sequence, id, type, time_ms, subject, schema, traceparent, cause, body)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(draft.stream), .integer(head.sequence), .text(draft.id), .text(draft.type),
                .integer(draft.timeMs),
                .text(draft.subject), SQLValue(draft.schema), SQLValue(draft.traceparent),
                SQLValue(draft.cause),
                .blob(draft.body),
            ]
        )
        return StoredEvent(draft, epoch: head.epoch, sequence: head.sequence)
    }

    /// Stores the head of a stream.
    package func save(_ head: StreamHead) throws {
        try database.requireTransaction()
        try database.run(
            "UPDATE streams SET head = ? WHERE stream = ?",
            [.integer(head.sequence), .text(head.stream)]
        )
    }

    package func head(_ stream: String) throws -> StreamHead {
        try state(stream).head
    }

    /// The heads of all streams, ordered by name.
    package func heads() throws -> [StreamHead] {
        try database.query("SELECT \(Self.state) FROM streams ORDER BY stream") { try StreamState($0).head }
    }

    /// Restarts the stream under another epoch and deletes its events. Every subscriber detects the new epoch.
    package func reset(_ stream: String) throws {
        try database.requireTransaction()
        let changed = try database.run(
            "UPDATE streams SET epoch = ?, head = 0, trimmed = 0 WHERE stream = ?",
            [.text(Self.newEpoch()), .text(stream)]
        )
        guard changed == 1 else { throw Self.unknownStreamProblem(stream) }
        // Rows: the stream, when it is reset.
        try database.run("DELETE FROM events WHERE stream = ?", [.text(stream)])
        try MetaTable(database).set("expire/\(stream)", nil)
        if derivedEvents.first?.stream == stream { try database.run("DELETE FROM event_rows") }
    }

    /// Gives the stream another epoch and keeps all its events, so that every subscriber rebuilds.
    package func renew(_ stream: String) throws {
        try database.requireTransaction()
        let changed = try database.run(
            "UPDATE streams SET epoch = ? WHERE stream = ?",
            [.text(Self.newEpoch()), .text(stream)]
        )
        guard changed == 1 else { throw Self.unknownStreamProblem(stream) }
    }

    /// Removes the content of a subject's events, which keep their sequence numbers. Returns their number.
    ///
    /// A subscriber that already has them detects the change only when the stream gets a new epoch.
    package func redact(_ stream: String, subject: String, as type: String, timeMs: Int64) throws -> Int {
        try database.requireTransaction()
        return try database.run(
            // Rows: the events of one subject.
            """
            UPDATE events SET id = 'redacted-' || sequence, type = ?, time_ms = ?, subject = 'redacted', schema = 1,
                traceparent = NULL, cause = NULL, body = CAST('{}' AS BLOB)
            WHERE stream = ? AND subject = ?
            """,
            [.text(type), .integer(timeMs), .text(stream), .text(subject)]
        )
    }

    /// Changes the bodies of events of some types in place. Returns the number changed.
    ///
    /// Subscribers that already have the events keep the old bodies. The closure returns `nil` to leave a body unchanged.
    package func rewrite(
        _ stream: String,
        types: [String],
        _ change: ([UInt8]) throws -> [UInt8]?
    ) throws -> Int {
        try database.requireTransaction()
        var changed: [(sequence: Int64, body: [UInt8])] = []
        for type in types {
            try database.query(
                // Rows: the stream, when a person deletes their past.
                "SELECT sequence, body FROM events WHERE stream = ? AND type = ?",
                [.text(stream), .text(type)]
            ) { row in
                guard let body = try change(try row.blob(1)) else { return }
                changed.append((try row.int(0), body))
            }
        }
        for (sequence, body) in changed {
            try database.run(
                "UPDATE events SET body = ? WHERE stream = ? AND sequence = ?",
                [.blob(body), .text(stream), .integer(sequence)]
            )
        }
        return changed.count
    }

    /// Deletes events that a later one of the same subject supersedes, except the newest `keep`.
    ///
    /// A call examines at most `window` events after sequence `after`, so that a long log does not block the database's thread. The
    /// caller continues from the returned sequence.
    /// - Returns: the number deleted, and the last sequence examined. 0 at the end of the log, to restart from the beginning.
    @discardableResult
    package func trim(
        _ stream: String,
        keep: Int,
        after: Int64 = 0,
        window: Int = 1_000_000
    ) throws -> (deleted: Int, through: Int64) {
        precondition(keep >= 0 && window > 0, "a trim keeps something and has a limit")
        try database.requireTransaction()
        let last = try head(stream).sequence - Int64(keep)
        let through = min(last, after + Int64(window))
        guard through > after else { return (0, 0) }
        let deleted = try database.query(
            // Rows: a window of 4,000.
            """
            DELETE FROM events WHERE stream = ?1 AND sequence IN (
                SELECT sequence FROM events AS old WHERE stream = ?1 AND sequence > ?2 AND sequence <= ?3 AND EXISTS (
                    SELECT 1 FROM events AS later
                    WHERE later.stream = ?1 AND later.subject = old.subject AND later.sequence > old.sequence
                )
            ) RETURNING sequence
            """,
            [.text(stream), .integer(after), .integer(through)]
        ) { try $0.int(0) }
        let isThrough = through == last
        guard let highest = deleted.max() else { return (0, isThrough ? 0 : through) }
        try moveTrimmed(stream, past: highest)
        return (deleted.count, isThrough ? 0 : through)
    }

    /// Deletes the old events of some types, and all earlier events of their subjects, through a sequence number.
    ///
    /// A call examines at most `window` events and continues from the last call. The database stores that position. Otherwise a
    /// service that is restarted often would always examine the same part of its log.
    /// - Returns: the last sequence examined.
    @discardableResult
    package func expire(_ stream: String, types: [String], through last: Int64, window: Int64) throws -> Int64
    {
        try database.requireTransaction()
        let after = try expired(stream)
        let through = min(last, after + window)
        guard through > after else { return after }
        let deleted = try database.query(
            // Rows: a window of 4,000, and the events of its subjects.
            """
            DELETE FROM events WHERE stream = ?1 AND sequence <= ?3 AND subject IN (
                SELECT subject FROM events WHERE stream = ?1 AND sequence > ?2 AND sequence <= ?3
                    AND type IN (SELECT value FROM json_each(?4))
            ) RETURNING sequence
            """,
            [
                .text(stream), .integer(after), .integer(through),
                .text("[" + types.map { "\"\($0)\"" }.joined(separator: ",") + "]"),
            ]
        ) { try $0.int(0) }
        if let highest = deleted.max() { try moveTrimmed(stream, past: highest) }
        try MetaTable(database).set("expire/\(stream)", String(through))
        return through
    }

    /// The sequence through which `expire` has deleted events.
    private func expired(_ stream: String) throws -> Int64 {
        try MetaTable(database).place("expire/\(stream)")
    }

    // MARK: - Events read from rows

    /// Records which row has the content of an event. The row replaces the event after the log has deleted it.
    package func recordDerived(_ type: String, _ event: Int64, says row: Int64) throws {
        guard let source = derivedEvents.firstIndex(where: { $0.type == type }) else { return }
        try database.run(
            "INSERT INTO event_rows VALUES (?, ?, ?)",
            [.integer(event), SQLValue(source), .integer(row)]
        )
    }

    /// The deleted events that rows still contain: at least `limit`, or all.
    private func loadDerived(_ head: StreamHead, after: Int64, through: Int64, limit: Int) throws
        -> [StoredEvent]
    {
        guard derivedEvents.first?.stream == head.stream else { return [] }
        let last = min(through, try expired(head.stream))
        var told: [StoredEvent] = []
        var place = after
        // Repeats if rows were deleted meanwhile.
        while told.count < limit {
            let noted = try database.query(
                // Rows: a page.
                "SELECT event, source, row FROM event_rows WHERE event > ? AND event <= ? ORDER BY event LIMIT ?",
                [.integer(place), .integer(last), SQLValue(limit)]
            ) { (event: try $0.int(0), source: Int(try $0.int(1)), row: try $0.int(2)) }
            guard let end = noted.last else { break }
            place = end.event
            for (index, source) in derivedEvents.enumerated() {
                let events = Dictionary(
                    uniqueKeysWithValues: noted.filter { $0.source == index }.map { ($0.row, $0.event) }
                )
                guard let first = events.keys.min(), let last = events.keys.max() else { continue }
                told += try source.read(database, first, last).compactMap { row in
                    events[row.row].map { source.event(row, sequence: $0, of: head) }
                }
            }
        }
        return told
    }

    /// The events after a position.
    ///
    /// Throws `epoch.changed` if the position is in another log, and `cursor.too_old` if events after it were trimmed. In both
    /// cases the subscriber starts again from a snapshot.
    package func since(
        _ stream: String,
        position: StreamPosition,
        limit: Int,
        byteLimit: Int
    ) throws -> SincePage {
        let state = try state(stream)
        try require(position, in: state)
        let read = try page(
            // Rows: a page.
            "SELECT \(Self.columns) FROM events WHERE stream = ?1 AND sequence > ?2 ORDER BY sequence",
            bindings: [.text(stream), .integer(position.sequence)],
            head: state.head,
            limit: limit,
            byteLimit: byteLimit
        )
        let events = Self.fitting(read, limit: limit, byteLimit)
        let last = events.last?.sequence ?? position.sequence
        return SincePage(events: events, head: state.head, more: last < state.head.sequence)
    }

    /// The newest event of every subject, oldest first, in pages.
    ///
    /// The first page (`through` is `nil`) fixes the end of the snapshot. For the next page, pass its `through` and the sequence of
    /// the last event received. `since` returns events appended meanwhile. Throws like `since` if the log was reset or trimmed past
    /// the end of the snapshot between two pages.
    package func snapshot(
        _ stream: String,
        after: Int64 = 0,
        through: StreamPosition? = nil,
        limit: Int,
        byteLimit: Int
    ) throws -> SnapshotPage {
        let state = try state(stream)
        let end = through ?? state.head.position
        try require(end, in: state)
        let logged = try page(
            // Rows: a page, and between its events those that a later one of their subject replaces, until they are trimmed.
            """
            SELECT \(Self.columns) FROM events AS event
            WHERE stream = ?1 AND sequence > ?2 AND sequence <= ?3 AND NOT EXISTS (
                SELECT 1 FROM events AS later WHERE later.stream = ?1 AND later.subject = event.subject
                    AND later.sequence > event.sequence AND later.sequence <= ?3
            ) ORDER BY sequence
            """,
            bindings: [.text(stream), .integer(after), .integer(end.sequence)],
            head: state.head,
            limit: limit,
            byteLimit: byteLimit
        )
        let told = try loadDerived(state.head, after: after, through: end.sequence, limit: limit)
        let all = (logged + told).sorted { $0.sequence < $1.sequence }
        let events = Self.fitting(all, limit: limit, byteLimit)
        // The event at the end is the newest of its subject, so it is always the last of the last page.
        let last = events.last?.sequence ?? end.sequence
        return SnapshotPage(events: events, through: end, more: last < end.sequence)
    }

    // MARK: - Helpers

    private func moveTrimmed(_ stream: String, past sequence: Int64) throws {
        try database.run(
            "UPDATE streams SET trimmed = max(trimmed, ?) WHERE stream = ?",
            [.integer(sequence + 1), .text(stream)]
        )
    }

    private func state(_ stream: String) throws -> StreamState {
        let sql = "SELECT \(Self.state) FROM streams WHERE stream = ?"
        guard let state = try database.first(sql, [.text(stream)], value: { try StreamState($0) }) else {
            throw Self.unknownStreamProblem(stream)
        }
        return state
    }

    /// The columns of `StreamState`, with the id of the newest event.
    private static let state = """
        stream, epoch, head, trimmed,
        (SELECT id FROM events WHERE events.stream = streams.stream AND events.sequence = streams.head)
        """

    private static func newEpoch() -> String { TextFormat.hex(.random(in: 0...UInt64.max)) }

    private static func unknownStreamProblem(_ stream: String) -> Problem {
        Problem(
            "stream.unknown",
            "This service has no stream \(stream, "stream"). `screentime bus describe` lists the streams.",
            details: ["stream": stream]
        )
    }

    private static let columns = "sequence, id, type, time_ms, subject, schema, traceparent, cause, body"

    private func require(_ position: StreamPosition, in state: StreamState) throws {
        let head = state.head
        guard position.epoch == head.epoch, position.sequence >= 0, position.sequence <= head.sequence else {
            throw try epochChanged(state, position)
        }
        guard position.sequence >= state.trimmed else {
            throw Problem(
                "cursor.too_old",
                """
                Events after \(position.sequence, "sequence") of \(head.stream, "stream") have been deleted. \
                Start from a snapshot.
                """,
                details: ["stream": head.stream, "trimmed": String(state.trimmed)]
            )
        }
        guard let id = position.id, position.sequence > 0 else { return }
        let found = try database.first(
            "SELECT id FROM events WHERE stream = ? AND sequence = ?",
            [.text(head.stream), .integer(position.sequence)]
        ) { try $0.text(0) }
        guard found == id else { throw try epochChanged(state, position) }
    }

    /// The problem for a position in another log. Its details also say if the position proves that events were lost.
    private func epochChanged(_ state: StreamState, _ position: StreamPosition) throws -> Problem {
        let head = state.head
        var details = ["stream": head.stream, "epoch": head.epoch, "head": String(head.sequence)]
        details["lost"] = try lostReason(position, state)
        let headMs = try database.first(
            "SELECT time_ms FROM events WHERE stream = ? AND sequence = ?",
            [.text(head.stream), .integer(head.sequence)]
        ) { try $0.int(0) }
        details["head_ms"] = headMs.map { String($0) }
        return Problem(
            "epoch.changed",
            """
            The position is not in the current log of \(head.stream, "stream"): the log was reset, or a \
            backup was restored. Start from a snapshot.
            """,
            details: details
        )
    }

    /// The kind of loss that a position proves.
    ///
    /// - `tail`: the end of this log is missing.
    /// - `other`: this is another log, or it continued without a part of the original.
    /// - `nil`: the event is here under a new epoch, or may have been trimmed or redacted.
    private func lostReason(_ position: StreamPosition, _ state: StreamState) throws -> String? {
        guard position.sequence > 0 else { return nil }
        guard position.sequence <= state.head.sequence else {
            return position.epoch == state.head.epoch ? "tail" : "other"
        }
        if position.sequence < state.trimmed { return nil }
        let found = try database.first(
            "SELECT id FROM events WHERE stream = ? AND sequence = ?",
            [.text(state.head.stream), .integer(position.sequence)]
        ) { try $0.text(0) }
        let isHere = found == nil || found == position.id || found == Self.redacted(position.sequence)
        return isHere ? nil : "other"
    }

    private static func redacted(_ sequence: Int64) -> String { "redacted-\(sequence)" }

    /// Reads events until there are enough, or more bytes than fit.
    private func page(
        _ sql: String,
        bindings: [SQLValue],
        head: StreamHead,
        limit: Int,
        byteLimit: Int
    ) throws -> [StoredEvent] {
        var events: [StoredEvent] = []
        var bytes = 0
        try database.scan(sql, bindings) { row in
            let event = try event(row, head)
            bytes += event.byteCount
            events.append(event)
            return events.count < limit && bytes <= byteLimit
        }
        return events
    }

    /// The events that fit. The first always fits, because otherwise a large event would block its stream forever.
    private static func fitting(_ events: [StoredEvent], limit: Int, _ byteLimit: Int) -> [StoredEvent] {
        var bytes = 0
        var count = 0
        for event in events.prefix(limit) {
            bytes += event.byteCount
            guard count == 0 || bytes <= byteLimit else { break }
            count += 1
        }
        return Array(events.prefix(count))
    }

    private func event(_ row: borrowing Row, _ head: StreamHead) throws -> StoredEvent {
        let draft = EventDraft(
            stream: head.stream,
            id: try row.text(1),
            type: try row.text(2),
            timeMs: try row.int(3),
            subject: try row.text(4),
            schema: Int(try row.int(5)),
            traceparent: try row.optionalText(6),
            cause: try row.optionalText(7),
            body: try row.blob(8)
        )
        return StoredEvent(draft, epoch: head.epoch, sequence: try row.int(0))
    }
}

/// The row of a stream.
private struct StreamState {
    var head: StreamHead
    /// The lowest cursor that can be served.
    var trimmed: Int64

    /// Reads the columns stream, epoch, head, trimmed and the id of the newest event.
    init(_ row: borrowing Row) throws {
        head = StreamHead(
            stream: try row.text(0),
            epoch: try row.text(1),
            sequence: try row.int(2),
            id: try row.optionalText(4)
        )
        trimmed = try row.int(3)
    }
}
