import STContracts

/// The expected report, computed from the ledger by simple arithmetic of UTC days.
struct UsageFold: Equatable {
    struct Day: Equatable {
        var usedMs: Int64 = 0
        var absentMs: Int64 = 0
        var unobservedMs: Int64 = 0
        var byApp: [String: Int64] = [:]
        var byMember: [String: Int64] = [:]
    }

    private static let dayMs: Int64 = 86_400_000
    private(set) var days: [Int64: Day] = [:]

    init(_ segments: [Segment]) {
        for segment in segments {
            var start = segment.startWallMs
            let end = start + segment.durationMs
            while start < end {
                let day = start / Self.dayMs
                let cut = min(end, (day + 1) * Self.dayMs)
                days[day, default: Day()].add(segment, ms: cut - start)
                start = cut
            }
        }
    }
}

extension UsageFold.Day {
    fileprivate mutating func add(_ segment: Segment, ms: Int64) {
        switch segment.presence {
        case .active:
            usedMs += ms
            byApp[segment.app ?? "(desktop)", default: 0] += ms
            byMember[segment.member, default: 0] += ms
        case .unobserved, .unknown: unobservedMs += ms
        case .idle, .locked, .away, .suspended: absentMs += ms
        }
    }

    /// Creates the sums from the two reports of a day.
    init(byApp: ReportDay.Reply, byMember: ReportDay.Reply) {
        usedMs = byApp.usedMs
        absentMs = byApp.absentMs
        unobservedMs = byApp.unobservedMs
        self.byApp = Dictionary(byApp.rows.map { ($0.name, $0.usedMs) }) { $0 + $1 }
        self.byMember = Dictionary(byMember.rows.map { ($0.name, $0.usedMs) }) { $0 + $1 }
    }
}
