import STContracts
import STPlatform
import STStore
import STTestKit
import Testing

@testable import STMonitorCore

@Suite("Deliveries")
struct DeliveryTests {
    @Test(
        "Each of the six occasions is delivered with Apple's method name",
        arguments: zip(
            [
                ActivityOccasion.intervalStarted, .intervalEnded, .intervalWillStart, .intervalWillEnd,
                .thresholdReached, .thresholdWarning,
            ],
            [
                "intervalDidStart", "intervalDidEnd", "intervalWillStartWarning", "intervalWillEndWarning",
                "eventDidReachThreshold", "eventWillReachThresholdWarning",
            ]
        )
    )
    func occasions(_ occasion: ActivityOccasion, _ method: String) throws {
        var desk = try MonitorDesk()
        let number = try desk.happens(occasion, event: "allowance")
        let view = try #require(try desk.view(number))

        #expect(view.method == method)
        #expect(view.event == "allowance")
        #expect(view.state == .queued)
        #expect(view.attempt == 0)
    }

    @Test("Other events and repeated events give no delivery")
    func others() throws {
        var desk = try MonitorDesk()
        try desk.happens()
        let again = try desk.event(MonitorDesk.occurrence(.intervalStarted), 1)
        let unknown = try desk.event(MonitorDesk.occurrence(.unknown), 2)
        let stopped = ActivityStopped(
            app: MonitorDesk.app,
            member: MonitorDesk.member,
            activity: "daily",
            reason: .asked
        )
        try desk.bench.follow([
            again, unknown,
            try CoreBench<MonitorState>.event(
                MonitoringStopped.self,
                sequence: 3,
                subject: "s",
                body: stopped
            ),
        ])

        #expect(try desk.bench.ask(MonitorDeliveries.self, .init()).deliveries.count == 1)
    }

    @Test("Deliveries run in order for each app, and every step is published")
    func order() throws {
        var desk = try MonitorDesk()
        try desk.install("other.app")
        try desk.allow(app: "other.app")
        for app in [MonitorDesk.app, MonitorDesk.app, "other.app", MonitorDesk.app] {
            try desk.happens(app: app)
        }

        #expect(try desk.next().map(\.number) == [1, 3])
        #expect(try desk.next(except: ["other.app"]).map(\.number) == [1])
        #expect(try desk.next(isSingle: true).map(\.number) == [1])
        #expect(try desk.next(except: [MonitorDesk.app], isSingle: true).isEmpty)
        let first = try #require(try desk.begin(1))
        #expect(first.attempt == 1)
        #expect(first.id == "event-1")
        #expect(first.occurrence.evidence.rule.english == "a rule")
        // A running delivery blocks its app, or all apps in a single order.
        #expect(try desk.next().map(\.number) == [3])
        #expect(try desk.next(isSingle: true).isEmpty)
        #expect(try desk.begin(1) == nil)
        #expect(try desk.finish(first).state == .done)
        #expect(try desk.next().map(\.number) == [2, 3])

        let view = try #require(try desk.view(1))
        #expect(view.state == .done)
        #expect(view.tookMs == 3 && view.privateKib == 2_000 && view.reason == nil)
        #expect(view.finishedAt != nil)
        let told = try desk.bench.events.filter { $0.header.subject == "D1" }.map {
            try $0.decoded(DeliveryChanged.self).state
        }
        #expect(told == [.queued, .running, .done])
        #expect(desk.bench.events.first?.header.cause == "event-1")
    }

    @Test("A delivery that crashes is tried three times with growing pauses and then parked")
    func crash() throws {
        var desk = try MonitorDesk()
        try desk.happens()
        try desk.happens()

        #expect(try desk.attempt(1, MonitorDesk.crash).retryAfter == .seconds(1))
        #expect(try desk.view(1)?.state == .waiting)
        #expect(try desk.next().map(\.number) == [1])
        #expect(try desk.attempt(1, MonitorDesk.crash).retryAfter == .seconds(5))
        #expect(try desk.attempt(1, MonitorDesk.crash).state == .parked)
        let view = try #require(try desk.view(1))
        #expect(view.state == .parked && view.attempt == 3)
        #expect(view.reason == "extension.crashed" && view.message?.english == "It fell.")
        #expect(view.figure == "SEGV")
        #expect(try desk.next().map(\.number) == [2])
    }

    @Test("A delivery that uses too much memory is parked immediately with the amount and its last output")
    func heavy() throws {
        var desk = try MonitorDesk()
        try desk.happens()
        let delivery = try #require(try desk.begin(1))
        let lines = (1...50).map { "line \($0) " + String(repeating: "x", count: 1_000) }
        #expect(try desk.finish(delivery, MonitorDesk.heavy, lastOutput: lines).state == .parked)

        let view = try #require(try desk.view(1))
        #expect(view.figure == "20.7 MB of 6 MB")
        #expect(view.lastOutput.count == 30)
        #expect(view.lastOutput.last?.hasPrefix("line 50 ") == true)
        #expect(view.lastOutput.allSatisfy { $0.count <= 401 })
    }

