import STActivityCore
import STContracts
import STDomain
import STPlatform
import STTestKit
import Testing

@Suite("Routes of activities")
struct ActivityRoutesTests {
    private static let game = ActivityTarget(kind: .application, id: "game")
    private let desk: ActivityDesk

    init() throws { desk = try ActivityDesk() }

    private func start(_ minutes: Int = 10, past: Bool = false) throws -> ActivityStart.Reply {
        let event = ActivityDesk.event(
            "limit",
            targets: [Self.game],
            threshold: ActivityDesk.minutes(minutes),
            past: past
        )
        return try desk.bench.ask(ActivityStart.self, ActivityDesk.request(events: [event]))
    }

    @Test("A threshold is announced at its exact moment with the usage that counted")
    func story() throws {
        let reply = try start()
        #expect(reply.activity.understood.contains("UTC"))
        try desk.use("game", 4 * 60_000)
        try desk.use("mail", 5 * 60_000)
        try desk.use("game", 8 * 60_000)

        #expect(desk.lines == ["0 interval_started day", "15 threshold_reached limit"])
        let told = try #require(desk.occurrences().last)
        #expect(told.evidence.parts.map(\.ms) == [240_000, 360_000])
        #expect(told.evidence.parts.allSatisfy { $0.app == "game" && !$0.segment.isEmpty })
        #expect(told.dueBootMs == Int64(1_000_000 + 15 * 60_000))
    }

    @Test("The reply to an observation contains the time of the agent's next report")
    func checkAt() throws {
        _ = try start()

        #expect(try desk.see("game") == 1_000_000 + 10 * 60_000)
        #expect(try desk.see("mail") == nil)
    }

    @Test("The agent must report at the start of an interval in which its observation will count")
    func checkAtStart() throws {
        let event = ActivityDesk.event("limit", targets: [Self.game], threshold: ActivityDesk.minutes(1))
        let later = BookDesk.daily((13, 0), (18, 0))
        _ = try desk.bench.ask(ActivityStart.self, ActivityDesk.request(schedule: later, events: [event]))

        #expect(try desk.see("game") == Int64(1_000_000 + 60 * 60_000))
        try desk.pass(60 * 60_000)
        #expect(try desk.see("game") == Int64(1_000_000 + 61 * 60_000))
    }

    @Test("A preview of two members' observations returns the first crossing and stores nothing")
    func preview() throws {
        _ = try start(10)
        var request = ActivityDesk.request(
            "long",
            app: "another",
            events: [ActivityDesk.event("limit", targets: [Self.game], threshold: ActivityDesk.minutes(5))]
        )
        request.member = "guardian"
        _ = try desk.bench.ask(ActivityStart.self, request)
        let observations = [(1, 0, "child"), (2, 0, "guardian"), (3, 900, "child"), (4, 900, "guardian")].map
        {
            sequence,
            seconds,
            member in
            let bootMs = desk.bench.time.now().bootMs + Int64(seconds) * 1_000
            var seen = Observation(
                sequence: Int64(sequence),
                bootId: "boot",
                at: TimeReading(
                    wallMs: ActivityDesk.noon + Int64(seconds) * 1_000,
                    bootMs: bootMs,
                    monotonicMs: bootMs
                ),
                zone: "UTC",
                member: member,
                presence: .active,
                app: "game"
            )
            seen.unbroken = true
            return seen
        }
        let reply = try desk.bench.ask(
            UsagePreview.self,
            .init(agent: "agent", run: "run", observations: observations)
        )

        #expect(reply.dueBootMs == Int64(1_000_000 + 5 * 60_000))
        #expect(reply.member == "guardian")
        #expect(try desk.bench.ask(UsageList.self, .init()).rows.isEmpty)
    }

    @Test("Counted usage and the activity survive a restart of the service")
    func restart() throws {
        _ = try start()
        try desk.use("game", 9 * 60_000)
        try desk.reopen()
        try desk.use("game", 2 * 60_000)

        #expect(desk.lines == ["10 threshold_reached limit"])
        let explained = try desk.bench.ask(ActivityExplain.self, .init(app: "promise"))
        #expect(explained.activities[0].events[0].countedMs == 11 * 60_000)
    }

