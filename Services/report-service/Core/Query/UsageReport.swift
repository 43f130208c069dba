import STContracts
import STDomain
import STEngine
import STPlatform
import STStore

/// Replies to `report.usage`. If `isStrict` is true, unknown names are rejected.
enum UsageReport {
    static func usage(
        _ request: ReportUsage.Request,
        _ state: ReportState,
        _ context: RequestContext,
        _ database: Database,
        isStrict: Bool = true
    ) throws -> ReportUsage.Reply {
        let live = try LiveUsage(state, context.now, context.bootID, database)
        let names = live.fold.names
        let query = try UsageQuery(request, names, state, context, isStrict: isStrict)
        let plan = UsagePlan(query, lived: try lived(query, live, database))
        let place = try UsagePlace(request.next, count: plan.count)
        let window = plan.window(from: place.segment, max: query.keys.isEmpty ? 500 : 128)
        let categories = CategoryNames(names, state)
        var now = tally(query, names, categories, database)
        try now.add(window, live, at: plan.segment(ofHourAtMs:day:))
        let before = try query.compares ? earlier(window, plan, live, categories, database) : nil

        var page = UsagePage(query, now, before, UsageLabels(state, query.language))
        for index in window.segments {
            guard page.add(plan.bounds(index), index, after: index == place.segment ? place.after : nil)
            else {
                break
            }
        }
        let ranges = try CoverageReport.ranges(live, database).filter { query.whos.contains($0.key) }.values
        return ReportUsage.Reply(
            zone: query.zone,
            segments: page.segments,
            since: ranges.map(\.lowerBound).min().map { RFC3339.text(wallMs: $0) },
            updatedAt: ranges.map(\.upperBound).max().map {
                // A wrong clock can have produced moments in the future.
                RFC3339.text(wallMs: min($0, context.now.wallMs))
            },
            isOpen: live.isOpen(query.whos, fromMs: query.fromMs, toMs: query.toMs),
            next: page.next
                ?? (window.segments.upperBound < plan.count
                    ? UsagePlace(segment: window.segments.upperBound).text : nil)
        )
    }

    static func tally(
        _ query: UsageQuery,
        _ names: ReportNames,
        _ categories: CategoryNames,
        _ database: Database
    ) -> UsageTally {
        UsageTally(
            database: database,
            whos: query.whos,
            things: query.things,
            readsUses: !query.keys.isEmpty || query.things != nil,
            isWhole: query.segment == .whole,
            isByHour: query.segment == .hour,
            groups: UsageGroups(query.keys, names, categories, areHostsApart: query.areHostsApart)
        )
    }

    /// Reads the preceding period, which has the same local length and ends at the beginning of this one.
    ///
    /// If the report's days or weeks are not over yet, the preceding period ends at the same point within them.
    private static func earlier(
        _ window: UsagePlan.Window,
        _ plan: UsagePlan,
        _ live: LiveUsage,
        _ categories: CategoryNames,
        _ database: Database
    ) throws -> UsageTally {
        let shift = UsageShift(plan.query)
        var before = window
        before.fromMs = shift.earlier(window.fromMs)
        before.toMs = shift.earlier(window.toMs)
        if plan.query.segment == .day || plan.query.segment == .week {
            before.days = (window.days.lowerBound - shift.days)...(window.days.upperBound - shift.days)
        }
        var tally = tally(plan.query, live.fold.names, categories, database)
        try tally.add(before, live) { startMs, day in
            plan.segment(
                ofHourAtMs: startMs.map { min(max(shift.later($0), window.fromMs), window.toMs - 1) },
                day: day + shift.days
            )
        }
        return tally
    }

