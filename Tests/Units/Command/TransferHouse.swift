import STCommandCore
import STCommandKit
import STContracts
import STPlatform
import STTestSupport
import Synchronization

/// The services that an export asks and an import tells, in memory and without their rules.
final class TransferHouse: Sendable {
    struct State: Sendable {
        var device = Device(id: "device-1", name: "laptop")
        var members = [Member(name: "kim", role: .individual)]
        var choices: [CategoryChoice] = []
        var lists: [DomainList] = []
        var domains: [String: [String]] = [:]
        var rules: [RuleSpec] = []
        var rows: [Segment] = []
        var notified: [NotificationCount] = []
        var devices: [ImportedDevice] = []
        var posted: [PostedNotification] = []
        var requests: [RequestView] = []
        var stores: [SettingsGet.Reply] = []
        var asked: [String] = []
        /// Rows whose import is refused, by segment.
        var refused: Set<String> = []
    }

    private let state: Mutex<State>
    let scratch: ScratchDirectory
    /// Which services there are.
    let services: [ServiceName]

    init(
        _ state: State = State(),
        services: [ServiceName] = [.auth, .activity, .shield, .notifier]
    )
        throws
    {
        self.state = Mutex(state)
        self.services = services
        scratch = try ScratchDirectory()
    }

    var now: State { state.withLock { $0 } }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    func run(_ line: [String]) async throws -> (code: Int32, output: CommandOutput) {
        let path = scratch.path
        var running: [FakeService] = []
        for name in services {
            let service = try FakeService(name) { try self.answer($0, $1) }
            try await service.start(Directories(run: path, state: path, config: path))
            running.append(service)
        }
        let (code, output) = await CommandOutput.run(line, in: path)
        for service in running { await service.stop() }
        return (code.rawValue, output)
    }

    private func answer(_ route: String, _ body: [UInt8]) throws -> [UInt8] {
        try state.withLock { state in
            state.asked.append(route)
            switch route {
            case MemberList.name:
                return try MemberList.Reply(device: state.device, members: state.members).encodedBody()
            case MemberAdd.name:
                let member = try Member.decodedBody(body)
                state.members.append(member)
                return try MemberAdd.Reply(member: member, added: true).encodedBody()
            case UsageNow.name: return try UsageNow.Reply(open: [], devices: state.devices).encodedBody()
            case CategoryList.name:
                return try CategoryList.Reply(categories: [], choices: state.choices, lists: state.lists)
                    .encodedBody()
            case EventsSnapshot.name: return try Self.snapshot(state).encodedBody()
            case RuleList.name:
                let views = state.rules.map {
                    RuleView(
                        id: "r",
                        rule: $0,
                        addedAt: "",
                        pausedUntil: nil,
                        interval: nil,
                        when: nil,
                        isWatched: true,
                        problem: nil
                    )
                }
                return try RuleList.Reply(rules: views, next: nil).encodedBody()
            case RequestList.name: return try RequestList.Reply(requests: state.requests).encodedBody()
            case NotifyList.name:
                return try NotifyList.Reply(notifications: state.posted, next: nil).encodedBody()
            case ShieldAllowed.name:
                return try ShieldAllowed.Reply(policy: 1, member: "kim", items: []).encodedBody()
            case SettingsList.name: return try Self.stores(state).encodedBody()
            case SettingsGet.name:
                let wanted = try SettingsGet.Request.decodedBody(body)
                return (state.stores.first { $0.store == wanted.store } ?? state.stores[0]).encodedBody()
            default: return try Self.other(route, body: body, state: &state)
            }
        }
    }

    private static func other(_ route: String, body: [UInt8], state: inout State) throws -> [UInt8] {
        switch route {
        case UsageList.name: return try UsageList.Reply(rows: state.rows, next: nil).encodedBody()
        case UsageNotifications.name:
            return try UsageNotifications.Reply(rows: state.notified).encodedBody()
        case UsageImport.name:
            return try take(try UsageImport.Request.decodedBody(body), &state).encodedBody()
        case CategorySet.name:
            let request = try CategorySet.Request.decodedBody(body)
            let choice = CategoryChoice(
                subject: request.subject,
                category: request.category ?? "",
                isOwn: true
            )
            state.choices.append(choice)
            return try choice.encodedBody()
        case CategoryListAdd.name:
            let request = try CategoryListAdd.Request.decodedBody(body)
            state.domains[request.name, default: []] += request.domains
            let count = Int64(state.domains[request.name]?.count ?? 0)
            let list = DomainList(name: request.name, category: request.category, count: count, addedAt: "")
            state.lists = state.lists.filter { $0.name != request.name } + [list]
            return try list.encodedBody()
        case RuleAdd.name:
            let rule = try RuleSpec.decodedBody(body)
            if rule.name == "refused" { throw Problem("rule.bad", "No.") }
            state.rules.append(rule)
            let view = RuleView(
                id: "r",
                rule: rule,
                addedAt: "",
                pausedUntil: nil,
                interval: nil,
                when: nil,
                isWatched: true,
                problem: nil
            )
            return try RuleAdd.Reply(rule: view, notes: []).encodedBody()
        default: throw Problem("test.no_answer", verbatim: "no answer for \(route)")
        }
    }

