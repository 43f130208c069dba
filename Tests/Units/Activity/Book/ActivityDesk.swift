import STActivityCore
import STContracts
import STDomain
import STPlatform
import STTestKit
import STTestSupport

/// The state and routes of activity-center with a real database, a household and an agent.
final class ActivityDesk {
    static let noon = BookDesk.noon

    private(set) var bench: CoreBench<ActivityState>
    private var sequence: Int64 = 0
    /// The boot time of the child's last input, which the agent reports with each observation.
    var inputBootMs: Int64?
    /// The answers of auth-service.
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
                sequence: 1,
                subject: "member/guardian",
                body: Member(name: "guardian", role: .individual)
            ),
            CoreBench<ActivityState>.event(
                MemberAdded.self,
                sequence: 2,
                subject: "member/child",
                body: Member(name: "child", role: .child)
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
                sequence: sequence,
                subject: "authorization/\(word.app)/\(word.member)",
                body: word
            )
        ])
    }

    func reopen() throws {
        bench = try bench.reopened()
        answer()
    }

    // MARK: - Requests

    static func minutes(_ count: Int) -> DateFields {
        var fields = DateFields()
        fields.minute = count
        return fields
    }

    static func event(
        _ name: String,
        targets: [ActivityTarget],
        threshold: DateFields,
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

    /// Advances the time, with a tick at every due moment.
    func pass(_ ms: Int64) throws {
        let end = bench.time.now().wallMs + ms
        for _ in 0..<1_000 {
            let due = bench.state.nextDue(bootID: bench.time.bootID)
            guard let at = due.moments.wallMs, at <= end else { break }
            bench.time.advance(byMs: max(0, at - bench.time.now().wallMs))
            _ = try bench.step { try ActivityRules.tick(&$0, context: $1, change: $2) }
        }
        bench.time.advance(byMs: end - bench.time.now().wallMs)
    }

    /// The child uses an app for this time. The agent reports at every requested moment.
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

    /// One line per occurrence: minutes after noon, occasion, activity or event.
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
