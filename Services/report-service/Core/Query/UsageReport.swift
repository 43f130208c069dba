import STContracts
import STDomain
import STEngine
import STPlatform
import STStore

/// Replies to `report.usage`. If `isStrict` is true, unknown names are rejected.
enum UsageReport {
    static func usage(
        _ request: ReportUsage.Request,
        state: ReportState,
        context: RequestContext,
        database: Database,
        isStrict: Bool = true
    ) throws -> ReportUsage.Reply {
        let live = try LiveUsage(state, now: context.now, bootID: context.bootID, database: database)
        let names = live.fold.names
        let query = try UsageQuery(request, names: names, state: state, context: context, isStrict: isStrict)
        let plan = UsagePlan(query, lived: try recordedDays(query, live: live, database: database))
        let place = try UsagePageCursor(request.next, count: plan.count)
        let window = plan.window(from: place.segment, max: query.keys.isEmpty ? 500 : 128)
        let categories = CategoryNames(names, state)
        var now = tally(query, names: names, categories: categories, database: database)
        try now.add(window, live, at: plan.segment(ofHourAt:day:))
        let before =
            try query.compares
            ? earlier(window, plan: plan, live: live, categories: categories, database: database) : nil

        var page = UsagePage(query, now: now, before: before, labels: UsageLabels(state, query.language))
        for index in window.segments {
            guard page.add(plan.bounds(index), index, after: index == place.segment ? place.after : nil)
            else {
                break
            }
        }
        let ranges = try CoverageReport.ranges(live, database).filter { query.owners.contains($0.key) }.values
        return ReportUsage.Reply(
            zone: query.zone,
            segments: page.segments,
            since: ranges.map(\.lowerBound).min().map { RFC3339.text(wallMs: $0.ms) },
            updatedAt: ranges.map(\.upperBound).max().map {
                // A wrong clock can have produced moments in the future.
                RFC3339.text(wallMs: min($0, context.now.wall).ms)
            },
            isOpen: live.isOpen(query.owners, from: query.from, to: query.to),
            next: page.next
                ?? (window.segments.upperBound < plan.count
                    ? UsagePageCursor(segment: window.segments.upperBound).text : nil)
        )
    }

    static func tally(
        _ query: UsageQuery,
        names: ReportNames,
        categories: CategoryNames,
        database: Database
    ) -> UsageTally {
        UsageTally(
            database: database,
            owners: query.owners,
            subjects: query.subjects,
            readsUses: !query.keys.isEmpty || query.subjects != nil,
            isWhole: query.segment == .whole,
            isByHour: query.segment == .hour,
            groups: UsageGroups(
                query.keys,
                names: names,
                categories: categories,
                areHostsApart: query.areHostsApart
            )
        )
    }

    /// Reads the preceding period, which has the same local length and ends at the beginning of this one.
    ///
    /// If the report's days or weeks are not over yet, the preceding period ends at the same point within them.
    private static func earlier(
        _ window: UsagePlan.Window,
        plan: UsagePlan,
        live: LiveUsage,
        categories: CategoryNames,
        database: Database
    ) throws -> UsageTally {
        let shift = UsageShift(plan.query)
        var before = window
        before.from = shift.earlier(window.from)
        before.to = shift.earlier(window.to)
        if plan.query.segment == .day || plan.query.segment == .week {
            before.days = (window.days.lowerBound - shift.days)...(window.days.upperBound - shift.days)
        }
        var tally = tally(plan.query, names: live.fold.names, categories: categories, database: database)
        try tally.add(before, live) { start, day in
            plan.segment(
                ofHourAt: start.map { min(max(shift.later($0), window.from), window.to - .milliseconds(1)) },
                day: day + shift.days
            )
        }
        return tally
    }

