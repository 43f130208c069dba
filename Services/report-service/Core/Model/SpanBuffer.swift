import STContracts
import STPlatform
import STStore

/// The spans of all lanes: those in the database, and unsaved changes.
struct SpanBuffer: Sendable {
    /// The unsaved changes, by lane and beginning. `nil` for a removed span.
    private(set) var changes: [SpanTrack: [BootTime: Span?]] = [:]
    private var tails: [SpanTrack: SpanTail] = [:]
    /// Upper bound on the changed spans of one lane that are searched for each row out of order.
    static let changesMax = 1_000
    private(set) var isFull = false

    static let tables = """
        CREATE TABLE spans (
            who INTEGER NOT NULL, boot INTEGER NOT NULL, start_boot_ms INTEGER NOT NULL, ms INTEGER NOT NULL,
            kind INTEGER NOT NULL, start_wall_ms INTEGER NOT NULL, drift_ms INTEGER NOT NULL,
            zone INTEGER NOT NULL, day INTEGER NOT NULL, first INTEGER, PRIMARY KEY (who, boot, start_boot_ms)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX spans_by_day ON spans (who, day) WHERE kind = 0;
        """

    private static let columns = """
        start_boot_ms, ms, kind, start_wall_ms, drift_ms, zone, day, first, boot
        """

    private static func span(_ row: borrowing Row) throws -> Span {
        let (start, ms, wall) = (try row.int(0), try row.int(1), try row.int(3))
        return Span(
            kind: Span.Kind(rawValue: try row.int(2)) ?? .unseen,
            bootStart: BootTime(ms: start),
            bootEnd: BootTime(ms: start + ms),
            wallStart: WallTime(ms: wall),
            wallEnd: WallTime(ms: wall + ms + (try row.int(4))),
            zone: try row.int(5),
            day: try row.int(6),
            first: try row.optionalInt(7)
        )
    }

    mutating func set(_ span: Span, _ lane: SpanTrack) {
        changes[lane, default: [:]][span.bootStart] = span
        noteCount(lane)
    }

    mutating func remove(_ span: Span, _ lane: SpanTrack) {
        changes[lane, default: [:]].updateValue(nil, forKey: span.bootStart)
        noteCount(lane)
    }

    private mutating func noteCount(_ lane: SpanTrack) {
        if changes[lane]?.count ?? 0 > Self.changesMax { isFull = true }
    }

    func tail(_ lane: SpanTrack) -> SpanTail? { tails[lane] }

    mutating func set(_ tail: SpanTail?, _ lane: SpanTrack) { tails[lane] = tail }

    /// Returns the last span that begins before a moment.
    func span(before moment: BootTime, _ lane: SpanTrack, _ database: Database) throws -> Span? {
        let changed = changes[lane] ?? [:]
        var found = changed.values.compactMap(\.self).filter { $0.bootStart < moment }
            .max { $0.bootStart < $1.bootStart }
        try database.scan(
            // Rows: those that changed and are not written yet, at most `changesMax`, and one more.
            """
            SELECT \(Self.columns) FROM spans WHERE who = ? AND boot = ? AND start_boot_ms < ?
            ORDER BY start_boot_ms DESC
            """,
            [.integer(lane.owner), .integer(lane.boot), .integer(moment.ms)]
        ) { row in
            let span = try Self.span(row)
            // Unsaved changes replace the row.
            if changed[span.bootStart] != nil { return true }
            if span.bootStart > found?.bootStart ?? BootTime(ms: .min) { found = span }
            return false
        }
        return found
    }

    /// Returns the first span that begins at or after a moment.
    func span(from moment: BootTime, _ lane: SpanTrack, _ database: Database) throws -> Span? {
        let changed = changes[lane] ?? [:]
        var found = changed.values.compactMap(\.self).filter { $0.bootStart >= moment }
            .min { $0.bootStart < $1.bootStart }
        try database.scan(
            // Rows: those that changed and are not written yet, at most `changesMax`, and one more.
            """
            SELECT \(Self.columns) FROM spans WHERE who = ? AND boot = ? AND start_boot_ms >= ?
            ORDER BY start_boot_ms
            """,
            [.integer(lane.owner), .integer(lane.boot), .integer(moment.ms)]
        ) { row in
            let span = try Self.span(row)
            if changed[span.bootStart] != nil { return true }
            if span.bootStart < found?.bootStart ?? .distantFuture { found = span }
            return false
        }
        return found
    }