    @Test("A delivery that the host's own end interrupts is repeated immediately, without a limit")
    func interrupted() throws {
        var desk = try MonitorDesk()
        try desk.happens()
        let problem = Problem("extension.interrupted", "The host stops.", retryable: true)
        for _ in 0..<5 { #expect(try desk.attempt(1, problem).state == .queued) }

        #expect(try desk.attempt(1).state == .done)
        #expect(try desk.view(1)?.attempt == 6)
    }

    @Test(
        "A running delivery is repeated after the service was killed, with the same id and the next attempt"
    )
    func killed() throws {
        var desk = try MonitorDesk()
        try desk.happens()
        try desk.happens()
        let before = try #require(try desk.begin(1))
        try desk.reopen()

        #expect(try desk.view(1)?.state == .queued)
        #expect(try desk.next().map(\.number) == [1])
        // The attempt from before the restart can no longer finish.
        #expect(throws: Problem.self) { try desk.finish(before) }
        let again = try #require(try desk.begin(1))
        #expect(again.id == before.id && again.attempt == 2)
        #expect(try desk.finish(again).state == .done)
        #expect(throws: Problem.self) { try desk.finish(again) }
        #expect(try desk.next().map(\.number) == [2])
    }

    @Test("A parked delivery can be retried by either of its names, and comes first")
    func retry() throws {
        var desk = try MonitorDesk()
        try desk.happens()
        try desk.happens()
        try desk.attempt(1, MonitorDesk.heavy)
        #expect(try desk.bench.ask(MonitorRetry.self, .init(delivery: "d1")).state == .queued)
        #expect(try desk.next().map(\.number) == [1])
        // A retry allows all three attempts again.
        #expect(try desk.attempt(1, MonitorDesk.crash).retryAfter == .seconds(1))
        #expect(try desk.attempt(1, MonitorDesk.heavy).state == .parked)
        #expect(try desk.bench.ask(MonitorRetry.self, .init(delivery: "event-1")).attempt == 3)
        #expect(try desk.attempt(1).state == .done)

        #expect(
            try desk.bench.refusal(MonitorRetry.self, .init(delivery: "D1"))?.code == "delivery.not_parked"
        )
        #expect(
            try desk.bench.refusal(MonitorRetry.self, .init(delivery: "D99"))?.code == "delivery.not_found"
        )
        #expect(try desk.bench.refusal(MonitorRetry.self, .init(delivery: "x"))?.code == "delivery.not_found")
    }

    @Test("A snapshot adds missed deliveries and does not restore deleted ones")
    func snapshot() throws {
        var desk = try MonitorDesk()
        try desk.happens()
        try desk.attempt(1)
        let known = try desk.event(MonitorDesk.occurrence(.intervalStarted), 1, timeMs: 50)
        let missed = try desk.event(MonitorDesk.occurrence(.intervalEnded), 7, timeMs: 100)
        try desk.bench.rebuild([known, missed])
        let both = try desk.bench.ask(MonitorDeliveries.self, .init()).deliveries
        #expect(both.map(\.delivery) == ["D2", "D1"], "\(both)")

        // The first delivery was deleted. An event older than all remaining deliveries counts as deleted.
        try desk.bench.database.run("DELETE FROM deliveries WHERE number = 1")
        try desk.bench.rebuild([try desk.event(MonitorDesk.occurrence(.intervalStarted), 8, timeMs: 99)])
        #expect(try desk.bench.ask(MonitorDeliveries.self, .init()).deliveries.map(\.delivery) == ["D2"])
    }

    @Test("Deliveries beyond the limit of waiting ones are parked with a reason")
    func full() throws {
        let desk = try MonitorDesk()
        let count = DeliveryTables.openMax
        let events = try (1...count + 1).map { try desk.event(MonitorDesk.occurrence(.intervalStarted), $0) }
        try desk.bench.follow(events)

        #expect(try desk.view(count)?.state == .queued)
        #expect(try desk.view(count + 1)?.state == .parked)
        #expect(try desk.view(count + 1)?.reason == "delivery.queue_full")
    }

    @Test("Deliveries are listed newest first, in pages, by app and by state")
    func pages() throws {
        var desk = try MonitorDesk()
        for _ in 0..<7 { try desk.happens() }
        try desk.attempt(1)
        let first = try desk.bench.ask(MonitorDeliveries.self, .init(limit: 3))
        let second = try desk.bench.ask(MonitorDeliveries.self, .init(next: first.next, limit: 3))
        let third = try desk.bench.ask(MonitorDeliveries.self, .init(next: second.next, limit: 3))

        #expect(
            (first.deliveries + second.deliveries + third.deliveries).map(\.delivery)
                == (1...7).reversed().map { "D\($0)" }
        )
        #expect(third.next == nil)
        #expect(
            try desk.bench.ask(MonitorDeliveries.self, .init(state: .done)).deliveries.map(\.delivery) == [
                "D1"
            ]
        )
        #expect(try desk.bench.ask(MonitorDeliveries.self, .init(app: "x")).deliveries.isEmpty)
        #expect(try desk.bench.refusal(MonitorDeliveries.self, .init(next: "x"))?.code == "page.invalid")
        #expect(try desk.bench.refusal(MonitorDeliveries.self, .init(state: .unknown))?.field == "/state")
    }
}