    /// Returns the first and the last recorded local day.
    private static func recordedDays(_ query: UsageQuery, live: LiveUsage, database: Database) throws
        -> ClosedRange<Int64>?
    {
        guard query.segment == .day || query.segment == .week else { return nil }
        var days: [Int64] = []
        let (fromS, toS) = (query.from.ms / 1000, (query.to.ms + 999) / 1000)
        // Days of different time zones overlap by at most a day and a few hours.
        let edgeS: Int64 = 2 * UsageTables.marginS
        for who in query.owners {
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
        for key in live.fold.hours.keys where query.owners.contains(key.owner) {
            if key.hour.start >= query.from, key.hour.start < query.to { days.append(key.hour.day) }
        }
        guard let low = days.min(), let high = days.max() else { return nil }
        return low...high
    }
}

/// The distance to the preceding period, on local clocks: a day of 25 hours is one day.
struct UsageShift {
    private let rules: ZoneRules
    private let length: Duration
    var days: Int64 { length.ms / LocalHours.dayLength.ms }

    init(_ query: UsageQuery) {
        rules = query.rules
        let whole = Duration.milliseconds(
            rules.localMs(atMs: query.to.ms) - rules.localMs(atMs: query.from.ms)
        )
        let startsDay =
            LocalHours.start(ofDay: LocalHours.day(at: query.from, rules), rules) == query.from
        let step: Duration
        switch query.segment {
        case .week: step = LocalHours.dayLength * 7
        case .day: step = LocalHours.dayLength
        // Hours of a day that began earlier are compared with the hours just before them.
        case .hour, .whole, .unknown:
            step = startsDay || whole >= LocalHours.dayLength ? LocalHours.dayLength : .milliseconds(1)
        }
        length = max(step, .milliseconds(LocalHours.floor(whole.ms + step.ms - 1, step.ms)))
    }

    func earlier(_ moment: WallTime) -> WallTime {
        WallTime(ms: rules.moment(showing: rules.localMs(atMs: moment.ms) - length.ms).firstMs)
    }

    func later(_ moment: WallTime) -> WallTime {
        WallTime(ms: rules.moment(showing: rules.localMs(atMs: moment.ms) + length.ms).firstMs)
    }
}

/// The sums in the tables, with the open intervals up to this moment. Nothing of it is written.
struct LiveUsage {
    private(set) var fold: UsageAggregator
    /// The marks of days in which an open interval is between others.
    private(set) var marks: [UsageAggregator.HourKey: UsageMark] = [:]

    init(_ state: ReportState, now: TimeReading, bootID: String, database: Database) throws {
        fold = state.fold
        let open = state.fold.open.values.sorted { $0.segment < $1.segment }
        for segment in open {
            // Some intervals have ended but are not closed, because they may be taken back. These do not continue.
            let isLast = !open.contains {
                $0.member == segment.member && $0.device == segment.device && $0.bootId == segment.bootId
                    && ($0.startBootMs, $0.sequence) > (segment.startBootMs, segment.sequence)
            }
            try fold.add(
                isLast ? Self.closedAtNow(segment, now: now.boot, bootID: bootID) : segment,
                database
            )
        }
        for day in fold.dirty {
            for (hour, mark) in try fold.marks(of: day, database) {
                marks[UsageAggregator.HourKey(owner: day.owner, hour: hour)] = mark
            }
        }
    }

    /// Extends the present activity from the stream's last event to now, unless the agent has stopped reporting.
    private static func closedAtNow(_ segment: Segment, now: BootTime, bootID: String) -> Segment {
        guard segment.presence == .active, segment.device == nil, segment.bootId == bootID,
            (segment.endBootMs...segment.endBootMs + SegmentOpened.lastsMs).contains(now.ms)
        else { return segment }
        var segment = segment
        segment.endBootMs = now.ms
        return segment
    }

    /// Returns true if an open interval overlaps a period.
    func isOpen(_ whos: [Int64], from: WallTime, to: WallTime) -> Bool {
        fold.open.values.contains { segment in
            let who = ReportNames.UsageOwner(device: segment.device ?? "", member: segment.member)
            return segment.startWallMs < to.ms && segment.startWallMs + segment.durationMs >= from.ms
                && whos.contains { fold.names.owner($0) == who }
        }
    }
}
