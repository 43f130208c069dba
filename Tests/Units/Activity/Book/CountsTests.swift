import STContracts
import STDomain
import STPlatform
import STStore
import STTestKit
import STTestSupport
import Testing

@testable import STActivityCore

@Suite("What was counted, as it is written down")
struct CountsTests {
    private static func thresholds(_ apps: [String], _ count: Int) -> [ActivityEventSpec] {
        apps.flatMap { app in
            (1...count).map { minute in
                ActivityDesk.event(
                    "\(app) \(minute)",
                    [ActivityTarget(kind: .application, id: app)],
                    ActivityDesk.minutes(minute)
                )
            }
        }
    }

    @Test(
        "the stored counts are small however many thresholds one selection has, and apart from the activity"
    )
    func small() throws {
        let desk = try ActivityDesk()
        let events = Self.thresholds(["game"], 200)
        _ = try desk.bench.ask(ActivityStart.self, ActivityDesk.request(events: events))
        // With more stretches than are kept as evidence.
        for _ in 0..<20 {
            try desk.use("game", 90_000)
            try desk.use("mail", 10_000)
        }
        let written = try desk.bench.database.query("SELECT body FROM activity_counts") {
            try $0.blob(0).count
        }
        #expect(written.count == 1)
        #expect(written[0] < 12_000, "\(written)")

        var book = desk.bench.state.book
        let stretch = Stretch(
            member: "child",
            segment: "s",
            presence: .active,
            app: "game",
            domain: nil,
            category: nil,
            bootId: "boot",
            fromBootMs: desk.bench.time.now().bootMs,
            toBootMs: desk.bench.time.now().bootMs + 1_000,
            fromWallMs: desk.bench.time.now().wallMs
        )
        _ = book.count(stretch)
        #expect(book.takeChanged().map(\.isCountOnly) == [true])
    }

    @Test("the stored counts are read again as they were, also for events that have counted different things")
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
            let before = desk.bench.state.book.activities
            try desk.reopen()
            #expect(desk.bench.state.book.activities == before, "seed \(seed)")
        }
    }

    @Test("stored counts that do not belong to their events are damage, and say so")
    func damage() throws {
        let one = ActivityCounts([BookDesk.event("a", ["game"], 1)])
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
