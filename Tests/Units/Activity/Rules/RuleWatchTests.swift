import STContracts
import STDomain
import STPlatform
import STTestKit
import Testing

@testable import STActivityCore

@Suite("Monitored activities of rules")
struct RuleWatchTests {
    private let desk: RuleDesk

    init() throws { desk = try RuleDesk() }

    private var watched: [String] { desk.bench.state.activities.activities.map(\.key.activity) }

    private func starts() throws -> [String] {
        try desk.bench.events.filter { $0.header.type == MonitoringStarted.type }
            .map { try $0.decoded(MonitoringStarted.self).activity.activity }
    }

    @Test("A new rule starts its activities before the reply, and a restart does not repeat that")
    func once() throws {
        #expect(try desk.add(RuleDesk.limit()).rule.isWatched)
        try desk.add(RuleDesk.window(days: [2]))

        #expect(watched == ["firefox", "social-window", "social-window/off"])
        try desk.restart()
        try desk.bench.step { try RuleSteps.started(&$0, context: $1, change: $2) }
        #expect(try starts() == [] && watched.count == 3)
        #expect(try desk.bench.ask(RuleList.self, .init()).rules.allSatisfy(\.isWatched))
    }

    @Test("A change of the amount restarts the activity, and a change of message or name does not")
    func changes() throws {
        try desk.add(RuleDesk.limit())
        for minutes: Int64 in [45, 30] {
            _ = try desk.bench.ask(RuleEdit.self, .init(name: "firefox", durationMs: minutes * 60_000))
        }
        #expect(try starts() == ["firefox", "firefox", "firefox"])

        _ = try desk.bench.ask(RuleEdit.self, .init(name: "firefox", newName: "evening", say: "Enough"))
        _ = try desk.bench.ask(RulePause.self, .init(name: "evening", forMs: 1_000))
        #expect(try starts().count == 3)
    }

    @Test("Removing a rule stops its activity, and removing a member removes the member's rules")
    func remove() throws {
        try desk.add(RuleDesk.limit())
        _ = try desk.bench.ask(RuleRemove.self, .init(name: "firefox"))
        #expect(watched == [])

        var spec = RuleDesk.limit("another")
        spec.member = "kid"
        try desk.add(spec)
        #expect(watched == ["another"])
        let removed = try CoreBench<ActivityState>.event(
            MemberRemoved.self,
            sequence: 1,
            subject: "member/kid",
            body: Member(name: "kid", role: .child)
        )
        try desk.bench.follow([removed])
        #expect(watched == [] && desk.book.rules.isEmpty)
    }

    @Test("If an edit removes the days of a window, the activity of the other days stops")
    func fewer() throws {
        try desk.add(RuleDesk.window(days: [2]))
        _ = try desk.bench.ask(RuleEdit.self, .init(name: "social-window", days: []))

        #expect(watched == ["social-window"])
    }

    @Test("A rule that cannot be monitored shows the reason until a restart")
    func refused() throws {
        try desk.bench.step { state, _, _ in state.limits.schedule.minMs = 3 * 86_400_000 }
        #expect(try desk.refusal(RuleDesk.limit())?.code == nil)
        let rule = try desk.bench.ask(RuleList.self, .init()).rules[0]
        #expect(!rule.isWatched && rule.problem?.english.hasPrefix("activity.") == true, "\(rule)")

        try desk.restart()
        try desk.bench.step { try RuleSteps.started(&$0, context: $1, change: $2) }
        #expect(try desk.bench.ask(RuleList.self, .init()).rules[0].isWatched)
    }

    @Test("Programs can neither start nor stop the activities of rules")
    func foreign() throws {
        try desk.add(RuleDesk.limit())
        let request = try #require(desk.book.desired().values.first)
        let member = desk.bench.otherService
        desk.bench.otherService = { route, body in
            guard route == AuthCheck.name else { return try member(route, body) }
            let word = Authorization(
                app: BuiltInRules.app,
                member: "owner",
                status: .approved,
                scope: .individual,
                access: true,
                enforce: true,
                generation: 1
            )
            return try AuthCheck.Reply(authorization: word, items: [], hasMonitor: true).encodedBody()
        }
        #expect(try desk.bench.refusal(ActivityStart.self, request)?.code == "activity.of_rules")
        let stop = ActivityStop.Request(app: BuiltInRules.app, member: "owner", activities: ["firefox"])
        #expect(try desk.bench.refusal(ActivityStop.self, stop)?.code == "activity.of_rules")
        #expect(watched == ["firefox"])
    }
}
