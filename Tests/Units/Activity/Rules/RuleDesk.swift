import STContracts
import STEngine
import STPlatform
import STTestKit

@testable import STActivityCore

/// activity-center with a household of an owner and a child, on Friday, 2026-11-20 at noon in Berlin.
final class RuleDesk {
    var bench: CoreBench<ActivityState>

    static let noonMs = wallMs(day: 20, hour: 12)
    /// The start of that day. `nextMs` is the start of the next day.
    static let dayMs = wallMs(day: 20, hour: 0)
    static let nextMs = wallMs(day: 21, hour: 0)

    init(language: String = "en") throws {
        let time = SimulatedTimeSource(wallMs: Self.noonMs, zone: "Europe/Berlin")
        bench = try CoreBench(ActivityService.definition(language: language), time: time)
        answer()
    }

    /// The wall-clock time of a moment in November 2026 in Berlin.
    static func wallMs(day: Int, hour: Int, minute: Int = 0) -> Int64 {
        let days = CivilDate(year: 2026, month: 11, day: day).daysSinceEpoch
        return Int64(days) * 86_400_000 + Int64((hour - 1) * 60 + minute) * 60_000
    }

    private func answer() {
        bench.otherService = { route, _ in
            guard route == MemberList.name else { throw Problem("route.not_found", verbatim: route) }
            return try MemberList.Reply(
                device: Device(id: "d", name: "desk"),
                members: [Member(name: "owner", role: .individual), Member(name: "kid", role: .child)]
            ).encodedBody()
        }
    }

    func restart() throws {
        bench = try bench.reopened()
        answer()
    }

    /// Restarts the machine with these clocks.
    func reboot(wallMs: Int64, bootMs: Int64) throws {
        try bench.store.close()
        bench = try CoreBench(
            ActivityService.definition(),
            scratch: bench.scratch,
            time: SimulatedTimeSource(
                wallMs: wallMs,
                bootMs: bootMs,
                zone: "Europe/Berlin",
                bootID: "another \(wallMs)"
            )
        )
        answer()
    }

    var book: RuleState { bench.state.rules }

    @discardableResult
    func add(_ spec: RuleSpec) throws -> RuleAdd.Reply { try bench.ask(RuleAdd.self, .init(spec)) }

    func refusal(_ spec: RuleSpec) throws -> Problem? { try bench.refusal(RuleAdd.self, .init(spec)) }

    static func app(_ id: String) -> TokenItem { TokenItem(kind: .application, id: id) }

    static func limit(_ app: String = "firefox", minutes: Int64 = 30) -> RuleSpec {
        RuleSpec(kind: .limit, targets: [Self.app(app)], durationMs: minutes * 60_000)
    }

    static func downtime(_ from: String = "21:30", _ to: String = "07:00") -> RuleSpec {
        RuleSpec(kind: .downtime, window: RuleWindow(from: from, to: to))
    }

    static func window(_ from: String = "17:00", _ to: String = "20:00", days: [Int]? = nil) -> RuleSpec {
        RuleSpec(
            kind: .window,
            targets: [TokenItem(kind: .category, id: "social")],
            window: RuleWindow(from: from, to: to),
            days: days
        )
    }

    static func goal() -> RuleSpec {
        RuleSpec(
            kind: .goal,
            targets: [app("code")],
            durationMs: 7_200_000,
            opens: [TokenItem(kind: .category, id: "games")]
        )
    }

    static func occurrence(
        _ activity: String,
        _ occasion: ActivityOccasion,
        event: String? = nil,
        dueMs: Int64 = noonMs,
        countedMs: Int64? = nil,
        thresholdMs: Int64? = nil,
        startMs: Int64 = wallMs(day: 20, hour: 0),
        endMs: Int64 = wallMs(day: 21, hour: 0),
        member: String = "owner"
    ) -> ActivityOccurrence {
        ActivityOccurrence(
            app: BuiltInRules.app,
            member: member,
            activity: activity,
            event: event,
            occasion: occasion,
            dueWallMs: dueMs,
            interval: IntervalSpan(startWallMs: startMs, endWallMs: endMs, zone: "Europe/Berlin"),
            evidence: ActivityEvidence(
                rule: Message(verbatim: "rule"),
                countedMs: countedMs,
                thresholdMs: thresholdMs,
                parts: [],
                more: 0
            )
        )
    }

    /// Applies the occurrence, and returns its notices that are due immediately.
    @discardableResult
    func deliver(_ id: String, _ occurrence: ActivityOccurrence) throws -> [NotifyPost.Request] {
        try bench.apply(occurrence, event: id)
        let until = bench.time.now().wall + RuleOutcome.validity
        var posts: [NotifyPost.Request] = []
        for rule in book.rules.values {
            for notice in rule.held where notice.post.id == id && notice.untilMs == until.ms {
                posts.append(notice.post)
                try bench.letGo(rule: rule.id, id: id)
            }
        }
        return posts
    }
}
