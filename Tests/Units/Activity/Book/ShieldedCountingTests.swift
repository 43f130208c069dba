import STActivityCore
import STContracts
import STDomain
import STPlatform
import STTestKit
import Testing

@Suite("Shielded usage in activities")
struct ShieldedCountingTests {
    private static let minute: Int64 = 60_000

    private func desk(countsShielded: Bool) throws -> ActivityDesk {
        var limits = ActivityLimits()
        limits.countsShielded = countsShielded
        return try ActivityDesk(limits: limits)
    }

    private func start(_ desk: ActivityDesk, past: Bool = false) throws {
        let game = ActivityTarget(kind: .application, id: "game")
        _ = try desk.bench.ask(
            ActivityStart.self,
            ActivityDesk.request(
                events: [
                    ActivityDesk.event(
                        "limit",
                        targets: [game],
                        threshold: ActivityDesk.minutes(10),
                        past: past
                    )
                ]
            )
        )
    }

    private func explained(_ desk: ActivityDesk) throws -> ExplainEvent {
        try desk.bench.ask(ActivityExplain.self, .init(app: "promise")).activities[0].events[0]
    }

    @Test(
        "Shielded usage counts towards no threshold, requests no report, and is explained"
    )
    func apart() throws {
        let desk = try desk(countsShielded: false)
        try start(desk)
        try desk.use("game", 4 * Self.minute)
        #expect(try desk.see("game", shielded: true) == nil)
        try desk.use("game", 20 * Self.minute, shielded: true)
        let event = try explained(desk)

        #expect(desk.lines == ["0 interval_started day"])
        #expect(event.countedMs == 4 * Self.minute)
        #expect(event.nextCrossingBootMs == nil)
        #expect(
            event.parts.map { "\($0.counted) \($0.item) \($0.ms / Self.minute) \($0.because.english)" } == [
                "true game 4 counts as game",
                "false game 20 not counted because a shield covered it",
            ]
        )
        try desk.use("game", 6 * Self.minute)
        #expect(desk.lines.last == "30 threshold_reached limit")
    }

    @Test("Shielded usage from before the start of an activity does not count")
    func past() throws {
        let desk = try desk(countsShielded: false)
        try desk.use("game", 2 * Self.minute)
        try desk.use("game", 30 * Self.minute, shielded: true)
        try start(desk, past: true)

        #expect(try explained(desk).countedMs == 2 * Self.minute)
    }

    @Test(
        "Shielded usage counts if it is configured, also after a restart"
    )
    func phone() throws {
        let desk = try desk(countsShielded: true)
        try start(desk)
        try desk.use("game", 4 * Self.minute)
        try desk.reopen()
        try desk.use("game", 20 * Self.minute, shielded: true)

        #expect(desk.lines.last == "10 threshold_reached limit")
        #expect(try explained(desk).countedMs == 24 * Self.minute)
    }
}