    /// Returns all activity of a day.
    func active(who: Int64, day: Int64, _ database: Database) throws -> [(lane: SpanTrack, span: Span)] {
        var found: [(lane: SpanTrack, span: Span)] = []
        try database.query(
            // Rows: the activity of one day. Left to itself, SQLite looks at all spans of the member.
            "SELECT \(Self.columns) FROM spans INDEXED BY spans_by_day WHERE who = ? AND day = ? AND kind = 0",
            [.integer(who), .integer(day)]
        ) { row in
            let lane = SpanTrack(owner: who, boot: try row.int(8))
            let span = try Self.span(row)
            if changes[lane]?[span.bootStart] == nil { found.append((lane, span)) }
        }
        for (lane, spans) in changes where lane.owner == who {
            for case let span? in spans.values where span.kind == .active && span.day == day {
                found.append((lane, span))
            }
        }
        return found
    }

    mutating func write(_ database: Database) throws {
        for (lane, spans) in changes {
            for (start, span) in spans {
                guard let span else {
                    try database.run(
                        "DELETE FROM spans WHERE who = ? AND boot = ? AND start_boot_ms = ?",
                        [.integer(lane.owner), .integer(lane.boot), .integer(start.ms)]
                    )
                    continue
                }
                try Self.insert(span, lane: lane, database: database)
            }
        }
        changes = [:]
        isFull = false
    }

    private static func insert(_ span: Span, lane: SpanTrack, database: Database) throws {
        let ms = span.bootEnd.ms - span.bootStart.ms
        try database.run(
            "INSERT OR REPLACE INTO spans VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                .integer(lane.owner), .integer(lane.boot), .integer(span.bootStart.ms), .integer(ms),
                .integer(span.kind.rawValue), .integer(span.wallStart.ms),
                .integer(span.wallEnd.ms - span.wallStart.ms - ms), .integer(span.zone), .integer(span.day),
                SQLValue(span.first),
            ]
        )
    }
}

/// An uninterrupted interval in which a person was active, absent or not observed. In boot time, as in the ledger.
struct Span: Equatable, Sendable {
    enum Kind: Int64, Sendable {
        case active = 0
        case absent = 1
        case unseen = 2

        init(_ presence: Presence) {
            switch presence {
            case .active: self = .active
            case .idle, .locked, .away, .suspended: self = .absent
            case .unobserved, .unknown: self = .unseen
            }
        }
    }

    /// A small correction changes the speed of the wall clock. A difference above this bound means that the clock was set.
    private static let clockStep = Duration.seconds(1)

    var kind: Kind
    var bootStart: BootTime
    var bootEnd: BootTime
    /// Only activity has the following values. It is cut at local midnight, at a change of time zone, and where the clock was set.
    var wallStart = WallTime(ms: 0)
    var wallEnd = WallTime(ms: 0)
    var zone: Int64 = 0
    var day: Int64 = 0
    /// The first thing that was used, if any.
    var first: Int64?

    /// Returns true if `next` begins at the end of this span and continues it.
    func continues(with next: Span) -> Bool {
        guard bootEnd == next.bootStart, kind == next.kind else { return false }
        return kind != .active
            || zone == next.zone && day == next.day && abs((next.wallStart - wallEnd).ms) <= Self.clockStep.ms
    }

    mutating func append(_ next: Span) {
        bootEnd = next.bootEnd
        wallEnd = next.wallEnd
        first = first ?? next.first
    }
}

/// The time of one member at one device in one boot.
struct SpanTrack: Hashable, Sendable {
    var owner: Int64
    var boot: Int64
}

/// The last span of a lane, and the chain of activity that contains it.
///
/// New rows nearly always follow the tail, so that nothing has to be read.
struct SpanTail: Sendable {
    var span: Span
    /// The hour in which the chain began, if it began with a pickup.
    var pickup: LocalHour?
    /// The first thing that was used in the chain.
    var first: Int64?
}

/// The moment at which a person turned to the device.
struct Pickup: Equatable, Sendable {
    var hour: LocalHour
    var wall: WallTime
    /// The first thing that they used. `nil` if they used nothing.
    var thing: Int64?
}
