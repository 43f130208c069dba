import STContracts
import STPlatform
import STStore

/// The table of deliveries.
enum DeliveryTables {
    static let migration = Migration(
        name: "deliveries",
        sql: """
            CREATE TABLE deliveries (
                number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, app TEXT NOT NULL,
                member TEXT NOT NULL, method TEXT NOT NULL, occurrence BLOB NOT NULL, event_ms INTEGER NOT NULL,
                traceparent TEXT, state TEXT NOT NULL, is_open INTEGER NOT NULL, attempt INTEGER NOT NULL,
                failures INTEGER NOT NULL, result BLOB NOT NULL, queued_ms INTEGER NOT NULL, finished_ms INTEGER
            ) STRICT;
            CREATE INDEX open_deliveries ON deliveries (app, number) WHERE is_open = 1;
            CREATE INDEX deliveries_of_app ON deliveries (app, number);
            CREATE INDEX deliveries_by_state ON deliveries (state, number);
            """
    )

    /// Upper bound on the finished deliveries that people can see. The oldest are deleted first.
    static let finishedMax: Int64 = 5_000
    /// Upper bound on the waiting callbacks of one app. Further ones are parked.
    static let openMax: Int64 = 2_000
    private static let trimEvery: Int64 = 500

    /// The state of a delivery, apart from its content.
    struct DeliveryProgress {
        var state: DeliveryState
        var isOpen: Bool { state == .queued || state == .running || state == .waiting }
        var result = DeliveryResult()
        var finished: WallTime?
    }

    private static let columns = """
        number, id, method, occurrence, traceparent, attempt, failures, state, result, queued_ms, finished_ms
        """

    /// Adds a delivery. Returns nil if the event is already known.
    static func insert(
        _ event: EventHeader,
        occurrence: ActivityOccurrence,
        method: MonitorMethod,
        standing: DeliveryProgress,
        queued: WallTime,
        database: Database
    ) throws -> Delivery? {
        // Search first, because an ignored insert would use up a number.
        guard try find(id: event.id, database) == nil else { return nil }
        try database.run(
            """
            INSERT INTO deliveries (id, app, member, method, occurrence, event_ms, traceparent, state,
                is_open, attempt, failures, result, queued_ms, finished_ms)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?)
            """,
            [
                .text(event.id), .text(occurrence.app), .text(occurrence.member), .text(method.rawValue),
                .blob(try occurrence.encodedBody()), .integer(event.timeMs), SQLValue(event.traceparent),
                .text(standing.state.rawValue), SQLValue(standing.isOpen),
                .blob(try standing.result.encodedBody()), .integer(queued.ms),
                SQLValue(standing.finished?.ms),
            ]
        )
        let number = try database.first("SELECT last_insert_rowid()") { try $0.int(0) } ?? 0
        if number % trimEvery == 0 { try trim(database) }
        return Delivery(
            number: number,
            id: event.id,
            method: method,
            occurrence: occurrence,
            traceparent: event.traceparent,
            attempt: 0,
            failures: 0
        )
    }

    /// Returns true if an event is older than every kept delivery, so that it may have been delivered already.
    static func isTrimmed(_ event: EventHeader, _ database: Database) throws -> Bool {
        let first = try database.first(
            // Rows: one.
            "SELECT number, event_ms FROM deliveries ORDER BY number LIMIT 1"
        ) { (try $0.int(0), try $0.int(1)) }
        // While the first delivery still exists, none has been deleted.
        guard let first, first.0 > 1 else { return false }
        return event.timeMs < first.1
    }

    static func isFull(app: String, _ database: Database) throws -> Bool {
        try database.first(
            // Rows: the open ones of an app, at most `openMax`. Without the hint, SQLite would read all finished ones too.
            """
            SELECT number FROM deliveries INDEXED BY open_deliveries
            WHERE app = ? AND is_open = 1 ORDER BY number LIMIT 1 OFFSET ?
            """,
            [.text(app), .integer(openMax - 1)]
        ) { try $0.int(0) } != nil
    }

    /// Returns the first open delivery of every app, in order, including those that are running.
    static func firstOpen(_ database: Database) throws -> [(delivery: Delivery, state: DeliveryState)] {
        try database.query(
            // Rows: the open ones, at most `openMax` of an app.
            """
            SELECT \(columns) FROM deliveries WHERE number IN (
                SELECT min(number) FROM deliveries WHERE is_open = 1 GROUP BY app
            ) ORDER BY number
            """
        ) { row in
            let (delivery, standing, _) = try read(row)
            return (delivery, standing.state)
        }
    }