    @Test("Observations of a played script hide neither an agent's next crossing nor its current usage")
    func twoAgents() throws {
        _ = try start()
        try desk.see("game")
        let alone = try desk.bench.ask(ActivityExplain.self, .init(app: "promise")).activities[0].events[0]
        let now = desk.bench.time.now()
        func plays(_ sequence: Int64, _ app: String?) throws -> UsageObserve.Reply {
            let seen = Observation(
                sequence: sequence,
                bootId: "script-1",
                at: TimeReading(wallMs: now.wallMs, bootMs: 1, monotonicMs: 1),
                zone: "UTC",
                member: "child",
                presence: app == nil ? .away : .active,
                app: app,
                played: true
            )
            return try desk.bench.ask(
                UsageObserve.self,
                .init(agent: "script", run: "1", observations: [seen])
            )
        }
        #expect(try plays(1, nil).late == nil)
        // The agent observes the person at the same time.
        #expect(try plays(2, "game").late == 1)
        let both = try desk.bench.ask(ActivityExplain.self, .init(app: "promise")).activities[0].events[0]
        #expect(alone.nextCrossingBootMs != nil && both == alone)
    }

    @Test("An event that includes past activity counts usage from before its start")
    func past() throws {
        try desk.use("game", 7 * 60_000)
        _ = try start(10, past: true)
        try desk.use("game", 5 * 60_000)
        #expect(desk.lines.last == "10 threshold_reached limit")

        let late = ActivityDesk.event(
            "late",
            targets: [Self.game],
            threshold: ActivityDesk.minutes(5),
            past: true
        )
        _ = try desk.bench.ask(ActivityStart.self, ActivityDesk.request("other", events: [late]))
        #expect(desk.lines.last == "12 threshold_reached late")
        #expect(desk.occurrences().last?.evidence.note != nil)

        var schedule = BookDesk.daily((12, 15), (18, 0))
        schedule.repeats = true
        #expect(try desk.bench.ask(ActivityPreview.self, .init(schedule: schedule)).intervals.count == 3)
    }

    @Test("Past usage counts from the full hour before the start of the interval")
    func roundHour() throws {
        try desk.pass(5 * 60_000)
        try desk.use("game", 4 * 60_000)
        try desk.pass(11 * 60_000)
        let event = ActivityDesk.event(
            "limit",
            targets: [Self.game],
            threshold: ActivityDesk.minutes(5),
            past: true
        )
        let schedule = BookDesk.daily((12, 15), (18, 0))
        _ = try desk.bench.ask(ActivityStart.self, ActivityDesk.request(schedule: schedule, events: [event]))

        let explained = try desk.bench.ask(ActivityExplain.self, .init(app: "promise"))
        #expect(explained.activities[0].events[0].countedMs == 4 * 60_000)
    }

    @Test("An activity that is started again under its name replaces the first and counts from zero")
    func replace() throws {
        _ = try start()
        try desk.use("game", 9 * 60_000)
        _ = try start()
        try desk.use("game", 9 * 60_000)

        #expect(!desk.lines.contains { $0.contains("threshold") })
        #expect(try desk.bench.ask(ActivityList.self, .init(app: "promise")).activities.count == 1)
    }

    @Test("A stop ends the named activities or all, and announces the end of a current interval")
    func stop() throws {
        _ = try start()
        _ = try desk.bench.ask(
            ActivityStart.self,
            ActivityDesk.request("night", schedule: BookDesk.daily((22, 0), (7, 0)))
        )
        let some = ActivityStop.Request(app: "promise", member: "child", activities: ["day", "stranger"])
        #expect(try desk.bench.ask(ActivityStop.self, some).stopped == ["day"])
        #expect(desk.lines == ["0 interval_started day", "0 interval_ended day"])

        let all = ActivityStop.Request(app: "promise", member: "child", activities: [])
        #expect(try desk.bench.ask(ActivityStop.self, all).stopped == ["night"])
        #expect(desk.lines.count == 2)
    }

    @Test("Tokens are resolved by auth-service and returned unchanged")
    func tokens() throws {
        desk.know("dG9rZW4=", TokenItem(kind: .application, id: "game"))
        let target = ActivityTarget(kind: .application, token: "dG9rZW4=")
        let event = ActivityDesk.event("limit", targets: [target], threshold: ActivityDesk.minutes(1))
        _ = try desk.bench.ask(ActivityStart.self, ActivityDesk.request(events: [event]))
        try desk.use("game", 60_000)

        #expect(desk.lines.last == "1 threshold_reached limit")
        let request = ActivityEvents.Request(app: "promise", member: "child", activity: "day")
        #expect(try desk.bench.ask(ActivityEvents.self, request).events == [event])
    }

