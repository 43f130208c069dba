import STContracts
import STPlatform
import STStore

/// Sums up rows of the ledger. Live figures, a rebuild and open intervals all use this type.
///
/// Spans are read if necessary, and nothing is written before `write`, so a page of rows changes each sum once. Rows can arrive in
/// any order.
struct UsageAggregator: Sendable {
    struct HourKey: Hashable, Sendable {
        var owner: Int64
        var hour: LocalHour
    }

    struct UseKey: Hashable, Sendable {
        var owner: Int64
        var hour: LocalHour
        var subject: Int64
    }

    struct DayKey: Hashable, Sendable {
        var owner: Int64
        var day: Int64
    }

    /// The key of an interval that is not yet in the ledger.
    struct OpenKey: Hashable, Sendable {
        var device: String
        var segment: String
    }

    var names = ReportNames()
    var spans = SpanBuffer()
    var open: [OpenKey: Segment] = [:]
    private var openChanges: Set<OpenKey> = []
    /// The amounts to add to the sums.
    var hours: [HourKey: UsageTotals] = [:]
    var uses: [UseKey: UsageSum] = [:]
    /// Days whose first pickup and longest activity must be computed again, because of a row out of order.
    var dirty: Set<DayKey> = []
    /// The first and last recorded moment of each member at a device.
    var recordedRanges: [Int64: ClosedRange<WallTime>] = [:]
    private var time = LocalHours()

    // MARK: - Events

    mutating func opened(_ segment: Segment) {
        let key = Self.key(segment)
        open[key] = segment
        openChanges.insert(key)
    }

    mutating func closed(_ segment: Segment, _ database: Database) throws {
        try add(segment, database)
        let key = Self.key(segment)
        guard open.removeValue(forKey: key) != nil else { return }
        openChanges.insert(key)
    }

    mutating func countNotification(_ note: NotificationCount) {
        let who = names.number(.init(device: note.device ?? "", member: note.member))
        let thing = names.number(ReportNames.UsageSubject(app: note.app, category: nil, domain: nil))
        let moment = WallTime(ms: note.wallMs)
        let hour = time.hour(at: moment, zone: note.zone).hour
        hours[HourKey(owner: who, hour: hour), default: UsageTotals()].notifications += note.count
        uses[UseKey(owner: who, hour: hour, subject: thing), default: UsageSum()].notifications += note.count
        extendRecordedRange(who, first: moment, last: moment)
    }

    private static func key(_ segment: Segment) -> OpenKey {
        OpenKey(device: segment.device ?? "", segment: segment.segment)
    }

    // MARK: - Rows

    /// Adds a row of the ledger, or the present state of an open interval.
    mutating func add(_ segment: Segment, _ database: Database) throws {
        let who = names.number(.init(device: segment.device ?? "", member: segment.member))
        let start = WallTime(ms: segment.startWallMs)
        let length = Duration.milliseconds(segment.durationMs)
        extendRecordedRange(who, first: start, last: start + max(.zero, length))
        guard length > .zero else { return }
        let isShielded = segment.shielded == true && segment.presence == .active
        let isUsed = segment.presence == .active && !isShielded
        let thing = isUsed ? names.number(ReportNames.UsageSubject(segment)) : 0
        let parts = time.parts(start: start, length: length, zone: segment.zone)
        for part in parts {
            hours[HourKey(owner: who, hour: part.hour), default: UsageTotals()]
                .add(part.length, segment.presence, isShielded: isShielded)
            if isUsed {
                uses[UseKey(owner: who, hour: part.hour, subject: thing), default: UsageSum()].ms +=
                    part.length.ms
            }
        }
        let lane = SpanTrack(owner: who, boot: names.number(boot: segment.bootId))
        for span in spans(segment, parts, thing: isUsed && segment.app != nil ? thing : nil) {
            try insert(span, lane: lane, database: database)
        }
    }

