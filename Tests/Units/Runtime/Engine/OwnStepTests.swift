import STBus
import STContracts
import STEngine
import STPlatform
import STStore
import Synchronization
import Testing

@Suite("A step of the service's own")
struct OwnStepTests {
    private typealias Step = OwnStep<[String]>

    private let desk: Desk

    init() throws { desk = try Desk() }

    private var request: AdmittedRequest {
        AdmittedRequest(
            header: RequestHeader(id: "step", route: "note.step"),
            body: [],
            principal: Desk.owner,
            envelope: [],
            deadlineBootMs: .max,
            receivedNs: 0,
            trace: .fresh()
        )
    }

    /// Both halves; what the step's caller gets, and the events that left.
    private func take<Value: Sendable>(
        _ step: (@escaping @Sendable (Result<Value, Problem>) -> Void) -> Step
    ) throws -> (Result<Value, Problem>, published: Int) {
        let heard = Heard<Value>()
        let effects = desk.engine.take(step { result in heard.value.withLock { $0 = result } })
        guard case .store(let job) = effects.first else {
            throw Problem("test.no_job", verbatim: "\(effects)")
        }
        let batch = desk.store.run([job])
        #expect(heard.value.withLock { $0 } == nil, "settled before its commit left the database's thread")
        for case .settle(let step, let problem) in desk.engine.finished(batch, nowMs: 0) {
            step.settle(problem)
        }
        return (try #require(heard.value.withLock { $0 }), batch.events.count)
    }

    private final class Heard<Value: Sendable>: Sendable {
        let value = Mutex<Result<Value, Problem>?>(nil)
    }

    @Test("changes state, rows and stream together, and returns a value that was never coded")
    func change() throws {
        let (result, published) = try take { settle in
            Step.change(
                request,
                {
                    try Notebook.add("own", &$0, $2); return $0.count
                },
                settle: settle
            )
        }

        #expect(try result.get() == 1)
        #expect(published == 1)
        #expect(desk.engine.state == ["own"])
        #expect(try desk.notes() == ["own"])
    }

    @Test("that throws leaves nothing behind and hands its problem to its caller")
    func refused() throws {
        let (result, published) = try take { settle in
            Step.change(
                request,
                { notes, _, change -> Int in
                    try Notebook.add("gone", &notes, change)
                    throw Problem("note.refused", "Not this one.")
                },
                settle: settle
            )
        }

        #expect(throws: Problem.self) { try result.get() }
        #expect(published == 0)
        #expect(desk.engine.state == [])
        #expect(try desk.notes() == [])
    }

    @Test("shares its commit with the requests beside it, and falls with that commit")
    func shared() throws {
        try desk.database.execute(
            """
            CREATE TABLE parent(id INTEGER PRIMARY KEY);
            CREATE TABLE child(id INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
            CREATE TRIGGER late AFTER INSERT ON notes WHEN new.text = 'late' BEGIN INSERT INTO child VALUES (7); END;
            """
        )
        let step = Step.change(request, { try Notebook.add("own", &$0, $2) }, settle: { _ in })

        let batch = desk.store.run([.step(step.job), try desk.add("late")])

        let problems = batch.results.map { result -> String? in
            switch result {
            case .stepped(_, let problem): problem?.code
            case .refused(_, _, let problem): problem.code
            default: nil
            }
        }
        #expect(problems == ["store.constraint", "store.constraint"])
        #expect(batch.state == [])
        #expect(!batch.hasChanged)
    }

    @Test("that only looks sees what was committed before it, and changes nothing")
    func look() throws {
        _ = try desk.ask("note.add", "{\"text\":\"a\"}")

        let (result, published) = try take { settle in
            Step.look(
                request,
                { notes, _, database in
                    (notes, try database.first("SELECT count(*) FROM notes") { try $0.int(0) })
                },
                settle: settle
            )
        }

        #expect(try result.get().0 == ["a"])
        #expect(try result.get().1 == 1)
        #expect(published == 0)
    }
}