    /// Returns the first and the last recorded local day.
    private static func lived(_ query: UsageQuery, _ live: LiveUsage, _ database: Database) throws
        -> ClosedRange<Int64>?
    {
        guard query.segment == .day || query.segment == .week else { return nil }
        var days: [Int64] = []
        let (fromS, toS) = (query.fromMs / 1000, (query.toMs + 999) / 1000)
        // Days of different time zones overlap by at most a day and a few hours.
        let edgeS: Int64 = 2 * UsageTables.marginS
        for who in query.whos {
            for range in [fromS..<min(toS, fromS + edgeS), max(fromS, toS - edgeS)..<toS] {
                try database.query(
                    // Rows: the hours asked for.
                    "SELECT min(day), max(day) FROM hours WHERE who = ? AND start >= ? AND start < ?",
                    [.integer(who), .integer(range.lowerBound), .integer(range.upperBound)]
                ) { row in
                    if let low = try row.optionalInt(0), let high = try row.optionalInt(1) {
                        days += [low, high]
                    }
                }
            }
        }
        for key in live.fold.hours.keys where query.whos.contains(key.who) {
            if key.hour.startMs >= query.fromMs, key.hour.startMs < query.toMs { days.append(key.hour.day) }
        }
        guard let low = days.min(), let high = days.max() else { return nil }
        return low...high
    }
}

/// The distance to the preceding period, on local clocks: a day of 25 hours is one day.
struct UsageShift {
    private let rules: ZoneRules
    private let ms: Int64
    var days: Int64 { ms / LivedTime.dayMs }

    init(_ query: UsageQuery) {
        rules = query.rules
        let lengthMs = rules.localMs(atMs: query.toMs) - rules.localMs(atMs: query.fromMs)
        let startsDay =
            LivedTime.startMs(ofDay: LivedTime.day(atMs: query.fromMs, rules), rules) == query.fromMs
        let stepMs: Int64
        switch query.segment {
        case .week: stepMs = 7 * LivedTime.dayMs
        case .day: stepMs = LivedTime.dayMs
        // Hours of a day that began earlier are compared with the hours just before them.
        case .hour, .whole, .unknown: stepMs = startsDay || lengthMs >= LivedTime.dayMs ? LivedTime.dayMs : 1
        }
        ms = max(stepMs, LivedTime.floor(lengthMs + stepMs - 1, stepMs))
    }

    func earlier(_ moment: Int64) -> Int64 {
        rules.moment(showing: rules.localMs(atMs: moment) - ms).firstMs
    }

    func later(_ moment: Int64) -> Int64 {
        rules.moment(showing: rules.localMs(atMs: moment) + ms).firstMs
    }
}

/// The sums in the tables, with the open intervals up to this moment. Nothing of it is written.
struct LiveUsage {
    private(set) var fold: UsageFold
    /// The marks of days in which an open interval is between others.
    private(set) var marks: [UsageFold.HourKey: UsageMark] = [:]

    init(_ state: ReportState, _ now: TimeReading, _ bootID: String, _ database: Database) throws {
        fold = state.fold
        let open = state.fold.open.values.sorted { $0.segment < $1.segment }
        for segment in open {
            // Some intervals have ended but are not closed, because they may be taken back. These do not continue.
            let isLast = !open.contains {
                $0.member == segment.member && $0.device == segment.device && $0.bootId == segment.bootId
                    && ($0.startBootMs, $0.sequence) > (segment.startBootMs, segment.sequence)
            }
            try fold.take(isLast ? Self.upToNow(segment, now.bootMs, bootID) : segment, database)
        }
        for day in fold.dirty {
            for (hour, mark) in try fold.marks(of: day, database) {
                marks[UsageFold.HourKey(who: day.who, hour: hour)] = mark
            }
        }
    }

    /// Extends the present activity from the stream's last event to now, unless the agent has stopped reporting.
    private static func upToNow(_ segment: Segment, _ nowBootMs: Int64, _ bootID: String) -> Segment {
        guard segment.presence == .active, segment.device == nil, segment.bootId == bootID,
            (segment.endBootMs...segment.endBootMs + SegmentOpened.lastsMs).contains(nowBootMs)
        else { return segment }
        var segment = segment
        segment.endBootMs = nowBootMs
        return segment
    }

    /// Returns true if an open interval overlaps a period.
    func isOpen(_ whos: [Int64], fromMs: Int64, toMs: Int64) -> Bool {
        fold.open.values.contains { segment in
            let who = ReportNames.Who(device: segment.device ?? "", member: segment.member)
            return segment.startWallMs < toMs && segment.startWallMs + segment.durationMs >= fromMs
                && whos.contains { fold.names.who($0) == who }
        }
    }
}