    /// Returns the spans of a segment. Activity is cut at local midnight.
    private mutating func spans(_ segment: Segment, _ parts: [LocalHours.Part], thing: Int64?) -> [Span] {
        let kind = Span.Kind(segment.presence)
        guard kind == .active else {
            return [
                Span(
                    kind: kind,
                    bootStart: BootTime(ms: segment.startBootMs),
                    bootEnd: BootTime(ms: segment.endBootMs)
                )
            ]
        }
        var spans: [Span] = []
        var boot = BootTime(ms: segment.startBootMs)
        let zone = names.number(zone: segment.zone)
        for part in parts {
            let span = Span(
                kind: kind,
                bootStart: boot,
                bootEnd: boot + part.length,
                wallStart: part.start,
                wallEnd: part.start + part.length,
                zone: zone,
                day: part.hour.day,
                first: thing
            )
            boot = span.bootEnd
            if let last = spans.indices.last, spans[last].continues(with: span) {
                spans[last].append(span)
            } else {
                spans.append(span)
            }
        }
        return spans
    }

    private mutating func extendRecordedRange(_ who: Int64, first: WallTime, last: WallTime) {
        let known = recordedRanges[who] ?? first...last
        recordedRanges[who] = min(known.lowerBound, first)...max(known.upperBound, last)
    }

    private mutating func hour(of span: Span) -> LocalHour {
        time.hour(at: span.wallStart, zone: names.zone(span.zone)).hour
    }

    private mutating func count(_ pickup: Pickup, who: Int64, count: Int64) {
        let key = HourKey(owner: who, hour: pickup.hour)
        hours[key, default: UsageTotals()].pickups += count
        if let thing = pickup.thing {
            uses[UseKey(owner: who, hour: pickup.hour, subject: thing), default: UsageSum()].pickups += count
        } else {
            hours[key, default: UsageTotals()].idlePickups += count
        }
    }

    // Pickups and uninterrupted activity, which depend on the neighbouring rows.

    private mutating func insert(_ new: Span, lane: SpanTrack, database: Database) throws {
        let tail = try tail(lane, database)
        if let tail, new.bootStart < tail.span.bootEnd {
            try insertBefore(new, lane: lane, database: database)
        } else {
            append(new, after: tail, lane)
        }
    }

    // MARK: - At the end of a lane

    private mutating func append(_ new: Span, after tail: SpanTail?, _ lane: SpanTrack) {
        var next = SpanTail(span: new, pickup: nil, first: new.first)
        let isNext = tail.map { $0.span.bootEnd == new.bootStart } ?? false
        if let tail, tail.span.continues(with: new) {
            next.span = tail.span
            next.span.append(new)
        }
        if new.kind == .active {
            if let tail, isNext, tail.span.kind == .active {
                next.pickup = tail.pickup
                next.first = tail.first ?? new.first
                if let hour = tail.pickup, tail.first == nil, new.first != nil {
                    count(Pickup(hour: hour, wall: WallTime(ms: 0), thing: nil), who: lane.owner, count: -1)
                    count(
                        Pickup(hour: hour, wall: WallTime(ms: 0), thing: new.first),
                        who: lane.owner,
                        count: 1
                    )
                }
            } else if tail == nil || isNext && tail?.span.kind == .absent {
                let pickup = Pickup(hour: hour(of: new), wall: new.wallStart, thing: new.first)
                next.pickup = pickup.hour
                count(pickup, who: lane.owner, count: 1)
                hours[HourKey(owner: lane.owner, hour: pickup.hour), default: UsageTotals()].mark
                    .merge(pickup: pickup.wall)
            }
            hours[HourKey(owner: lane.owner, hour: hour(of: next.span)), default: UsageTotals()].mark
                .merge(start: next.span.wallStart, length: next.span.bootEnd - next.span.bootStart)
        }
        spans.set(next.span, lane)
        spans.set(next, lane)
    }

    private mutating func tail(_ lane: SpanTrack, _ database: Database) throws -> SpanTail? {
        if let known = spans.tail(lane) { return known }
        guard let last = try spans.span(before: .distantFuture, lane, database) else { return nil }
        var tail = SpanTail(span: last, pickup: nil, first: last.first)
        if last.kind == .active {
            let start = try chainStart(last, lane: lane, database: database)
            tail.pickup = try pickup(at: start, lane, database)?.hour
            tail.first = try firstUsed(from: start, lane, database)
        }
        spans.set(tail, lane)
        return tail
    }

    // MARK: - Anywhere

