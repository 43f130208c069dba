import STActivityCore
import STContracts
import STDomain
import STPlatform
import STTestKit
import Testing

@Suite("The routes of what is watched")
struct ActivityRoutesTests {
    private static let game = ActivityTarget(kind: .application, id: "game")
    private let desk: ActivityDesk

    init() throws { desk = try ActivityDesk() }

    private func start(_ minutes: Int = 10, past: Bool = false) throws -> ActivityStart.Reply {
        let event = ActivityDesk.event("limit", [Self.game], ActivityDesk.minutes(minutes), past: past)
        return try desk.bench.ask(ActivityStart.self, ActivityDesk.request(events: [event]))
    }

    @Test("watch, count, and tell at the very moment with the evidence")
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

    @Test("a reply to observations says when the agent has to report again")
    func checkAt() throws {
        _ = try start()

        #expect(try desk.see("game") == 1_000_000 + 10 * 60_000)
        #expect(try desk.see("mail") == nil)
    }

    @Test("ask the agent to speak when an interval begins in which what it sees will count")
    func checkAtStart() throws {
        let event = ActivityDesk.event("limit", [Self.game], ActivityDesk.minutes(1))
        let later = BookDesk.daily((13, 0), (18, 0))
        _ = try desk.bench.ask(ActivityStart.self, ActivityDesk.request(schedule: later, events: [event]))

        #expect(try desk.see("game") == Int64(1_000_000 + 60 * 60_000))
        try desk.pass(60 * 60_000)
        #expect(try desk.see("game") == Int64(1_000_000 + 61 * 60_000))
    }

    @Test("a preview of several members says what becomes true first, in any order of the observations")
    func preview() throws {
        _ = try start(10)
        var request = ActivityDesk.request(
            "long",
            app: "another",
            events: [ActivityDesk.event("limit", [Self.game], ActivityDesk.minutes(5))]
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

    @Test("know after a start of the service all that they knew before, at any moment")
    func restart() throws {
        _ = try start()
        try desk.use("game", 9 * 60_000)
        try desk.reopen()
        try desk.use("game", 2 * 60_000)

        #expect(desk.lines == ["10 threshold_reached limit"])
        let explained = try desk.bench.ask(ActivityExplain.self, .init(app: "promise"))
        #expect(explained.activities[0].events[0].countedMs == 11 * 60_000)
    }

    @Test("a script that is played beside an agent hides neither the next crossing nor the use under way")
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
        // The agent sees the person at that very time.
        #expect(try plays(2, "game").late == 1)
        let both = try desk.bench.ask(ActivityExplain.self, .init(app: "promise")).activities[0].events[0]
        #expect(alone.nextCrossingBootMs != nil && both == alone)
    }

    @Test("an event that asks for it counts earlier use, from the round hour")
    func past() throws {
        try desk.use("game", 7 * 60_000)
        _ = try start(10, past: true)
        try desk.use("game", 5 * 60_000)
        #expect(desk.lines.last == "10 threshold_reached limit")

        let late = ActivityDesk.event("late", [Self.game], ActivityDesk.minutes(5), past: true)
        _ = try desk.bench.ask(ActivityStart.self, ActivityDesk.request("other", events: [late]))
        #expect(desk.lines.last == "12 threshold_reached late")
        #expect(desk.occurrences().last?.evidence.note != nil)

        var schedule = BookDesk.daily((12, 15), (18, 0))
        schedule.repeats = true
        #expect(try desk.bench.ask(ActivityPreview.self, .init(schedule: schedule)).intervals.count == 3)
    }

    @Test("round the past down to the hour when an interval begins in the middle of one")
    func roundHour() throws {
        try desk.pass(5 * 60_000)
        try desk.use("game", 4 * 60_000)
        try desk.pass(11 * 60_000)
        let event = ActivityDesk.event("limit", [Self.game], ActivityDesk.minutes(5), past: true)
        let schedule = BookDesk.daily((12, 15), (18, 0))
        _ = try desk.bench.ask(ActivityStart.self, ActivityDesk.request(schedule: schedule, events: [event]))

        let explained = try desk.bench.ask(ActivityExplain.self, .init(app: "promise"))
        #expect(explained.activities[0].events[0].countedMs == 4 * 60_000)
    }

    @Test("replace what is watched under the same name, and count anew")
    func replace() throws {
        _ = try start()
        try desk.use("game", 9 * 60_000)
        _ = try start()
        try desk.use("game", 9 * 60_000)

        #expect(!desk.lines.contains { $0.contains("threshold") })
        #expect(try desk.bench.ask(ActivityList.self, .init(app: "promise")).activities.count == 1)
    }

    @Test("stop some or all, and tell the end of an interval under way")
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

    @Test("read tokens through auth-service, and give them back as they came")
    func tokens() throws {
        desk.know("dG9rZW4=", TokenItem(kind: .application, id: "game"))
        let target = ActivityTarget(kind: .application, token: "dG9rZW4=")
        let event = ActivityDesk.event("limit", [target], ActivityDesk.minutes(1))
        _ = try desk.bench.ask(ActivityStart.self, ActivityDesk.request(events: [event]))
        try desk.use("game", 60_000)

        #expect(desk.lines.last == "1 threshold_reached limit")
        let request = ActivityEvents.Request(app: "promise", member: "child", activity: "day")
        #expect(try desk.bench.ask(ActivityEvents.self, request).events == [event])
    }

    @Test("activities end when the permission is taken back, or the app is gone")
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

    @Test("explain what has counted and what has not, with the reason")
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

    @Test("explain each activity by its own interval, though others began at another time")
    func explainIntervals() throws {
        _ = try start()
        _ = try desk.bench.ask(
            ActivityStart.self,
            ActivityDesk.request(
                "afternoon",
                schedule: BookDesk.daily((13, 0), (18, 0)),
                events: [ActivityDesk.event("limit", [Self.game], ActivityDesk.minutes(10))]
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

    @Test("activities count late use of another start of the machine by its wall time")
    func otherBoot() throws {
        _ = try start(2)
        try desk.pass(10 * 60_000)
        // The spool of before: five minutes, of which three lie before the watching began.
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

    @Test("follow a category that a person has changed, from then on")
    func categories() throws {
        let target = ActivityTarget(kind: .category, id: "social")
        let event = ActivityDesk.event("limit", [target], ActivityDesk.minutes(30))
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
