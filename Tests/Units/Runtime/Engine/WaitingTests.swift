import STBus
import STContracts
import STEngine
import STPlatform
import Testing

@Suite("A service whose disk cannot keep up")
struct WaitingTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    @Test("refuses what is beyond the limit of waiting requests, and takes more once they are done")
    func queueLimit() throws {
        let count = ServiceEngine<[String]>.waitingMax
        let jobs = try (0..<count).map { _ in try desk.job("note.count", "{}") }

        #expect(try desk.ask("note.add", "{\"text\":\"a\"}").problem?.code == "unavailable")
        #expect(try desk.ask("note.latest").problem == nil)
        // A read that waits for a neighbour waits too.
        #expect(try desk.ask("note.ponder", "{\"text\":\"a\"}").problem?.code == "unavailable")

        _ = desk.engine.finished(desk.store.run(Array(jobs.prefix(1))), nowMs: 0)
        #expect(try desk.ask("note.add", "{\"text\":\"a\"}").problem == nil)
    }

    @Test("says that nothing has changed when all was refused")
    func refused() throws {
        #expect(!desk.store.run([try desk.add("refuse")]).hasChanged)
        #expect(!desk.store.run([try desk.job("note.count", "{}")]).hasChanged)
        #expect(desk.store.run([try desk.add("refuse"), try desk.add("a")]).hasChanged)
        #expect(desk.store.run([.apply(subscription: 0, [Desk.event(1, "b")])]).hasChanged)
    }
}
