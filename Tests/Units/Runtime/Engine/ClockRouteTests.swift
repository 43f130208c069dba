import STBus
import STContracts
import STEngine
import STPlatform
import Synchronization
import Testing

@Suite("Routes of the virtual clock")
struct ClockRouteTests {
    private final class Turns: Sendable {
        private let count = Mutex(0)

        func add() { count.withLock { $0 += 1 } }

        var value: Int { count.withLock { $0 } }
    }

    private func desk(_ turns: Turns = Turns(), asked: [String] = []) throws -> Desk {
        try Desk(
            clock: ServiceClock {
                turns.add()
            } vitals: {
                ServiceClock.Vitals(
                    pid: 7,
                    generation: 3,
                    requestsSent: 20,
                    repliesReceived: 19,
                    eventsHeard: 5,
                    asked: asked,
                    jobs: 2,
                    busy: 1,
                    begun: 4,
                    due: Deadlines(wallMs: 9)
                )
            }
        )
    }

    private func status(_ desk: Desk, _ route: String = "clock.status") throws -> ClockStatus.Reply {
        try ClockStatus.Reply.decodedBody(try desk.ask(route).body)
    }

    @Test("The clock routes are refused on the machine's own clock, with help")
    func real() throws {
        let desk = try Desk()
        for route in ["clock.status", "clock.turn"] {
            let problem = try desk.ask(route).problem
            #expect(problem?.code == "clock.real")
            #expect(problem?.help == "screentime simulate --help")
        }
    }

    @Test("The clock's status reports the counts of process and engine, and only `clock.turn` turns it")
    func counts() throws {
        let turns = Turns()
        let desk = try desk(turns, asked: Array(repeating: "usage.observe", count: 6))
        let before = try status(desk)
        _ = try desk.ask("note.add", "{\"text\":\"a\"}")
        _ = try desk.ask("note.latest")
        _ = try desk.ask("no.such")
        _ = try desk.ask("health.ping")
        #expect(turns.value == 0)
        let after = try status(desk, "clock.turn")

        #expect(turns.value == 1)
        #expect(before.sent == 20 && before.handled == 19 && before.published == 0)
        #expect(after.sent == 23 && after.handled == 22, "questions about the clock and health do not count")
        #expect(after.published == 1 && after.heard == 5)
        #expect(after.open == 6 && after.jobs == 2 && after.busy == 1 && after.begun == 4)
        #expect(after.openRoutes == Array(repeating: ">usage.observe", count: 6))
        #expect(after.wallMs == 1_790_000_000_000 && after.bootMs == 10_000 && after.dueWallMs == 9)
        #expect(after.pid == 7 && after.generation == 3 && after.dueBootMs == nil)
        #expect(after.heads.map(\.sequence) == [1, 1])
    }

    @Test(
        "A request that waits for the database is open, and the service's own steps are counted too"
    )
    func open() throws {
        let desk = try desk()
        let job = try desk.add("a")
        let waiting = try status(desk)
        #expect(waiting.open == 1 && waiting.handled == 20 && waiting.sent == 20)

        _ = desk.engine.batchDidFinish(desk.store.run([job]), now: BootTime(ms: 0))
        let own = AdmittedRequest(
            header: RequestHeader(id: "own", route: "note.step"),
            body: [],
            principal: Desk.owner,
            envelope: [],
            deadlineBootMs: .max,
            receivedNs: 0,
            trace: .empty
        )
        let step = InternalStep<[String]>.change(own, { notes, _, _ in notes.count }, settle: { _ in })
        for case .store(let job) in desk.engine.accept(step) {
            _ = desk.engine.batchDidFinish(desk.store.run([job]), now: BootTime(ms: 0))
        }
        let done = try status(desk)
        #expect(done.open == 0 && done.handled == 21 && done.sent == 22)
    }

    @Test("A follower is settled only after it has applied all announced events")
    func cursors() throws {
        let desk = try desk()
        #expect(try status(desk).cursors.map(\.isLive) == [false], "it has not joined yet")
        var effects = desk.engine.follow(0, .event(Desk.event(1, "x")), now: BootTime(ms: 0))
        #expect(try status(desk).cursors.map(\.isLive) == [false])
        for case .store(let job) in effects {
            effects = desk.engine.batchDidFinish(desk.store.run([job]), now: BootTime(ms: 0))
        }
        let cursor = try #require(try status(desk).cursors.first)
        #expect(cursor.isLive && cursor.at.sequence == 1 && cursor.source == "neighbour")
        let head = StreamPoint(stream: "neighbour", epoch: "e", sequence: 2, id: "2")
        _ = desk.engine.follow(0, .head(head), now: BootTime(ms: 0))
        #expect(try status(desk).cursors.map(\.isLive) == [false])
    }
}