    /// Inserts a span out of order. It can join its neighbours or separate them, so their contributions are removed first.
    private mutating func insertBefore(_ new: Span, lane: SpanTrack, database: Database) throws {
        let left = try spans.span(before: new.bootStart, lane, database)
        let right = try spans.span(from: new.bootStart, lane, database)
        // Rows of one member and device never overlap. If two do, the first one received counts.
        if let left, left.bootEnd > new.bootStart { return }
        if let right, right.bootStart < new.bootEnd { return }
        spans.set(nil as SpanTail?, lane)
        var chains: [Span] = []
        var touched = [new]
        if let left, left.kind == .active, left.bootEnd == new.bootStart, new.kind == .active {
            chains.append(try chainStart(left, lane: lane, database: database))
            touched.append(left)
        }
        if let right, right.kind == .active {
            chains.append(right)
            touched.append(right)
        }
        for start in chains {
            guard let pickup = try pickup(at: start, lane, database) else { continue }
            count(pickup, who: lane.owner, count: -1)
        }
        let merged = merge(new, left: left, right: right, lane: lane)
        let isJoined = right?.bootStart == new.bootEnd && right?.kind == .active
        var after: [Span] = []
        if new.kind == .active { after.append(try chainStart(merged, lane: lane, database: database)) }
        if let right, right.kind == .active, !(isJoined && new.kind == .active) { after.append(right) }
        for start in after {
            guard let pickup = try pickup(at: start, lane, database) else { continue }
            count(pickup, who: lane.owner, count: 1)
        }
        for span in touched + chains + after where span.kind == .active {
            dirty.insert(DayKey(owner: lane.owner, day: span.day))
        }
    }

    /// Inserts a span between its neighbours, and merges it with those that it continues.
    private mutating func merge(_ new: Span, left: Span?, right: Span?, lane: SpanTrack) -> Span {
        var span = new
        if let left, left.continues(with: new) {
            span = left
            span.append(new)
        }
        if let right, span.continues(with: right) {
            spans.remove(right, lane)
            span.append(right)
        }
        spans.set(span, lane)
        return span
    }

    /// Returns the beginning of the uninterrupted activity that leads to this span, across midnights.
    private func chainStart(_ span: Span, lane: SpanTrack, database: Database) throws -> Span {
        var start = span
        while let left = try spans.span(before: start.bootStart, lane, database), left.kind == .active,
            left.bootEnd == start.bootStart
        {
            start = left
        }
        return start
    }

    private func firstUsed(from start: Span, _ lane: SpanTrack, _ database: Database) throws -> Int64? {
        var span = start
        while span.first == nil {
            guard let next = try spans.span(from: span.bootEnd, lane, database), next.kind == .active,
                next.bootStart == span.bootEnd
            else { return nil }
            span = next
        }
        return span.first
    }

    /// Returns the pickup at a span. Returns `nil` if activity only continues, or if the time before is not recorded.
    ///
    /// The first span of a boot is a pickup.
    private mutating func pickup(at start: Span, _ lane: SpanTrack, _ database: Database) throws -> Pickup? {
        if let left = try spans.span(before: start.bootStart, lane, database) {
            guard left.kind == .absent, left.bootEnd == start.bootStart else { return nil }
        }
        return Pickup(
            hour: hour(of: start),
            wall: start.wallStart,
            thing: try firstUsed(from: start, lane, database)
        )
    }

    /// Computes the first pickup and the longest activity of each hour of a day again.
    mutating func marks(of key: DayKey, _ database: Database) throws -> [LocalHour: UsageMark] {
        var marks: [LocalHour: UsageMark] = [:]
        for (lane, span) in try spans.active(who: key.owner, day: key.day, database) {
            let hour = hour(of: span)
            marks[hour, default: UsageMark()]
                .merge(start: span.wallStart, length: span.bootEnd - span.bootStart)
            if let pickup = try pickup(at: span, lane, database) {
                marks[hour, default: UsageMark()].merge(pickup: pickup.wall)
            }
        }
        return marks
    }

    // The tables, and the transfer between memory and them.

