import STContracts
import STDomain
import STPlatform
import STTestKit
import Testing

@testable import STMonitorCore

@Suite("Requests to activity-center for rules")
struct RuleWatchTests {
    private let desk: RuleDesk

    init() throws { desk = try RuleDesk() }

    private func view(_ request: ActivityStart.Request) -> ActivityView {
        ActivityView(
            app: request.app,
            member: request.member ?? "",
            activity: request.activity,
            schedule: request.schedule,
            events: request.events,
            mode: .wallClock,
            understood: ""
        )
    }

    private var desired: [ActivityView] { desk.book.desired.values.map { view($0.request) } }

    private func compare(_ actual: [ActivityView]) throws {
        try desk.bench.compare(actual)
    }

    @Test("every rule is asked for once, also across a restart")
    func once() throws {
        try desk.add(RuleDesk.limit())
        try desk.add(RuleDesk.window(days: [2]))

        #expect(try desk.settle() == ["start firefox", "start social-window", "start social-window/off"])
        try desk.restart()
        #expect(try desk.settle() == [])
        #expect(try desk.bench.ask(RuleList.self, .init()).rules.allSatisfy(\.isWatched))
    }

    @Test("a request whose answer was lost is repeated with the same key")
    func lostAnswer() throws {
        try desk.add(RuleDesk.limit())
        let first = desk.bench.nextWatch
        let key = desk.nextKey
        try desk.restart()

        #expect(desk.bench.nextWatch == first)
        #expect(key != nil && desk.nextKey == key)
    }

    @Test("a change uses a new key, and undoing it a third one")
    func keys() throws {
        try desk.add(RuleDesk.limit())
        var keys: [String?] = []
        for minutes: Int64 in [30, 45, 30] {
            _ = try desk.bench.ask(RuleEdit.self, .init(name: "firefox", durationMs: minutes * 60_000))
            keys.append(desk.nextKey)
            try desk.settle()
        }

        #expect(Set(keys).count == 3 && !keys.contains(nil))
    }

    @Test("a change of words or name asks activity-center for nothing")
    func words() throws {
        try desk.add(RuleDesk.limit())
        try desk.settle()

        _ = try desk.bench.ask(RuleEdit.self, .init(name: "firefox", newName: "evening", say: "Enough"))
        _ = try desk.bench.ask(RulePause.self, .init(name: "evening", forMs: 1_000))

        #expect(try desk.settle() == [])
    }

    @Test("a removed rule stops before another one starts; made again, it counts from zero")
    func remove() throws {
        try desk.add(RuleDesk.limit())
        let key = desk.nextKey
        try desk.settle()
        _ = try desk.bench.ask(RuleRemove.self, .init(name: "firefox"))
        try desk.add(RuleDesk.limit("another"))

        #expect(try desk.settle() == ["stop firefox", "start another"])
        try desk.add(RuleDesk.limit())
        #expect(desk.nextKey != key)
    }

    @Test("a rule made without its days loses the activity of the other days")
    func fewer() throws {
        try desk.add(RuleDesk.window(days: [2]))
        try desk.settle()
        _ = try desk.bench.ask(RuleEdit.self, .init(name: "social-window", days: []))

        #expect(try desk.settle() == ["stop social-window/off", "start social-window"])
    }

    @Test(
        "a refusal is not asked again, and is shown with the rule until an edit or a restart"
    )
    func refused() throws {
        try desk.add(RuleDesk.limit())

        #expect(try desk.settle(refusing: Problem("activity.too_many", "No room.")) == ["start firefox"])
        let rule = try desk.bench.ask(RuleList.self, .init()).rules[0]
        #expect(!rule.isWatched)
        #expect(rule.problem == "activity.too_many: No room.")

        _ = try desk.bench.ask(RuleEdit.self, .init(name: "firefox", durationMs: 60_000))
        #expect(try desk.settle(refusing: Problem("activity.too_many", "No room.")) == ["start firefox"])
        try compare([])
        #expect(try desk.settle() == ["start firefox"])
        #expect(try desk.bench.ask(RuleList.self, .init()).rules[0].problem == nil)
    }

    @Test("what activity-center already watches is not asked for again, even without a record of asking")
    func adopted() throws {
        try desk.add(RuleDesk.limit())
        try desk.add(RuleDesk.downtime())

        try compare(desired)

        #expect(try desk.settle() == [])
    }

    @Test(
        "what activity-center lost is asked for again with a new key, as the old key would repeat the old answer"
    )
    func lost() throws {
        try desk.add(RuleDesk.limit())
        let key = desk.nextKey
        try desk.settle()

        try compare([])

        guard case .start(let start, let again) = desk.bench.nextWatch else {
            Issue.record("nothing is to be started")
            return
        }
        #expect(start.activity == "firefox")
        #expect(again != key)
    }

    @Test(
        "activities that no rule wants are stopped, different ones replaced, those of other apps left alone"
    )
    func foreign() throws {
        try desk.add(RuleDesk.limit())
        try desk.settle()
        var changed = desired[0]
        changed.schedule.days = [2]
        var orphan = desired[0]
        orphan.activity = "orphan"
        var other = desired[0]
        other.app = "org.example.promise"
        other.activity = "daily"

        try compare([changed, orphan, other])

        #expect(try desk.settle() == ["stop orphan", "start firefox"])
    }
}
