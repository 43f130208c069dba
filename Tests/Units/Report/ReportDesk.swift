import STContracts
import STDomain
import STPlatform
import STTestKit

@testable import STReportCore

/// A read model and the stream from which it is built.
struct ReportDesk {
    var bench: CoreBench<ReportState>
    private(set) var told: [WireEvent] = []

    init() throws {
        // 2026-11-20 in Seoul.
        let time = SimulatedTimeSource(
            wallMs: Self.wallMs(2026, month: 11, day: 20, hour: 3),
            zone: "Asia/Seoul"
        )
        bench = try CoreBench(ReportService.definition(), time: time)
    }

    /// In UTC.
    static func wallMs(_ year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0) -> Int64 {
        let days = CivilDate(year: year, month: month, day: day).daysSinceEpoch
        return Int64(days) * 86_400_000 + Int64(hour * 60 + minute) * 60_000
    }

    static func segment(
        _ number: Int,
        app: String? = "editor",
        domain: String? = nil,
        member: String = "child",
        presence: Presence = .active,
        atWallMs: Int64 = wallMs(2026, month: 11, day: 20),
        minutes: Int64,
        zone: String = "Asia/Seoul"
    ) -> Segment {
        Segment(
            segment: "agent/run/\(number)",
            agent: "agent",
            run: "run",
            sequence: Int64(number),
            member: member,
            presence: presence,
            app: app,
            domain: domain,
            bootId: "boot",
            startBootMs: atWallMs - wallMs(2026, month: 1, day: 1),
            endBootMs: atWallMs - wallMs(2026, month: 1, day: 1) + minutes * 60_000,
            startWallMs: atWallMs,
            zone: zone
        )
    }

    mutating func open(_ segment: Segment) throws { try tell(SegmentOpened.self, segment) }

    mutating func close(_ segment: Segment) throws { try tell(SegmentClosed.self, segment) }

    private mutating func tell<E: EventType>(_ type: E.Type, _ segment: Segment) throws
    where E.Body == Segment {
        let event = try CoreBench<ReportState>.event(
            type,
            sequence: Int64(told.count + 1),
            subject: segment.segment,
            body: segment
        )
        try tell(event)
    }

    func day(_ day: String? = nil, member: String? = nil, by grouping: ReportGrouping? = nil) throws
        -> ReportDay.Reply
    {
        try bench.ask(ReportDay.self, .init(day: day, member: member, by: grouping))
    }

    mutating func notify(_ note: NotificationCount) throws {
        let number = told.count + 1
        try tell(
            try CoreBench<ReportState>.event(
                UsageNotified.self,
                sequence: Int64(number),
                subject: "note/\(number)",
                body: note
            )
        )
    }

    mutating func tell(_ event: WireEvent) throws {
        told.append(event)
        try bench.follow([event])
    }

    /// The usage of the given days, in Seoul by default.
    func usage(
        from: String = "2026-11-20",
        through: String? = nil,
        segment: ReportSegmentation = .whole,
        by: [ReportKey] = [],
        zone: String = "Asia/Seoul",
        change: (inout ReportUsage.Request) -> Void = { _ in }
    ) throws -> ReportUsage.Reply {
        var request = ReportUsage.Request(
            fromWallMs: Self.start(of: from, zone),
            toWallMs: Self.start(of: through ?? from, zone, later: 1),
            segment: segment,
            by: by,
            zone: zone
        )
        change(&request)
        return try bench.ask(ReportUsage.self, request)
    }

    static func start(of day: String, _ zone: String, later days: Int = 0) -> Int64 {
        let number = (CivilDate(text: day)?.daysSinceEpoch ?? 0) + days
        guard let rules = ZoneRules.load(zone) else { return 0 }
        return LocalHours.start(ofDay: Int64(number), rules).ms
    }

    /// Rows in the form `name minutes`.
    func rows(_ day: String? = nil, member: String? = nil, by grouping: ReportGrouping? = nil) throws
        -> [String]
    {
        try self.day(day, member: member, by: grouping).rows.map { "\($0.name) \($0.usedMs / 60_000)" }
    }

    /// The last event of each subject, like in a snapshot.
    var snapshot: [WireEvent] {
        told.enumerated().filter { index, event in
            !told[(index + 1)...].contains { $0.header.subject == event.header.subject }
        }.map(\.element)
    }
}
