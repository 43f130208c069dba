import STStore

/// What depends on the rows before and after: pickups, and time without a break.
extension UsageFold {
    mutating func insert(_ new: Span, _ lane: SpanLane, _ database: Database) throws {
        let tail = try tail(lane, database)
        if let tail, new.startBootMs < tail.span.endBootMs {
            try insertBefore(new, lane, database)
        } else {
            append(new, after: tail, lane)
        }
    }

    // MARK: - At the end of a lane

    private mutating func append(_ new: Span, after tail: SpanTail?, _ lane: SpanLane) {
        var next = SpanTail(span: new, pickup: nil, first: new.first)
        let isNext = tail.map { $0.span.endBootMs == new.startBootMs } ?? false
        if let tail, tail.span.goesOn(with: new) {
            next.span = tail.span
            next.span.append(new)
        }
        if new.kind == .active {
            if let tail, isNext, tail.span.kind == .active {
                next.pickup = tail.pickup
                next.first = tail.first ?? new.first
                if let hour = tail.pickup, tail.first == nil, new.first != nil {
                    count(Pickup(hour: hour, wallMs: 0, thing: nil), lane.who, -1)
                    count(Pickup(hour: hour, wallMs: 0, thing: new.first), lane.who, 1)
                }
            } else if tail == nil || isNext && tail?.span.kind == .absent {
                let pickup = Pickup(hour: hour(of: new), wallMs: new.startWallMs, thing: new.first)
                next.pickup = pickup.hour
                count(pickup, lane.who, 1)
                hours[HourKey(who: lane.who, hour: pickup.hour), default: UsageTotals()].mark
                    .take(pickupMs: pickup.wallMs)
            }
            hours[HourKey(who: lane.who, hour: hour(of: next.span)), default: UsageTotals()].mark
                .take(startMs: next.span.startWallMs, ms: next.span.endBootMs - next.span.startBootMs)
        }
        book.set(next.span, lane)
        book.set(next, lane)
    }

    private mutating func tail(_ lane: SpanLane, _ database: Database) throws -> SpanTail? {
        if let known = book.tail(lane) { return known }
        guard let last = try book.span(before: .max, lane, database) else { return nil }
        var tail = SpanTail(span: last, pickup: nil, first: last.first)
        if last.kind == .active {
            let start = try chainStart(last, lane, database)
            tail.pickup = try pickup(at: start, lane, database)?.hour
            tail.first = try firstUsed(from: start, lane, database)
        }
        book.set(tail, lane)
        return tail
    }

    // MARK: - Anywhere

    /// What comes late may join what is there, or stand between: what was said of its neighbours is taken back first.
    private mutating func insertBefore(_ new: Span, _ lane: SpanLane, _ database: Database) throws {
        let left = try book.span(before: new.startBootMs, lane, database)
        let right = try book.span(from: new.startBootMs, lane, database)
        // Rows of one member and device never overlap; of two that do, the first to come decides.
        if let left, left.endBootMs > new.startBootMs { return }
        if let right, right.startBootMs < new.endBootMs { return }
        book.set(nil as SpanTail?, lane)
        var chains: [Span] = []
        var touched = [new]
        if let left, left.kind == .active, left.endBootMs == new.startBootMs, new.kind == .active {
            chains.append(try chainStart(left, lane, database))
            touched.append(left)
        }
        if let right, right.kind == .active {
            chains.append(right)
            touched.append(right)
        }
        for start in chains {
            guard let pickup = try pickup(at: start, lane, database) else { continue }
            count(pickup, lane.who, -1)
        }
        let merged = put(new, left, right, lane)
        let isJoined = right?.startBootMs == new.endBootMs && right?.kind == .active
        var after: [Span] = []
        if new.kind == .active { after.append(try chainStart(merged, lane, database)) }
        if let right, right.kind == .active, !(isJoined && new.kind == .active) { after.append(right) }
        for start in after {
            guard let pickup = try pickup(at: start, lane, database) else { continue }
            count(pickup, lane.who, 1)
        }
        for span in touched + chains + after where span.kind == .active {
            dirty.insert(DayKey(who: lane.who, day: span.day))
        }
    }

    /// Puts a span between its neighbours, as one with those that it goes on with.
    private mutating func put(_ new: Span, _ left: Span?, _ right: Span?, _ lane: SpanLane) -> Span {
        var span = new
        if let left, left.goesOn(with: new) {
            span = left
            span.append(new)
        }
        if let right, span.goesOn(with: right) {
            book.remove(right, lane)
            span.append(right)
        }
        book.set(span, lane)
        return span
    }

    /// Where the activity began that goes on without a break until this span, over midnights too.
    private func chainStart(_ span: Span, _ lane: SpanLane, _ database: Database) throws -> Span {
        var start = span
        while let left = try book.span(before: start.startBootMs, lane, database), left.kind == .active,
            left.endBootMs == start.startBootMs
        {
            start = left
        }
        return start
    }

    private func firstUsed(from start: Span, _ lane: SpanLane, _ database: Database) throws -> Int64? {
        var span = start
        while span.first == nil {
            guard let next = try book.span(from: span.endBootMs, lane, database), next.kind == .active,
                next.startBootMs == span.endBootMs
            else { return nil }
            span = next
        }
        return span.first
    }

    /// Nil where activity only goes on, and where nobody knows what was before.
    ///
    /// The first thing that is known of a start of the device is a pickup.
    private mutating func pickup(at start: Span, _ lane: SpanLane, _ database: Database) throws -> Pickup? {
        if let left = try book.span(before: start.startBootMs, lane, database) {
            guard left.kind == .absent, left.endBootMs == start.startBootMs else { return nil }
        }
        return Pickup(
            hour: hour(of: start),
            wallMs: start.startWallMs,
            thing: try firstUsed(from: start, lane, database)
        )
    }

    /// The first pickup and the longest activity of each hour of a day, found anew.
    mutating func marks(of key: DayKey, _ database: Database) throws -> [LivedHour: UsageMark] {
        var marks: [LivedHour: UsageMark] = [:]
        for (lane, span) in try book.active(who: key.who, day: key.day, database) {
            let hour = hour(of: span)
            marks[hour, default: UsageMark()]
                .take(startMs: span.startWallMs, ms: span.endBootMs - span.startBootMs)
            if let pickup = try pickup(at: span, lane, database) {
                marks[hour, default: UsageMark()].take(pickupMs: pickup.wallMs)
            }
        }
        return marks
    }
}
