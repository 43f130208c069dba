import STBus
import STContracts
import STEngine
import STPlatform
import STTestSupport
import Testing

@Suite("Events of a followed service")
struct FollowingTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    @Test("Events take effect in the same commit as the cursor")
    func cursor() throws {
        let batch = desk.store.run([.apply(subscription: 0, [Desk.event(1, "a"), Desk.event(2, "b")])])

        #expect(batch.state == ["a", "b"])
        #expect(try desk.store.cursor(of: 0)?.sequence == 2)
        #expect(try desk.store.cursor(of: 0)?.id == "2")
        #expect(batch.events.map(\.header.cause) == ["1", "2"])
    }

    @Test(
        "The cursor of events without effect is saved with a change, after 501 events, at rest or at a stop"
    )
    func ignored() throws {
        let first = Desk.event(1, "a")
        let ignored = (2...502).map { Desk.event($0, "ignored") }
        _ = desk.store.run([.apply(subscription: 0, [first])])
        _ = desk.store.run([.apply(subscription: 0, [ignored[0]])])
        #expect(try desk.store.cursor(of: 0)?.sequence == 1)
        // If the service crashed here, it would apply the event again.
        let crashed = try Desk(scratch: desk.scratch)
        #expect(try crashed.store.cursor(of: 0)?.sequence == 1)
        _ = crashed.store.run([.apply(subscription: 0, [ignored[0]])])
        #expect(try crashed.notes() == ["a"])

        _ = desk.store.run([try desk.add("own")])
        #expect(try desk.store.cursor(of: 0)?.sequence == 2)
        for event in ignored.dropFirst() { _ = desk.store.run([.apply(subscription: 0, [event])]) }
        #expect(try desk.store.cursor(of: 0)?.sequence == 2)
        _ = desk.store.run([.apply(subscription: 0, [Desk.event(503, "ignored")])])
        #expect(try desk.store.cursor(of: 0)?.sequence == 503)
        _ = desk.store.run([.apply(subscription: 0, [Desk.event(504, "ignored")])])
        #expect(desk.store.needsCheckpoint)
        desk.store.checkpoint()
        #expect(try desk.store.cursor(of: 0)?.sequence == 504)
        _ = desk.store.run([.apply(subscription: 0, [Desk.event(505, "ignored")])])
        try desk.store.close()
        #expect(try Desk(scratch: desk.scratch).store.cursor(of: 0)?.sequence == 505)
    }

    @Test("An unreadable event is skipped completely and reported by a warning")
    func unreadable() throws {
        let batch = desk.store.run([
            .apply(subscription: 0, [Desk.event(1, "unreadable"), Desk.event(2, "b")])
        ])
        let effects = desk.engine.batchDidFinish(batch, now: BootTime(ms: 0))

        #expect(batch.skipped.map(\.event.header.sequence) == [1])
        #expect(batch.state == ["b"])
        #expect(try desk.notes() == ["b"])
        #expect(batch.events.map(\.header.subject) == ["b"])
        #expect(try desk.store.cursor(of: 0)?.sequence == 2)
        let warnings = effects.filter { if case .warn = $0 { true } else { false } }
        #expect(warnings.count == 1)
    }

    @Test("An event that cannot be applied undoes its batch, and nothing of the batch is published")
    func impossible() throws {
        let write = try desk.add("own")
        let batch = desk.store.run([
            .apply(
                subscription: 0,
                [Desk.event(1, "a"), Desk.event(2, "unreadable"), Desk.event(3, "impossible")]
            ), write,
        ])

        #expect(batch.events.map(\.header.subject) == ["own"])
        #expect(batch.events.map(\.header.sequence) == [1])
        #expect(batch.skipped.isEmpty)
        #expect(batch.state == ["own"])
        #expect(try desk.store.cursor(of: 0) == nil)
    }

    @Test("A service is notified once when it has applied all events up to the head")
    func reached() throws {
        func isTold(_ effects: [ServiceEffect]) -> Bool {
            effects.contains { if case .store(.reached(0)) = $0 { true } else { false } }
        }
        func applied(_ effects: [ServiceEffect]) -> [ServiceEffect] {
            let jobs = effects.compactMap {
                if case .store(let job) = $0 { job } else { StoreJob?.none }
            }
            return desk.engine.batchDidFinish(desk.store.run(jobs), now: BootTime(ms: 0))
        }
        let first = Desk.event(1, "a")
        let head = StreamPoint(stream: "neighbour", epoch: "e", sequence: 1, id: "1")
        #expect(!isTold(desk.engine.follow(0, .head(head), now: BootTime(ms: 0))))
        let page = desk.engine.follow(
            0,
            .page(EventPage(head: head, events: [first], next: nil)),
            now: BootTime(ms: 0)
        )
        #expect(!isTold(page))
        let told = applied(page)
        #expect(isTold(told))
        _ = applied(told)
        #expect(desk.store.state == ["a", "(whole)"])
        #expect(!isTold(applied(desk.engine.follow(0, .event(Desk.event(2, "b")), now: BootTime(ms: 0)))))
    }

    @Test("A snapshot replaces the state, and a restart before its last page restarts the rebuild")
    func snapshot() throws {
        _ = desk.store.run([.apply(subscription: 0, [Desk.event(1, "old")])])
        let half = desk.store.run([
            .applySnapshot(subscription: 0, [Desk.event(4, "a", epoch: "f")], isFirst: true, cursor: nil)
        ])
        #expect(half.state == ["a"])
        #expect(try desk.store.cursor(of: 0) == nil)
        #expect(try desk.store.isRebuilding(0))

        let again = try Desk(scratch: desk.scratch)
        let marker = StreamPoint(stream: "neighbour", epoch: "f", sequence: 9, id: "9")
        let effects = again.engine.follow(0, .head(marker), now: BootTime(ms: 0))
        guard case .fetchSnapshot(0, nil) = effects.first else {
            Issue.record("it went on from a half snapshot: \(effects)")
            return
        }
        _ = again.store.run([
            .applySnapshot(subscription: 0, [Desk.event(9, "b", epoch: "f")], isFirst: true, cursor: marker)
        ])
        #expect(again.store.state == ["b"])
        #expect(try again.store.cursor(of: 0) == marker)
        #expect(try !again.store.isRebuilding(0))
    }
}
