import STBus
import STContracts
import STEngine
import STPlatform
import STStore
import Synchronization
import Testing

@Suite("Steps of the service itself")
struct OwnStepTests {
    private typealias Step = InternalStep<[String]>

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

    /// Runs the step in both halves. Returns the result for its caller and the number of published events.
    private func take<Value: Sendable>(
        _ step: (@escaping @Sendable (Result<Value, Problem>) -> Void) -> Step
    ) throws -> (Result<Value, Problem>, published: Int) {
        let heard = Heard<Value>()
        let effects = desk.engine.accept(step { result in heard.value.withLock { $0 = result } })
        guard case .store(let job) = effects.first else {
            throw Problem("test.no_job", verbatim: "\(effects)")
        }
        let batch = desk.store.run([job])
        #expect(heard.value.withLock { $0 } == nil, "settled before its commit left the database's thread")
        for case .settle(let step, let problem) in desk.engine.batchDidFinish(batch, now: BootTime(ms: 0)) {
            step.complete(problem)
        }
        return (try #require(heard.value.withLock { $0 }), batch.events.count)
    }

    private final class Heard<Value: Sendable>: Sendable {
        let value = Mutex<Result<Value, Problem>?>(nil)
    }

    @Test("A step changes state, rows and stream together, and returns its value unencoded")
    func change() throws {
        let (result, published) = try take { settle in
            Step.change(
                request,
                {
                    try Notebook.add("own", notes: &$0, change: $2); return $0.count
                },
                settle: settle
            )
        }

        #expect(try result.get() == 1)
        #expect(published == 1)
        #expect(desk.engine.state == ["own"])
        #expect(try desk.notes() == ["own"])
    }

    @Test("A step that throws changes nothing and passes its problem to the caller")
    func refused() throws {
        let (result, published) = try take { settle in
            Step.change(
                request,
                { notes, _, change -> Int in
                    try Notebook.add("gone", notes: &notes, change: change)
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

    @Test("A step shares its commit with other requests, and fails with that commit")
    func shared() throws {
        try desk.database.execute(
            """
            CREATE TABLE parent(id INTEGER PRIMARY KEY);
            CREATE TABLE child(id INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
            CREATE TRIGGER late AFTER INSERT ON notes WHEN new.text = 'late' BEGIN INSERT INTO child VALUES (7); END;
            """
        )
        let step = Step.change(request, { try Notebook.add("own", notes: &$0, change: $2) }, settle: { _ in })

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

    @Test("A reading step sees the committed state and changes nothing")
    func look() throws {
        _ = try desk.ask("note.add", "{\"text\":\"a\"}")

        let (result, published) = try take { settle in
            Step.read(
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
