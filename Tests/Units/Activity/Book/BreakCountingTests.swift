import STContracts
import STDomain
import STPlatform
import STTestKit
import STTestSupport
import Testing

@testable import STActivityCore

@Suite("Usage since the last rest")
struct BreakCountingTests {
    private static let minute = BookDesk.minute

    private static func event(_ minutes: Int, rest: Int64) -> WatchedEvent {
        var event = BookDesk.event("used", apps: [], minutes: minutes)
        event.spec.restMs = rest
        return event
    }

    private func reached(_ desk: BookDesk) -> [Int64] {
        desk.told.filter { $0.occasion == .thresholdReached }.map { $0.dueWallMs - BookDesk.noon }
    }

    @Test("A threshold that is due during a film is announced when the film is over")
    func film() {
        var desk = BookDesk()
        desk.watch("day", schedule: BookDesk.daily(), events: [Self.event(50, rest: 5 * Self.minute)])
        desk.use("code", 40 * Self.minute)
        desk.use("film", 120 * Self.minute, isBusy: true)
        #expect(reached(desk).isEmpty)
        desk.use("code", 10_000)
        #expect(reached(desk) == [160 * Self.minute])
        #expect(desk["day"]?.events[0].used.ms == 160 * Self.minute + 10_000)
    }

    @Test(
        "Usage and thresholds of 200 random days match a slow reference, also after a saved state"
    )
    func random() throws {
        for seed in 0..<200 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let rest = Int64.random(in: 1...6, using: &random) * Self.minute
            let threshold = Int.random(in: 5...30, using: &random)
            var desk = BookDesk(
                wallMs: BookDesk.noon + Int64.random(in: 0...12, using: &random) * BookDesk.hour
            )
            desk.watch("day", schedule: BookDesk.daily(), events: [Self.event(threshold, rest: rest)])
            var expected: [Int64] = []
            var (usedMs, pauseMs, isReached) = (Int64(0), Int64(0), false)
            for _ in 0..<80 {
                let ms = Int64.random(in: 1...8 * Self.minute, using: &random)
                switch Int.random(in: 0...5, using: &random) {
                case 0, 1:
                    desk.pass(ms)
                    pauseMs += ms
                case 2 where pauseMs > 0:
                    desk = try saved(desk)
                default:
                    if pauseMs >= rest { (usedMs, isReached) = (0, false) }
                    if !isReached, usedMs + ms >= Int64(threshold) * Self.minute {
                        expected.append(
                            desk.moment.reading.wallMs + Int64(threshold) * Self.minute - usedMs
                                - BookDesk.noon
                        )
                        isReached = true
                    }
                    desk.use("code", ms)
                    usedMs += ms
                    pauseMs = 0
                }
            }
            #expect(reached(desk) == expected, "seed \(seed)")
            #expect(desk["day"]?.events[0].used.ms == usedMs, "seed \(seed)")
        }
    }

    /// The desk with its counts encoded and decoded.
    private func saved(_ desk: BookDesk) throws -> BookDesk {
        var desk = desk
        guard let activity = desk["day"] else { return desk }
        var events = activity.events.map { WatchedEvent(spec: $0.spec, budget: $0.budget) }
        let counts = try ActivityCounts.decodedBody(try ActivityCounts(activity.events).encodedBody())
        try counts.restore(&events)
        #expect(events == activity.events)
        desk.replace("day", events)
        return desk
    }
}