    static func find(_ number: Int64, _ database: Database) throws -> (
        Delivery, DeliveryProgress, queued: WallTime
    )? {
        try database.first("SELECT \(columns) FROM deliveries WHERE number = ?", [.integer(number)]) {
            try read($0)
        }
    }

    static func find(id: String, _ database: Database) throws -> Int64? {
        try database.first("SELECT number FROM deliveries WHERE id = ?", [.text(id)]) { try $0.int(0) }
    }

    static func running(_ database: Database) throws -> [Int64] {
        try database.query(
            // Rows: those that run, one of each app.
            "SELECT number FROM deliveries WHERE state = ? ORDER BY number",
            [.text(DeliveryState.running.rawValue)]
        ) { try $0.int(0) }
    }

    static func openOfRules(_ database: Database) throws -> [Int64] {
        try database.query(
            // Rows: none, except after an update from a version that had them.
            "SELECT number FROM deliveries WHERE is_open = 1 AND app = ? ORDER BY number",
            [.text(BuiltInRules.app)]
        ) { try $0.int(0) }
    }

    static func save(_ delivery: Delivery, standing: DeliveryProgress, database: Database) throws {
        try database.run(
            """
            UPDATE deliveries SET state = ?, is_open = ?, attempt = ?, failures = ?, result = ?, finished_ms = ?
            WHERE number = ?
            """,
            [
                .text(standing.state.rawValue), SQLValue(standing.isOpen), .integer(delivery.attempt),
                .integer(delivery.failures), .blob(try standing.result.encodedBody()),
                SQLValue(standing.finished?.ms), .integer(delivery.number),
            ]
        )
    }

    /// Returns deliveries below a number, the newest first.
    static func page(
        app: String?,
        state: DeliveryState?,
        below: Int64,
        limit: Int,
        _ database: Database
    ) throws -> [DeliveryView] {
        var conditions = "number < ?"
        var values: [SQLValue] = [.integer(below)]
        if let app {
            conditions += " AND app = ?"
            values.append(.text(app))
        }
        if let state {
            conditions += " AND state = ?"
            values.append(.text(state.rawValue))
        }
        values.append(SQLValue(limit))
        return try database.query(
            // Rows: a page; with an app and a state at most all of that app, on a person's request.
            "SELECT \(columns) FROM deliveries WHERE \(conditions) ORDER BY number DESC LIMIT ?",
            values
        ) { row in
            let (delivery, standing, queued) = try read(row)
            return view(delivery, standing, queued: queued)
        }
    }

    static func view(_ delivery: Delivery, _ standing: DeliveryProgress, queued: WallTime) -> DeliveryView {
        let occurrence = delivery.occurrence
        return DeliveryView(
            delivery: delivery.name,
            id: delivery.id,
            app: occurrence.app,
            member: occurrence.member,
            method: delivery.method.rawValue,
            activity: occurrence.activity,
            event: occurrence.event,
            dueWallMs: occurrence.dueWallMs,
            state: standing.state,
            attempt: delivery.attempt,
            reason: standing.result.problem?.code,
            message: standing.result.problem?.text,
            figure: standing.result.problem.flatMap(DeliveryVerdict.measurement),
            lastOutput: standing.result.lastOutput,
            queuedAt: RFC3339.text(wallMs: queued.ms),
            finishedAt: standing.finished.map { RFC3339.text(wallMs: $0.ms) },
            tookMs: standing.result.tookMs,
            privateKib: standing.result.privateKib
        )
    }

    private static func read(_ row: borrowing Row) throws -> (Delivery, DeliveryProgress, queued: WallTime) {
        let delivery = Delivery(
            number: try row.int(0),
            id: try row.text(1),
            method: MonitorMethod(rawValue: try row.text(2)) ?? .unknown,
            occurrence: try ActivityOccurrence.decodedBody(try row.blob(3)),
            traceparent: try row.optionalText(4),
            attempt: try row.int(5),
            failures: try row.int(6)
        )
        let standing = DeliveryProgress(
            state: DeliveryState(rawValue: try row.text(7)) ?? .unknown,
            result: try DeliveryResult.decodedBody(try row.blob(8)),
            finished: try row.optionalInt(10).map(WallTime.init)
        )
        return (delivery, standing, WallTime(ms: try row.int(9)))
    }

    private static func trim(_ database: Database) throws {
        try database.run(
            // Rows: all, at most 22,000, at every 500th delivery.
            """
            DELETE FROM deliveries WHERE is_open = 0 AND number <= (
                SELECT number FROM deliveries WHERE is_open = 0 ORDER BY number DESC LIMIT 1 OFFSET ?
            )
            """,
            [.integer(finishedMax)]
        )
    }
}
