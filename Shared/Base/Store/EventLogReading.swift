import STPlatform

extension EventLog {
    /// The events after a position.
    ///
    /// Throws `epoch.changed` when the position is of another log, and `cursor.too_old` when events after it were
    /// trimmed; after either the subscriber starts again from a snapshot.
    package func since(
        _ stream: String,
        position: StreamPosition,
        limit: Int,
        byteLimit: Int
    ) throws -> SincePage {
        let state = try state(stream)
        try require(position, in: state)
        let events = try page(
            Self.columns + "WHERE stream = ?1 AND sequence > ?2 ORDER BY sequence LIMIT ?3",
            [.text(stream), .integer(position.sequence), SQLValue(limit)],
            state.head,
            byteLimit
        )
        let last = events.last?.sequence ?? position.sequence
        return SincePage(events: events, head: state.head, more: last < state.head.sequence)
    }

    /// The newest event of every subject, oldest first, in pages.
    ///
    /// The first page (`through` nil) fixes where the snapshot ends; the next ones are given its `through` and the
    /// sequence of the last event received. An event appended meanwhile is left to `since`. Throws as `since` does
    /// when the log was reset or trimmed past the end of the snapshot between two pages.
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
        let newest = """
            WHERE stream = ?1 AND sequence > ?2 AND sequence <= ?3 AND NOT EXISTS (
                SELECT 1 FROM events AS later WHERE later.stream = ?1 AND later.subject = event.subject
                    AND later.sequence > event.sequence AND later.sequence <= ?3
            ) ORDER BY sequence LIMIT ?4
            """
        let events = try page(
            Self.columns + newest,
            [.text(stream), .integer(after), .integer(end.sequence), SQLValue(limit)],
            state.head,
            byteLimit
        )
        // The event at the end is the newest of its subject, so it is always the last of the last page.
        let last = events.last?.sequence ?? end.sequence
        return SnapshotPage(events: events, through: end, more: last < end.sequence)
    }

    private static let columns = """
        SELECT sequence, id, type, time_ms, subject, schema, traceparent, cause, body FROM events AS event

        """

    private func require(_ position: StreamPosition, in state: StreamState) throws {
        let head = state.head
        guard position.epoch == head.epoch, position.sequence >= 0, position.sequence <= head.sequence else {
            throw epochChanged(head)
        }
        guard position.sequence >= state.trimmed else {
            throw Problem(
                "cursor.too_old",
                "Events after \(position.sequence) of \(head.stream) were tidied away. Start from a snapshot.",
                details: ["stream": head.stream, "trimmed": String(state.trimmed)]
            )
        }
        guard let id = position.id, position.sequence > 0 else { return }
        let found = try database.first(
            "SELECT id FROM events WHERE stream = ? AND sequence = ?",
            [.text(head.stream), .integer(position.sequence)]
        ) { try $0.text(0) }
        guard found == id else { throw epochChanged(head) }
    }

    private func epochChanged(_ head: StreamHead) -> Problem {
        Problem(
            "epoch.changed",
            "\(head.stream) is not the log that the position is of: it was reset, or a backup was restored. "
                + "Start from a snapshot.",
            details: ["stream": head.stream, "epoch": head.epoch, "head": String(head.sequence)]
        )
    }

    /// Reads events until the bytes are used up.
    ///
    /// One always fits, or a large event would stop its stream for ever.
    private func page(
        _ sql: String,
        _ bindings: [SQLValue],
        _ head: StreamHead,
        _ byteLimit: Int
    ) throws -> [StoredEvent] {
        var events: [StoredEvent] = []
        var bytes = 0
        try database.scan(sql, bindings) { row in
            let event = try event(row, head)
            bytes += event.byteCount
            guard events.isEmpty || bytes <= byteLimit else { return false }
            events.append(event)
            return true
        }
        return events
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