    @Test("An app's activities end when its permission is revoked")
    func revoked() throws {
        _ = try start()
        var word = Authorization(
            app: "promise",
            member: "child",
            status: .approved,
            scope: .individual,
            access: true,
            enforce: false,
            generation: 1
        )
        try desk.event(3, word)
        #expect(try desk.bench.ask(ActivityList.self, .init()).activities.count == 1)

        word.status = .notDetermined
        try desk.event(4, word)
        #expect(try desk.bench.ask(ActivityList.self, .init()).activities.isEmpty)
    }

    @Test("An explanation lists counted and uncounted usage with the reason")
    func explain() throws {
        try desk.use("game", 60_000)
        _ = try start()
        try desk.use("game", 3 * 60_000 + 12_000)
        try desk.use("firefox", 2 * 60_000, site: "news.example")
        try desk.see(nil)
        try desk.pass(60_000)

        let event = try desk.bench.ask(ActivityExplain.self, .init(app: "promise")).activities[0].events[0]
        let texts = event.parts.map { "\($0.counted) \($0.item) \($0.ms) \($0.because.english)" }

        #expect(event.countedMs == 192_000)
        #expect(event.leftMs == 408_000)
        #expect(texts[0] == "true game 192000 counts as game")
        #expect(
            texts.contains { $0.hasPrefix("false game 60000 not counted because monitoring began later") }
        )
        #expect(
            texts.contains {
                $0.hasPrefix("false firefox on news.example 120000 not counted because it is not one of")
            }
        )
    }

    @Test("The explanation of each activity uses that activity's own interval")
    func explainIntervals() throws {
        _ = try start()
        _ = try desk.bench.ask(
            ActivityStart.self,
            ActivityDesk.request(
                "afternoon",
                schedule: BookDesk.daily((13, 0), (18, 0)),
                events: [
                    ActivityDesk.event("limit", targets: [Self.game], threshold: ActivityDesk.minutes(10))
                ]
            )
        )
        try desk.use("game", 7 * 60_000)
        try desk.see(nil)
        try desk.pass(60 * 60_000)
        try desk.use("game", 3 * 60_000)

        let all = try desk.bench.ask(ActivityExplain.self, .init(app: "promise")).activities
        let counted = all.map { $0.events[0].parts.filter { $0.item == "game" }.map(\.ms) }
        #expect(all.map(\.activity.activity) == ["afternoon", "day"])
        #expect(counted == [[3 * 60_000], [10 * 60_000]])
    }

    @Test("Late usage of an earlier boot counts by its wall-clock time")
    func otherBoot() throws {
        _ = try start(2)
        try desk.pass(10 * 60_000)
        // The spool of the earlier boot: five minutes, three of them before the activity started.
        for (sequence, wallMs) in [(1, -180_000), (2, 120_000)] as [(Int64, Int64)] {
            let bootMs = 50_000_000 + wallMs
            var seen = Observation(
                sequence: sequence,
                bootId: "earlier",
                at: TimeReading(wallMs: ActivityDesk.noon + wallMs, bootMs: bootMs, monotonicMs: bootMs),
                zone: "UTC",
                member: "child",
                presence: .active,
                app: "game"
            )
            seen.unbroken = true
            let request = UsageObserve.Request(agent: "spool", run: "old", observations: [seen])
            let reply = try desk.bench.ask(UsageObserve.self, request)
            if sequence == 1 { #expect(reply.checkAt == Int64(50_120_000)) }
        }

        #expect(desk.lines.last == "2 threshold_reached limit")
    }

    @Test("A person's change of a category applies to later usage, also after a restart")
    func categories() throws {
        let target = ActivityTarget(kind: .category, id: "social")
        let event = ActivityDesk.event("limit", targets: [target], threshold: ActivityDesk.minutes(30))
        _ = try desk.bench.ask(ActivityStart.self, ActivityDesk.request(events: [event]))
        try desk.use("chatter", 60_000)
        _ = try desk.bench.ask(CategorySet.self, .init(subject: "chatter", category: "social"))
        try desk.use("chatter", 2 * 60_000)
        try desk.reopen()
        try desk.use("chatter", 2 * 60_000)

        let explained = try desk.bench.ask(ActivityExplain.self, .init(app: "promise"))
        #expect(explained.activities[0].events[0].countedMs == 4 * 60_000)
        #expect(try desk.bench.ask(CategoryList.self, .init()).choices.map(\.subject) == ["chatter"])
    }
}
