import STContracts
import STDomain
import STEngine
import STPlatform
import STStore

/// Answers questions about a day.
enum ReportQuery {
    private struct Use {
        var member: String
        var presence: Presence
        var isShielded: Bool
        var app: String
        var domain: String
        var ms: Int64
    }

    static func day(
        _ request: ReportDay.Request,
        _ context: RequestContext,
        _ database: Database
    ) throws -> ReportDay.Reply {
        let day = try wanted(request.day, context)
        let grouping = try (request.by ?? .app).required("/by")
        let uses = try uses(of: day, database).filter { request.member == nil || $0.member == request.member }
        var rows: [String: Int64] = [:]
        var reply = ReportDay.Reply(
            day: day.text,
            zone: context.zone,
            usedMs: 0,
            absentMs: 0,
            unobservedMs: 0,
            rows: [],
            next: nil,
            since: try ReportStore.firstSeen(database).map { RFC3339.text(wallMs: $0) }
        )
        for use in uses {
            switch use.presence {
            case .active where use.isShielded: reply.shieldedMs = (reply.shieldedMs ?? 0) + use.ms
            case .active:
                reply.usedMs += use.ms
                if let name = name(use, grouping) { rows[name, default: 0] += use.ms }
            case .unobserved, .unknown: reply.unobservedMs += use.ms
            case .idle, .locked, .away, .suspended: reply.absentMs += use.ms
            }
        }
        let sorted = rows.map { ReportDay.Row(name: $0.key, usedMs: $0.value) }
            .sorted { ($1.usedMs, $0.name) < ($0.usedMs, $1.name) }
        (reply.rows, reply.next) = try OffsetPage.slice(sorted, next: request.next)
        return reply
    }

    private static func wanted(_ text: String?, _ context: RequestContext) throws -> CivilDate {
        guard let text else { return LocalDay(zone: context.zone).day(ofWallMs: context.now.wallMs) }
        guard let day = CivilDate(text: text) else {
            throw Problem(
                "report.bad_day",
                "\(text.prefix(40)) is no day; write it as 2026-11-20.",
                field: "/day"
            )
        }
        return day
    }

    private static func uses(of day: CivilDate, _ database: Database) throws -> [Use] {
        var uses = try database.query(
            "SELECT member, presence, app, domain, ms FROM day_use WHERE day = ?",
            [.text(day.text)]
        ) { row in
            let kind = try row.text(1)
            let isShielded = kind == ReportStore.shielded
            return Use(
                member: try row.text(0),
                presence: isShielded ? .active : Presence(rawValue: kind) ?? .unknown,
                isShielded: isShielded,
                app: try row.text(2),
                domain: try row.text(3),
                ms: try row.int(4)
            )
        }
        for segment in try ReportStore.openSegments(database) {
            for part in ReportStore.parts(of: segment) where part.day == day {
                uses.append(
                    Use(
                        member: segment.member,
                        presence: segment.presence,
                        isShielded: segment.shielded == true,
                        app: segment.app ?? "",
                        domain: segment.domain ?? "",
                        ms: part.ms
                    )
                )
            }
        }
        return uses
    }

    /// Nil for what has no such name: time without a site is no row of a report by site.
    private static func name(_ use: Use, _ grouping: ReportGrouping) -> String? {
        switch grouping {
        case .member: use.member
        case .site: use.domain.isEmpty ? nil : use.domain
        case .app, .unknown: use.app.isEmpty ? "(desktop)" : use.app
        }
    }
}
