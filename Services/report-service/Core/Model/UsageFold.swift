import STContracts
import STStore

/// Adds rows of the ledger up: the one way from rows to sums, live, in a rebuild, and for what is still open.
///
/// It reads spans where it must, and writes nothing until `write`: a page of rows is one change of each sum. Rows may
/// come in any order.
struct UsageFold: Sendable {
    struct HourKey: Hashable, Sendable {
        var who: Int64
        var hour: LivedHour
    }

    struct UseKey: Hashable, Sendable {
        var who: Int64
        var hour: LivedHour
        var thing: Int64
    }

    struct DayKey: Hashable, Sendable {
        var who: Int64
        var day: Int64
    }

    /// The stretch under way: a member has one for each start of a device that is told of.
    struct OpenKey: Hashable, Sendable {
        var device: String
        var member: String
        var boot: String
    }

    var names = ReportNames()
    var book = SpanBook()
    var open: [OpenKey: Segment] = [:]
    var openChanges: Set<OpenKey> = []
    /// What is to be added to the sums.
    var hours: [HourKey: UsageTotals] = [:]
    var uses: [UseKey: UsageSum] = [:]
    /// Days whose first pickup and longest activity must be found anew, because something came in between.
    var dirty: Set<DayKey> = []
    /// From when to when anything is known of somebody.
    var seen: [Int64: ClosedRange<Int64>] = [:]
    private var time = LivedTime()

    // MARK: - What is told

    mutating func opened(_ segment: Segment) {
        let key = Self.key(segment)
        open[key] = segment
        openChanges.insert(key)
    }

    mutating func closed(_ segment: Segment, _ database: Database) throws {
        try take(segment, database)
        let key = Self.key(segment)
        // Only its own: the next stretch may have been opened by a later event already.
        guard open[key]?.segment == segment.segment else { return }
        open[key] = nil
        openChanges.insert(key)
    }

    mutating func notified(_ note: NotificationCount) {
        let who = names.number(.init(device: note.device ?? "", member: note.member))
        let thing = names.number(ReportNames.Thing(app: note.app, category: nil, domain: nil))
        let hour = time.hour(atMs: note.wallMs, zone: note.zone).hour
        hours[HourKey(who: who, hour: hour), default: UsageTotals()].notifications += note.count
        uses[UseKey(who: who, hour: hour, thing: thing), default: UsageSum()].notifications += note.count
        see(who, note.wallMs, note.wallMs)
    }

    private static func key(_ segment: Segment) -> OpenKey {
        OpenKey(device: segment.device ?? "", member: segment.member, boot: segment.bootId)
    }

    // MARK: - Rows

    /// A row of the ledger, or what is known so far of one that is to come.
    mutating func take(_ segment: Segment, _ database: Database) throws {
        let who = names.number(.init(device: segment.device ?? "", member: segment.member))
        see(who, segment.startWallMs, segment.startWallMs + max(0, segment.durationMs))
        guard segment.durationMs > 0 else { return }
        let isShielded = segment.shielded == true && segment.presence == .active
        let isUsed = segment.presence == .active && !isShielded
        let thing = isUsed ? names.number(ReportNames.Thing(segment)) : 0
        let parts = time.parts(
            startMs: segment.startWallMs,
            durationMs: segment.durationMs,
            zone: segment.zone
        )
        for part in parts {
            hours[HourKey(who: who, hour: part.hour), default: UsageTotals()]
                .add(part.ms, segment.presence, isShielded: isShielded)
            if isUsed {
                uses[UseKey(who: who, hour: part.hour, thing: thing), default: UsageSum()].ms += part.ms
            }
        }
        let lane = SpanLane(who: who, boot: names.number(boot: segment.bootId))
        for span in spans(segment, parts, thing: isUsed && segment.app != nil ? thing : nil) {
            try insert(span, lane, database)
        }
    }

    /// Activity is cut at local midnight.
    private mutating func spans(_ segment: Segment, _ parts: [LivedTime.Part], thing: Int64?) -> [Span] {
        let kind = Span.Kind(segment.presence)
        guard kind == .active else {
            return [
                Span(kind: kind, startBootMs: segment.startBootMs, endBootMs: segment.endBootMs)
            ]
        }
        var spans: [Span] = []
        var bootMs = segment.startBootMs
        let zone = names.number(zone: segment.zone)
        for part in parts {
            let span = Span(
                kind: kind,
                startBootMs: bootMs,
                endBootMs: bootMs + part.ms,
                startWallMs: part.startMs,
                endWallMs: part.startMs + part.ms,
                zone: zone,
                day: part.hour.day,
                first: thing
            )
            bootMs += part.ms
            if let last = spans.indices.last, spans[last].goesOn(with: span) {
                spans[last].append(span)
            } else {
                spans.append(span)
            }
        }
        return spans
    }

    private mutating func see(_ who: Int64, _ firstMs: Int64, _ lastMs: Int64) {
        let known = seen[who] ?? firstMs...lastMs
        seen[who] = min(known.lowerBound, firstMs)...max(known.upperBound, lastMs)
    }

    // MARK: - Small things

    mutating func hour(of span: Span) -> LivedHour {
        time.hour(atMs: span.startWallMs, zone: names.zone(span.zone)).hour
    }

    mutating func count(_ pickup: Pickup, _ who: Int64, _ count: Int64) {
        let key = HourKey(who: who, hour: pickup.hour)
        hours[key, default: UsageTotals()].pickups += count
        if let thing = pickup.thing {
            uses[UseKey(who: who, hour: pickup.hour, thing: thing), default: UsageSum()].pickups += count
        } else {
            hours[key, default: UsageTotals()].idlePickups += count
        }
    }
}

extension ReportNames.Thing {
    init(_ segment: Segment) {
        self.init(app: segment.app, category: segment.category, domain: segment.domain)
    }
}
