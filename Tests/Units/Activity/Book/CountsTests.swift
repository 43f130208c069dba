import STContracts
import STDomain
import STPlatform
import STStore
import STTestKit
import STTestSupport
import Testing

@testable import STActivityCore

@Suite("Stored counts of events")
struct CountsTests {
    private static func thresholds(_ apps: [String], _ count: Int) -> [ActivityEventSpec] {
        apps.flatMap { app in
            (1...count).map { minute in
                ActivityDesk.event(
                    "\(app) \(minute)",
                    targets: [ActivityTarget(kind: .application, id: app)],
                    threshold: ActivityDesk.minutes(minute)
                )
            }
        }
    }

    @Test(
        "Stored counts stay small for 200 thresholds of one app, and are saved without the activity"
    )
    func small() throws {
        let desk = try ActivityDesk()
        let events = Self.thresholds(["game"], 200)
        _ = try desk.bench.ask(ActivityStart.self, ActivityDesk.request(events: events))
        // More periods of usage than the evidence can contain.
        for _ in 0..<20 {
            try desk.use("game", 90_000)
            try desk.use("mail", 10_000)
        }
        let written = try desk.bench.database.query("SELECT body FROM activity_counts") {
            try $0.blob(0).count
        }
        #expect(written.count == 1)
        #expect(written[0] < 12_000, "\(written)")

        var book = desk.bench.state.activities
        let stretch = UsageInterval(
            member: "child",
            segment: "s",
            presence: .active,
            app: "game",
            domain: nil,
            category: nil,
            bootId: "boot",
            fromBoot: desk.bench.time.now().boot,
            toBoot: desk.bench.time.now().boot + .seconds(1),
            fromWall: desk.bench.time.now().wall
        )
        _ = book.count(stretch)
        #expect(book.drainChanges().map(\.isCountOnly) == [true])
    }

    @Test("Stored counts are restored unchanged, also for events with different targets")
    func again() throws {
        for seed in 0..<6 {
            var random = SeededRandom(seed: UInt64(seed))
            let desk = try ActivityDesk()
            let events = Self.thresholds(["game", "mail", "site"], random.number(1...12))
            _ = try desk.bench.ask(ActivityStart.self, ActivityDesk.request(events: events.shuffled(&random)))
            for _ in 0..<30 {
                try desk.use(
                    random.pick(["game", "mail", "site", "editor"]) ?? "",
                    Int64(random.number(1...90_000))
                )
            }
            let before = desk.bench.state.activities.activities
            try desk.reopen()
            #expect(desk.bench.state.activities.activities == before, "seed \(seed)")
        }
    }

    @Test("Stored counts that do not match their events are reported as damaged")
    func damage() throws {
        let one = ActivityCounts([BookDesk.event("a", apps: ["game"], minutes: 1)])
        var none: [WatchedEvent] = []
        #expect(throws: Problem.self) { try one.restore(&none) }
    }
}

extension Array {
    fileprivate func shuffled(_ random: inout SeededRandom) -> [Element] {
        var left = self
        var result: [Element] = []
        while !left.isEmpty { result.append(left.remove(at: random.number(0...left.count - 1))) }
        return result
    }
}
