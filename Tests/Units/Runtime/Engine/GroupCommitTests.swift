import STBus
import STContracts
import STEngine
import STPlatform
import STStore
import Testing

@Suite("Writes in a shared commit")
struct GroupCommitTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    /// The results as text: `ok`, `repeated` or the code of a problem.
    private func text(_ results: [StoreResult]) -> [String] {
        results.map { result in
            switch result {
            case .reply(_, _, _, let repeated): repeated ? "repeated" : "ok"
            case .refused(_, _, let problem): problem.code
            case .applied: "applied"
            case .stepped(_, let problem): problem?.code ?? "ok"
            case .reached: "reached"
            case .recorded: "noted"
            case .applyFailed(_, let problem): problem.code
            }
        }
    }

    @Test("A refused write undoes only itself")
    func neighbours() throws {
        let batch = desk.store.run([try desk.add("a"), try desk.add("refuse"), try desk.add("b")])

        #expect(text(batch.results) == ["ok", "note.refused", "ok"])
        #expect(batch.state == ["a", "b"])
        #expect(batch.events.map(\.header.subject) == ["a", "b"])
        #expect(batch.events.map(\.header.sequence) == [1, 2])
        #expect(batch.heads.map(\.sequence) == [1, 2])
        #expect(try desk.notes() == ["a", "b"])
    }

    @Test("A failed commit refuses all of its requests and leaves the state unchanged")
    func failingCommit() throws {
        _ = desk.store.run([try desk.add("kept")])
        // A constraint that SQLite checks only at the commit.
        try desk.database.execute(
            """
            CREATE TABLE parent(id INTEGER PRIMARY KEY);
            CREATE TABLE child(id INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
            CREATE TRIGGER late AFTER INSERT ON notes WHEN new.text = 'late' BEGIN INSERT INTO child VALUES (7); END;
            """
        )

        let batch = desk.store.run([try desk.add("a", key: "k"), try desk.add("late"), try desk.add("b")])

        #expect(text(batch.results) == ["store.constraint", "store.constraint", "store.constraint"])
        #expect(batch.state == ["kept"])
        #expect(batch.events.isEmpty)
        #expect(try desk.notes() == ["kept"])
        let again = desk.store.run([try desk.add("a", key: "k")])
        #expect(text(again.results) == ["ok"])
        #expect(again.events.map(\.header.sequence) == [2])
    }

    @Test("A reply that is too large undoes its write")
    func largeReply() throws {
        let batch = desk.store.run([try desk.add("large")])

        #expect(text(batch.results) == ["reply.too_large"])
        #expect(try desk.notes() == [])
        #expect(batch.events.isEmpty)
    }

    @Test("A query between writes sees the writes before it and none after it")
    func queryBetween() throws {
        let batch = desk.store.run([try desk.add("a"), try desk.job("note.count", "{}"), try desk.add("b")])

        let bodies = batch.results.map { result -> String in
            guard case .reply(_, _, let body, _) = result else { return "" }
            return String(decoding: body, as: UTF8.self)
        }
        #expect(bodies[1].contains("\"count\":1"))
        #expect(bodies[2].contains("\"count\":2"))
    }

    @Test("An expired request is refused and changes nothing")
    func expired() throws {
        let jobs = [try desk.add("late"), try desk.job("note.count", "{}")]
        desk.time.advance(byMs: 5_000)

        #expect(text(desk.store.run(jobs).results) == ["deadline.exceeded", "deadline.exceeded"])
        #expect(try desk.notes() == [])
    }

    @Test("Each event names the event before it, also within one commit")
    func previous() throws {
        let batch = desk.store.run([try desk.add("a"), try desk.add("refuse"), try desk.add("b")])

        #expect(batch.events.map(\.header.previous) == [nil, batch.events[0].header.id])
    }
}

@Suite("Limit of waiting requests")
struct WaitingTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    @Test("Requests beyond the limit are refused, and accepted again after others are done")
    func queueLimit() throws {
        let count = ServiceEngine<[String]>.waitingMax
        let jobs = try (0..<count).map { _ in try desk.job("note.count", "{}") }

        #expect(try desk.ask("note.add", "{\"text\":\"a\"}").problem?.code == "unavailable")
        #expect(try desk.ask("note.latest").problem == nil)
        // A read that needs another service counts as waiting too.
        #expect(try desk.ask("note.ponder", "{\"text\":\"a\"}").problem?.code == "unavailable")

        _ = desk.engine.batchDidFinish(desk.store.run(Array(jobs.prefix(1))), now: BootTime(ms: 0))
        #expect(try desk.ask("note.add", "{\"text\":\"a\"}").problem == nil)
    }

    @Test("A batch reports no change if all of its requests were refused or were queries")
    func refused() throws {
        #expect(!desk.store.run([try desk.add("refuse")]).hasChanged)
        #expect(!desk.store.run([try desk.job("note.count", "{}")]).hasChanged)
        #expect(desk.store.run([try desk.add("refuse"), try desk.add("a")]).hasChanged)
        #expect(desk.store.run([.apply(subscription: 0, [Desk.event(1, "b")])]).hasChanged)
    }
}
