import STCommandCore
import STContracts
import STPlatform

extension ReportHouse {
    static let since = "2026-11-02T00:00:00.000Z"

    var coverage: ReportCoverage.Reply {
        ReportCoverage.Reply(
            members: ["kid", "parent", "teen"].map {
                ReportMember(member: $0, since: Self.since, updatedAt: Self.since)
            },
            devices: Self.devices,
            since: Self.since
        )
    }

    /// What report-service would answer, made the plain way.
    func answer(_ request: ReportUsage.Request) -> ReportUsage.Reply {
        let segments = bounds(request).map { bound in
            segment(bound, request)
        }
        return ReportUsage.Reply(
            zone: Self.zone,
            segments: segments,
            since: "2026-10-19T00:00:00.000Z",
            updatedAt: RFC3339.text(wallMs: Self.now.ms),
            isOpen: request.toWallMs > Self.now.ms
        )
    }

    func material(_ questions: ReportRequests, isTimeline: Bool) -> ReportSourceData {
        var material = ReportSourceData(usage: answer(questions.main))
        material.second = questions.second.map(answer)
        material.coverage = coverage
        material.desktop = .success(
            DesktopStatus.Reply(source: "scripted", reason: Message(verbatim: ""), seen: 9, waiting: 0)
        )
        let range = questions.main.fromWallMs..<questions.main.toWallMs
        if isTimeline {
            material.intervals = stretches.filter { stretch in
                range.contains(stretch.startMs) && (questions.main.members?.contains(stretch.member) ?? true)
            }.map(row)
        }
        return material
    }

    var rows: [Segment] { stretches.map(row) }

    private func row(_ stretch: Stretch) -> Segment {
        Segment(
            segment: "\(stretch.member)-\(stretch.startMs)",
            agent: "desk",
            run: "1",
            sequence: 1,
            member: stretch.member,
            presence: stretch.presence,
            app: stretch.app,
            domain: stretch.site,
            bootId: "b",
            startBootMs: 0,
            endBootMs: stretch.ms,
            startWallMs: stretch.startMs,
            zone: Self.zone,
            category: stretch.category,
            shielded: stretch.isShielded ? true : nil
        )
    }

    private func bounds(_ request: ReportUsage.Request) -> [(Int64, Int64)] {
        var bounds: [(Int64, Int64)] = []
        var start = request.fromWallMs
        while start < request.toWallMs {
            let day = Self.clock.day(WallTime(ms: start))
            let end: Int64
            switch request.segment {
            case .hour: end = start + 3_600_000
            case .day: end = Self.clock.start(of: day.adding(days: 1)).ms
            case .week: end = Self.clock.start(of: day.monday.adding(days: 7)).ms
            case .whole, .unknown: end = request.toWallMs
            }
            bounds.append((start, min(end, request.toWallMs)))
            start = end
        }
        return bounds
    }

    private func mine(_ request: ReportUsage.Request, from: Int64, to: Int64) -> [Stretch] {
        stretches.filter { stretch in
            (from..<to).contains(stretch.startMs) && (request.members?.contains(stretch.member) ?? true)
                && (request.devices?.contains(stretch.device ?? ReportDevice.this) ?? true)
        }
    }

    private func segment(_ bound: (Int64, Int64), _ request: ReportUsage.Request) -> ReportUsageSegment {
        let (from, to) = bound
        let all = mine(request, from: from, to: to)
        let used = all.filter { $0.presence == .active && !$0.isShielded }
        let notices = notices.filter { notice in
            (from..<to).contains(notice.wallMs) && (request.members?.contains(notice.member) ?? true)
        }
        let sum = { (list: [Stretch]) in list.reduce(0) { $0 + $1.ms } }
        let longest = used.max { $0.ms < $1.ms }
        let before = request.compares == true ? mine(request, from: from - (to - from), to: from) : []
        var segment = ReportUsageSegment(
            startWallMs: from,
            endWallMs: to,
            day: Self.clock.day(WallTime(ms: from)).text,
            usedMs: sum(used),
            absentMs: sum(all.filter { $0.presence == .idle }),
            unobservedMs: sum(all.filter { $0.presence == .unobserved }),
            shieldedMs: sum(all.filter(\.isShielded)),
            pickups: Int64(used.count { $0.isPickup }),
            idlePickups: Int64(used.count / 40),
            notifications: Int64(notices.count),
            firstPickupWallMs: used.filter(\.isPickup).map(\.startMs).min(),
            longestStartWallMs: longest?.startMs,
            longestEndWallMs: longest?.endMs,
            beforeMs: request.compares == true ? sum(before.filter { $0.presence == .active }) : nil,
            rows: []
        )
        guard !request.by.isEmpty else { return segment }
        var rows = rows(used, before: before, request: request)
        for notice in notices {
            guard
                let place = rows.firstIndex(where: {
                    $0.app ?? notice.app == notice.app && $0.member ?? notice.member == notice.member
                })
            else { continue }
            rows[place].notifications += 1
        }
        rows.sort { ($1.usedMs, "\($0)") < ($0.usedMs, "\($1)") }
        if let top = request.top, rows.count > top {
            let rest = rows.dropFirst(Int(top))
            segment.restCount = Int64(rest.count)
            segment.restMs = rest.reduce(0) { $0 + $1.usedMs }
            rows = Array(rows.prefix(Int(top)))
        }
        segment.rows = rows
        return segment
    }

    private func rows(_ used: [Stretch], before: [Stretch], request: ReportUsage.Request)
        -> [ReportUsageRow]
    {
        let names =
            request.language?.hasPrefix("ko") == true
            ? Self.names.merging(Self.koreanNames) { _, korean in korean } : Self.names
        var rows: [ReportUsageRow] = []
        func place(_ stretch: Stretch) -> Int {
            let by = Set(request.by)
            let row = ReportUsageRow(
                app: by.contains(.app) ? stretch.app : nil,
                category: by.contains(.category) ? stretch.category : nil,
                site: by.contains(.site) ? stretch.site : nil,
                member: by.contains(.member) ? stretch.member : nil,
                device: by.contains(.device) ? stretch.device ?? ReportDevice.this : nil,
                label: by.contains(.app) ? stretch.app.flatMap { names[$0] } : nil,
                usedMs: 0,
                pickups: 0,
                notifications: 0,
                beforeMs: request.compares == true ? 0 : nil
            )
            let found = rows.firstIndex {
                $0.app == row.app && $0.category == row.category && $0.site == row.site
                    && $0.member == row.member && $0.device == row.device
            }
            if let found { return found }
            rows.append(row)
            return rows.count - 1
        }
        for stretch in used {
            let place = place(stretch)
            rows[place].usedMs += stretch.ms
            if stretch.isPickup { rows[place].pickups += 1 }
        }
        for stretch in before where stretch.presence == .active && !stretch.isShielded {
            let place = place(stretch)
            rows[place].beforeMs = (rows[place].beforeMs ?? 0) + stretch.ms
        }
        return rows
    }
}
