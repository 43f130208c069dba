import STContracts
import STEngine
import STPlatform
import STStore

/// The report of one local day in all time zones, which `screentime` shows by default.
enum DayReport {
    static func day(
        _ request: ReportDay.Request,
        state: ReportState,
        context: RequestContext,
        database: Database
    ) throws -> ReportDay.Reply {
        let day = try wanted(request.day, context)
        let grouping = try (request.by ?? .app).required("/by")
        let live = try LiveUsage(state, now: context.now, bootID: context.bootID, database: database)
        let names = live.fold.names
        let key: ReportKey =
            switch grouping {
            case .member: .member
            case .site: .site
            case .app, .unknown: .app
            }
        var tally = UsageTally(
            database: database,
            owners: names.owners.indices.filter {
                request.member == nil || names.owners[$0].member == request.member
            }
            .map { Int64($0 + 1) },
            subjects: nil,
            readsUses: true,
            isWhole: true,
            isByHour: false,
            groups: UsageGroups([key], names: names, categories: CategoryNames(names, state))
        )
        try tally.add(window(day), live) { _, _ in 0 }
        let totals = tally.totals[0] ?? UsageTotals()
        let rows = zip(tally.groups.keys, tally.sums[0] ?? []).filter { $1.ms > 0 }.map { key, sum in
            ReportDay.Row(name: key.site ?? key.member ?? key.app ?? "(desktop)", usedMs: sum.ms)
        }.sorted { ($1.usedMs, $0.name) < ($0.usedMs, $1.name) }
        let since = try CoverageReport.ranges(live, database).values.map(\.lowerBound).min()
        var reply = ReportDay.Reply(
            day: CivilDate(daysSinceEpoch: Int(day)).text,
            zone: context.zone,
            usedMs: totals.used.ms,
            absentMs: totals.absent.ms,
            unobservedMs: totals.unobserved.ms,
            shieldedMs: totals.shielded > .zero ? totals.shielded.ms : nil,
            rows: [],
            since: since.map { RFC3339.text(wallMs: $0.ms) }
        )
        (reply.rows, reply.next) = try OffsetPage.slice(rows, next: request.next)
        return reply
    }

    /// Returns a window that contains the day in any time zone.
    private static func window(_ day: Int64) -> UsagePlan.Window {
        let margin = Duration.seconds(2 * UsageTables.marginS)
        return UsagePlan.Window(
            segments: 0..<1,
            from: WallTime(ms: day * LocalHours.dayLength.ms) - margin,
            to: WallTime(ms: (day + 1) * LocalHours.dayLength.ms) + margin,
            days: day...day
        )
    }

    private static func wanted(_ text: String?, _ context: RequestContext) throws -> Int64 {
        guard let text else {
            return LocalHours.rules(context.zone).map { LocalHours.day(at: context.now.wall, $0) } ?? 0
        }
        guard let day = CivilDate(text: text) else {
            throw Problem(
                "report.bad_day",
                "\(text.prefix(40), "text") is not a valid day. Write days in the form 2026-11-20.",
                field: "/day"
            )
        }
        return Int64(day.daysSinceEpoch)
    }
}

/// The members and devices with recorded usage, and the periods of the records.
enum CoverageReport {
    static func coverage(_ state: ReportState, context: RequestContext, database: Database) throws
        -> ReportCoverage.Reply
    {
        let now = context.now.wall
        let live = try LiveUsage(state, now: context.now, bootID: context.bootID, database: database)
        let known = try ranges(live, database)
        var members: [String: ClosedRange<WallTime>] = [:]
        for (who, range) in known {
            let member = live.fold.names.owner(who).member
            let before = members[member] ?? range
            members[member] = union(before, range)
        }
        let whole = members.values.reduce(nil as ClosedRange<WallTime>?) { union($0 ?? $1, $1) }
        return ReportCoverage.Reply(
            members: members.sorted { $0.key < $1.key }.map {
                ReportMember(
                    member: $0.key,
                    since: RFC3339.text(wallMs: $0.value.lowerBound.ms),
                    updatedAt: RFC3339.text(wallMs: min($0.value.upperBound, now).ms)
                )
            },
            devices: devices(state),
            since: whole.map { RFC3339.text(wallMs: $0.lowerBound.ms) },
            // A wrong clock can have produced moments in the future.
            updatedAt: whole.map { RFC3339.text(wallMs: min($0.upperBound, now).ms) }
        )
    }

    static func devices(_ state: ReportState) -> [ReportDevice] {
        let this = ReportDevice(device: ReportDevice.this, name: name(nil), model: .mac, isThis: true)
        let others = state.devices.values.sorted { ($0.name, $0.device) < ($1.name, $1.device) }.map {
            ReportDevice(device: $0.device, name: $0.name, model: $0.model, isThis: false)
        }
        return [this] + others
    }

    /// Returns the period in which usage is recorded, for each member at a device.
    static func ranges(_ live: LiveUsage, _ database: Database) throws -> [Int64: ClosedRange<WallTime>] {
        var ranges = live.fold.recordedRanges
        // Rows: all: the members on their devices.
        try database.query("SELECT id, first_ms, last_ms FROM whos WHERE first_ms IS NOT NULL") { row in
            let who = try row.int(0)
            let range = WallTime(ms: try row.int(1))...WallTime(ms: try row.int(2))
            ranges[who] = union(ranges[who] ?? range, range)
        }
        return ranges
    }

    private static func union(_ one: ClosedRange<WallTime>, _ other: ClosedRange<WallTime>)
        -> ClosedRange<WallTime>
    {
        min(one.lowerBound, other.lowerBound)...max(one.upperBound, other.upperBound)
    }

    /// Returns the id of a device for other services, in which this computer has an id too.
    static func id(_ device: String) -> String { device.isEmpty ? ReportDevice.this : device }

    static func name(_ language: String?) -> String {
        DisplayLanguage(of: language).text("day.this-computer", "This computer")
    }
}
