import STBus
import STContracts
import STDomain
import STEngine
import STHouseholdCore
import STPlatform
import STTestKit
import STTestSupport
import Testing

@Suite("Messages of a household to the hook program")
struct HookTests {
    private static let asked = HouseholdRequest(
        request: "R7",
        askedMs: 5,
        member: "anna",
        state: .waiting,
        items: [TokenItem(kind: .application, id: "secret.game")],
        durationMs: 1_800_000,
        because: "secret reason",
        leftMs: 3_600_000
    )

    private static func sum(_ member: String, _ minutes: Int64) -> HouseholdSums.Sum {
        var sum = HouseholdSums.Sum(ms: minutes * 60_000)
        sum.member = member
        return sum
    }

    @Test("A request's message omits its app and reason by default, and is sent once")
    func requests() throws {
        var home = try HouseholdBench()
        home.bench.remote = .device(home.devices[0])
        _ = try home.bench.ask(HouseholdRequests.self, .init(open: [Self.asked], takenBack: []))
        home.bench.remote = nil
        let now = home.bench.time.now().wall
        let plain = try #require(Hooks.requests(home.bench.state, at: now, names: false).first)
        #expect(plain.text == "anna asks for 30 min more on laptop.")
        let bytes = String(decoding: try plain.encodedBody(), as: UTF8.self)
        #expect(!bytes.contains("secret"), "\(bytes)")
        let named = try #require(Hooks.requests(home.bench.state, at: now, names: true).first)
        #expect(named.text == "anna asks for 30 min of secret.game on laptop: “secret reason”.")
        #expect(
            Hooks.requests(home.bench.state, at: now + .seconds(3_600), names: true).isEmpty,
            "it is over"
        )
        try home.bench.step(HouseholdSteps.recordHookDelivery(plain.key))
        home.bench = try home.bench.reopened()
        #expect(Hooks.requests(home.bench.state, at: now, names: false).isEmpty)
    }

    @Test("A request is sent before the weekly summary, and is in the program's environment")
    func order() throws {
        let home = try HouseholdBench()
        // A Monday at 14:13.
        let now = home.bench.time.now().wall
        guard case .week(let first, _)? = Hooks.next(home.bench.state, at: now, names: false, .utc)
        else {
            Issue.record("the week is due")
            return
        }
        #expect(
            Hooks.usage(ofWeek: first).from == "2026-09-14"
                && Hooks.usage(ofWeek: first).through == "2026-09-20"
        )
        home.bench.remote = .device(home.devices[0])
        _ = try home.bench.ask(HouseholdRequests.self, .init(open: [Self.asked], takenBack: []))
        guard case .event(let word)? = Hooks.next(home.bench.state, at: now, names: false, .utc) else {
            Issue.record("the request is due")
            return
        }
        #expect(HookProgram("", names: "yes") == nil)
        let program = try #require(HookProgram("/bin/hook -v", names: "no"))
        let plan = program.plan(for: word, in: ["HOME": "/h"])
        #expect(!program.receivesNames && plan.executable == "/bin/hook" && plan.arguments == ["-v"])
        #expect(plan.environment["SCREENTIME_WHAT"] == "request" && plan.environment["HOME"] == "/h")
    }

    @Test("The weekly summary is due once, from Monday morning at eight o'clock")
    func weeks() throws {
        let home = try HouseholdBench()
        let monday = CivilDate(year: 2026, month: 11, day: 23)
        for (later, hour, isTold) in [
            (0, Int64(7), false), (0, 8, true), (1, 0, true), (6, 23, true), (7, 7, false), (7, 8, true),
        ] {
            let week = Hooks.week(home.bench.state, day: monday.adding(days: later), hour: hour)
            #expect((week != nil) == isTold, "\(later) \(hour)")
            if let week { #expect(week.first == monday.adding(days: later == 7 ? 0 : -7)) }
        }
        let key = try #require(Hooks.week(home.bench.state, day: monday, hour: 9)).key
        try home.bench.step(HouseholdSteps.recordHookDelivery(key))
        #expect(Hooks.week(home.bench.state, day: monday.adding(days: 3), hour: 9) == nil)
        #expect(Hooks.week(home.bench.state, day: monday.adding(days: 7), hour: 9) != nil)
        let word = Hooks.summary(
            key,
            from: monday.adding(days: -7),
            used: [Self.sum("anna", 90), Self.sum("bert", 60)],
            before: [Self.sum("anna", 60), Self.sum("bert", 60), Self.sum("carl", 5)]
        )
        #expect(
            word.text == """
                Screen Time in the week from 2026-11-16:
                anna: 1 h 30 min, 30 min more than in the week before.
                bert: 1 h, the same as in the week before.
                carl: 0 s, 5 min less than in the week before.
                """
        )
    }
}