    private static func take(_ request: UsageImport.Request, _ state: inout State) throws -> UsageImport.Reply
    {
        if let bad = request.rows.firstIndex(where: { state.refused.contains($0.segment) }) {
            throw Problem("usage.times_reversed", "This row ends before it begins.", field: "/rows/\(bad)")
        }
        var reply = UsageImport.Reply(added: 0, duplicates: 0, overlapping: 0)
        for row in request.rows {
            if state.rows.contains(where: { $0.segment == row.segment && $0.device == row.device }) {
                reply.duplicates += 1
            } else {
                reply.added += 1
                if request.dryRun != true { state.rows.append(row) }
            }
        }
        for row in request.notifications {
            if state.notified.contains(row) {
                reply.duplicates += 1
            } else {
                reply.added += 1
                if request.dryRun != true { state.notified.append(row) }
            }
        }
        if let device = request.device, !state.devices.contains(where: { $0.device == device.device }) {
            state.devices.append(device)
        }
        return reply
    }

    private static func snapshot(_ state: State) throws -> EventPage {
        var events: [WireEvent] = []
        for (name, domains) in state.domains.sorted(by: { $0.key < $1.key }) {
            let part = DomainListPart(name: name, category: "games", part: 0, domains: domains)
            events.append(
                WireEvent(
                    header: EventHeader(
                        id: "e",
                        source: "/test",
                        type: DomainListKnown.type,
                        timeMs: 0,
                        subject: "list/\(name)/0",
                        schema: 1,
                        stream: .activity,
                        epoch: "e",
                        sequence: 1,
                        traceparent: nil,
                        cause: nil
                    ),
                    body: try part.encodedBody()
                )
            )
        }
        return EventPage(
            head: StreamPoint(stream: "activity", epoch: "e", sequence: 1, id: "e"),
            events: events,
            next: nil
        )
    }

    private static func stores(_ state: State) -> SettingsList.Reply {
        SettingsList.Reply(
            stores: state.stores.map {
                StoreView(
                    app: $0.app,
                    member: $0.member,
                    store: $0.store,
                    version: 1,
                    count: 1,
                    isInForce: true,
                    changedAt: ""
                )
            }
        )
    }

    /// A household in which there is something of everything.
    static var full: State {
        var state = State()
        state.members.append(Member(name: "noa", role: .child))
        state.choices = [CategoryChoice(subject: "firefox", category: "social", isOwn: true)]
        state.domains = ["play": (0..<3_000).map { "site-\($0).example" }]
        state.lists = [DomainList(name: "play", category: "games", count: 3_000, addedAt: "")]
        state.rules = [RuleSpec(kind: .limit, name: "chess", member: "kim", durationMs: 60_000)]
        state.rows = (1...450).map { row($0) }
        state.devices = [
            ImportedDevice(
                device: "phone",
                name: "phone",
                model: .iPhone,
                importedAt: "2026-11-20T10:00:00.000Z"
            )
        ]
        state.rows[10].device = "phone"
        state.notified = (1...3).map {
            NotificationCount(
                member: "kim",
                app: "chat",
                count: $0,
                wallMs: 1_790_000_000_000 + $0,
                zone: "UTC"
            )
        }
        state.posted = [
            PostedNotification(
                number: 1,
                app: "a",
                member: "kim",
                id: "i",
                title: "t",
                body: "b",
                cause: nil,
                postedAt: "2026-11-20T10:00:00.000Z"
            )
        ]
        state.requests = [
            RequestView(
                request: "R1",
                member: "kim",
                items: [],
                durationMs: 1,
                state: .ended,
                askedAt: "2026-11-20T10:00:00.000Z"
            )
        ]
        state.stores = [
            SettingsGet.Reply(app: "a", member: "kim", store: "s", version: 1, settings: ["x": .bool(true)])
        ]
        return state
    }

    static func row(_ number: Int) -> Segment {
        Segment(
            segment: "agent/run/\(number)",
            agent: "agent",
            run: "run",
            sequence: Int64(number),
            member: number % 3 == 0 ? "noa" : "kim",
            presence: .active,
            app: "editor",
            domain: nil,
            bootId: "boot",
            startBootMs: Int64(number) * 1_000,
            endBootMs: Int64(number) * 1_000 + 1_000,
            startWallMs: 1_790_000_000_000 + Int64(number) * 1_000,
            zone: "UTC"
        )
    }
}
