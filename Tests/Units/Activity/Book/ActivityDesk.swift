import STActivityCore
import STContracts
import STDomain
import STPlatform
import STTestKit
import STTestSupport

/// activity-center's rules over a real database, with a household and an agent in front of it.
final class ActivityDesk {
    static let noon = BookDesk.noon

    private(set) var bench: CoreBench<ActivityState>
    private var sequence: Int64 = 0
    /// Until when the child touches something, as the agent says with all that it sees.
    var inputBootMs: Int64?
    /// What auth-service would answer; nil means that it is not there.
    private let word = Word()

    final class Word: @unchecked Sendable {
        // @unchecked: one test uses it on one thread.
        var status = AuthorizationStatus.approved
        var access = true
        var items: [String: TokenItem] = [:]
    }

    private let bootID: String

    init(limits: ActivityLimits = ActivityLimits(), zone: String = "UTC", bootID: String = "boot") throws {
        self.bootID = bootID
        bench = try CoreBench(
            ActivityService.definition(limits: limits),
            time: SimulatedTimeSource(wallMs: Self.noon, bootMs: 1_000_000, zone: zone, bootID: bootID)
        )
        try household()
        answer()
    }

    private func household() throws {
        try bench.follow([
            CoreBench<ActivityState>.event(
                MemberAdded.self,
                1,
                subject: "member/guardian",
                Member(name: "guardian", role: .individual)
            ),
            CoreBench<ActivityState>.event(
                MemberAdded.self,
                2,
                subject: "member/child",
                Member(name: "child", role: .child)
            ),
        ])
    }

    private func answer() {
        bench.otherService = { [word] route, body in
            if route == MemberList.name {
                return try MemberList.Reply(
                    device: Device(id: "d", name: "desk"),
                    members: [
                        Member(name: "guardian", role: .individual), Member(name: "child", role: .child),
                    ]
                ).encodedBody()
            }
            let request = try AuthCheck.Request.decodedBody(body)
            let items = try request.tokens.map { token in
                guard let item = word.items[token] else {
                    throw Problem(
                        "token.unknown",
                        "auth-service did not return the app, category or site that this token represents."
                    )
                }
                return item
            }
            return try AuthCheck.Reply(
                authorization: Authorization(
                    app: request.app,
                    member: request.member ?? "guardian",
                    status: word.status,
                    scope: .individual,
                    access: word.access,
                    enforce: true,
                    generation: 1
                ),
                items: items,
                hasMonitor: true
            ).encodedBody()
        }
    }

    func deny() { word.status = .denied }

    func know(_ token: String, _ item: TokenItem) { word.items[token] = item }

    func event(_ sequence: Int64, _ word: Authorization) throws {
        try bench.follow([
            CoreBench<ActivityState>.event(
                AuthorizationChanged.self,
                sequence,
                subject: "authorization/\(word.app)/\(word.member)",
                word
            )
        ])
    }

    func reopen() throws {
        bench = try bench.reopened()
        answer()
    }

    // MARK: - Asking

    static func minutes(_ count: Int) -> DateFields {
        var fields = DateFields()
        fields.minute = count
        return fields
    }

    static func event(
        _ name: String,
        _ targets: [ActivityTarget],
        _ threshold: DateFields,
        past: Bool = false
    ) -> ActivityEventSpec {
        ActivityEventSpec(name: name, targets: targets, threshold: threshold, includesPastActivity: past)
    }

    static func request(
        _ activity: String = "day",
        app: String = "promise",
        schedule: Schedule = BookDesk.daily(),
        events: [ActivityEventSpec] = [],
        mode: ScheduleMode? = nil
    ) -> ActivityStart.Request {
        ActivityStart.Request(
            app: app,
            member: "child",
            activity: activity,
            schedule: schedule,
            events: events,
            mode: mode
        )
    }

    /// Time passes and the alarm rings at every moment that was asked for.
    func pass(_ ms: Int64) throws {
        let end = bench.time.now().wallMs + ms
        for _ in 0..<1_000 {
            let due = bench.state.nextDue(bootID: bench.time.bootID)
            guard let at = due.moments.wallMs, at <= end else { break }
            bench.time.advance(byMs: max(0, at - bench.time.now().wallMs))
            _ = try bench.step { try ActivityRules.tick(&$0, $1, $2) }
        }
        bench.time.advance(byMs: end - bench.time.now().wallMs)
    }

    /// The child looks at an app for so long; the agent says "still so" when it was asked to.
    func use(_ app: String, _ ms: Int64, site: String? = nil, shielded: Bool? = nil) throws {
        let end = bench.time.now().bootMs + ms
        var check = try see(app, site: site, shielded: shielded)
        while bench.time.now().bootMs < end {
            let next = min(end, check ?? end)
            try pass(next - bench.time.now().bootMs)
            let isOver = next == end
            check = try see(isOver ? nil : app, site: isOver ? nil : site, shielded: isOver ? nil : shielded)
        }
    }

    @discardableResult
    func see(_ app: String?, site: String? = nil, shielded: Bool? = nil) throws -> Int64? {
        sequence += 1
        var seen = Observation(
            sequence: sequence,
            bootId: bootID,
            at: bench.time.now(),
            zone: bench.time.zone(),
            member: "child",
            presence: app == nil ? .idle : .active,
            app: app,
            domain: site
        )
        seen.unbroken = true
        seen.inputBootMs = inputBootMs.map { min($0, seen.bootMs) }
        seen.shielded = shielded
        let request = UsageObserve.Request(agent: "agent", run: "run", observations: [seen])
        return try bench.ask(UsageObserve.self, request).checkAt
    }

    /// `minutes after noon, occasion, activity or event`.
    var lines: [String] {
        bench.events.filter { $0.header.stream == .activity }.compactMap { event in
            guard let body = try? ActivityOccurrence.decodedBody(event.body) else { return nil }
            let minutes = Double(body.dueWallMs - Self.noon) / 60_000
            let text = minutes == minutes.rounded() ? "\(Int(minutes))" : "\(minutes)"
            return "\(text) \(body.occasion.rawValue) \(body.event ?? body.activity)"
        }
    }

    func occurrences() -> [ActivityOccurrence] {
        bench.events.filter { $0.header.stream == .activity }
            .compactMap { try? ActivityOccurrence.decodedBody($0.body) }
    }
}
