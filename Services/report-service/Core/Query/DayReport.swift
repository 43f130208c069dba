import STContracts
import STEngine
import STPlatform
import STStore

/// One local day, wherever it was lived: what `screentime` shows where nothing else is asked for.
enum DayReport {
    static func day(
        _ request: ReportDay.Request,
        _ state: ReportState,
        _ context: RequestContext,
        _ database: Database
    ) throws -> ReportDay.Reply {
        let day = try wanted(request.day, context)
        let grouping = try (request.by ?? .app).required("/by")
        let live = try LiveUsage(state, database)
        let names = live.fold.names
        let key: ReportKey =
            switch grouping {
            case .member: .member
            case .site: .site
            case .app, .unknown: .app
            }
        var tally = UsageTally(
            database: database,
            whos: names.whos.indices.filter {
                request.member == nil || names.whos[$0].member == request.member
            }
            .map { Int64($0 + 1) },
            things: nil,
            readsUses: true,
            isWhole: true,
            isByHour: false,
            groups: UsageGroups([key], names, CategoryNames(names, state))
        )
        try tally.add(window(day), live) { _, _ in 0 }
        let totals = tally.totals[0] ?? UsageTotals()
        let rows = (tally.sums[0] ?? [:]).filter { $0.value.ms > 0 }.map { group, sum in
            let key = tally.groups.keys[group]
            return ReportDay.Row(name: key.site ?? key.member ?? key.app ?? "(desktop)", usedMs: sum.ms)
        }.sorted { ($1.usedMs, $0.name) < ($0.usedMs, $1.name) }
        let since = try CoverageReport.ranges(live, database).values.map(\.lowerBound).min()
        var reply = ReportDay.Reply(
            day: CivilDate(daysSinceEpoch: Int(day)).text,
            zone: context.zone,
            usedMs: totals.usedMs,
            absentMs: totals.absentMs,
            unobservedMs: totals.unobservedMs,
            shieldedMs: totals.shieldedMs > 0 ? totals.shieldedMs : nil,
            rows: [],
            since: since.map { RFC3339.text(wallMs: $0) }
        )
        (reply.rows, reply.next) = try OffsetPage.slice(rows, next: request.next)
        return reply
    }

    /// Wide enough for the day of any zone.
    private static func window(_ day: Int64) -> UsagePlan.Window {
        let marginMs = 2 * UsageTables.marginS * 1000
        return UsagePlan.Window(
            segments: 0..<1,
            fromMs: day * LivedTime.dayMs - marginMs,
            toMs: (day + 1) * LivedTime.dayMs + marginMs,
            days: day...day
        )
    }

    private static func wanted(_ text: String?, _ context: RequestContext) throws -> Int64 {
        guard let text else {
            return LivedTime.rules(context.zone).map { LivedTime.day(atMs: context.now.wallMs, $0) } ?? 0
        }
        guard let day = CivilDate(text: text) else {
            throw Problem(
                "report.bad_day",
                "\(text.prefix(40)) is no day; write it as 2026-11-20.",
                field: "/day"
            )
        }
        return Int64(day.daysSinceEpoch)
    }
}