    static let tables = """
        CREATE TABLE hours (
            who INTEGER NOT NULL, start INTEGER NOT NULL, offset INTEGER NOT NULL, day INTEGER NOT NULL,
            \(UsageTables.totals), PRIMARY KEY (who, start, offset)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE days (
            who INTEGER NOT NULL, day INTEGER NOT NULL, \(UsageTables.totals), PRIMARY KEY (who, day)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE hour_use (
            who INTEGER NOT NULL, start INTEGER NOT NULL, offset INTEGER NOT NULL, thing INTEGER NOT NULL,
            \(UsageTables.sums), PRIMARY KEY (who, start, offset, thing)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE day_use (
            who INTEGER NOT NULL, day INTEGER NOT NULL, thing INTEGER NOT NULL,
            \(UsageTables.sums), PRIMARY KEY (who, day, thing)
        ) STRICT, WITHOUT ROWID;
        -- Things first: a year is summed up without sorting.
        CREATE TABLE month_use (
            who INTEGER NOT NULL, thing INTEGER NOT NULL, month INTEGER NOT NULL,
            \(UsageTables.sums), PRIMARY KEY (who, thing, month)
        ) STRICT, WITHOUT ROWID;
        """

    static func load(_ database: Database) throws -> UsageAggregator {
        var fold = UsageAggregator()
        fold.names = try ReportNames.load(database)
        try database.query("SELECT segment FROM open_use") {
            fold.opened(try Segment.decodedBody(try $0.blob(0)))
        }
        fold.openChanges = []
        return fold
    }

    static func clear(_ database: Database) throws {
        for table in UsageTables.all { try database.run("DELETE FROM \(table)") }
    }

    mutating func write(_ database: Database) throws {
        try names.write(database)
        try spans.write(database)
        let days = daySums()
        for (key, totals) in hours {
            let hour = key.hour
            try UsageTables.add(
                totals,
                sql: UsageTables.addHour,
                key: [key.owner, hour.startS, hour.offsetS, hour.day],
                database: database
            )
        }
        for (key, totals) in days {
            try UsageTables.add(
                totals,
                sql: UsageTables.addDay,
                key: [key.owner, key.day],
                database: database
            )
        }
        for (key, sum) in uses {
            let key = [key.owner, key.hour.startS, key.hour.offsetS, key.subject]
            try UsageTables.add(sum, sql: UsageTables.addHourUse, key: key, database: database)
        }
        try writeCoarser(database)
        for key in dirty { try UsageTables.set(try marks(of: key, database), of: key, database) }
        try writeOpen(database)
        for (who, range) in recordedRanges {
            try database.run(
                """
                UPDATE whos SET first_ms = min(coalesce(first_ms, ?1), ?1), last_ms = max(coalesce(last_ms, ?2), ?2)
                WHERE id = ?3
                """,
                [.integer(range.lowerBound.ms), .integer(range.upperBound.ms), .integer(who)]
            )
        }
        hours.removeAll(keepingCapacity: true)
        uses.removeAll(keepingCapacity: true)
        dirty = []
        recordedRanges = [:]
    }

    private func daySums() -> [DayKey: UsageTotals] {
        var days: [DayKey: UsageTotals] = [:]
        for (key, totals) in hours {
            days[DayKey(owner: key.owner, day: key.hour.day), default: UsageTotals()] += totals
        }
        return days
    }

    /// Adds the same usage to the sums of days, months and years.
    private func writeCoarser(_ database: Database) throws {
        var sums: [[Int64]: UsageSum] = [:]
        for (key, sum) in uses { sums[[key.owner, key.hour.day, key.subject], default: UsageSum()] += sum }
        for (key, sum) in sums {
            try UsageTables.add(sum, sql: UsageTables.addDayUse, key: key, database: database)
        }
        for (sql, coarser) in [
            (UsageTables.addMonthUse, UsageTables.month(ofDay:)), (UsageTables.addYearUse, { $0 / 12 }),
        ] {
            var next: [[Int64]: UsageSum] = [:]
            for (key, sum) in sums { next[[key[0], coarser(key[1]), key[2]], default: UsageSum()] += sum }
            for (key, sum) in next { try UsageTables.add(sum, sql: sql, key: key, database: database) }
            sums = next
        }
    }

    private mutating func writeOpen(_ database: Database) throws {
        for key in openChanges {
            let bindings: [SQLValue] = [.text(key.device), .text(key.segment)]
            if let segment = open[key] {
                try database.run(
                    "INSERT OR REPLACE INTO open_use (device, name, segment) VALUES (?, ?, ?)",
                    bindings + [.blob(try segment.encodedBody())]
                )
            } else {
                try database.run("DELETE FROM open_use WHERE device = ? AND name = ?", bindings)
            }
        }
        openChanges = []
    }
}
