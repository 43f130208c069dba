import STBus
import STContracts
import STEngine
import STPlatform
import Synchronization
import Testing

@Suite("A request that needs another service's word")
struct PreparationTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    private func begin(_ text: String, route: String = "note.explain", peer: UInt8 = 1) -> [ServiceEffect] {
        let header = RequestHeader(id: "r", route: route)
        let body = Array("{\"text\":\"\(text)\"}".utf8)
        return desk.engine.receive([header.encoded(), body], from: Desk.owner, peer: [peer])
    }

    private func question(_ effects: [ServiceEffect]) throws -> PreparationQuestion {
        guard case .prepare(let question) = effects.first else {
            throw Problem("test.no_question", verbatim: "\(effects)")
        }
        return question
    }

    private func answer(_ effects: [ServiceEffect]) throws -> Answer {
        for case .reply(_, let frames) in effects {
            if let answer = Answer(frames) { return answer }
        }
        throw Problem("test.no_reply", verbatim: "\(effects)")
    }

    @Test("waits for it, and is written with what was answered")
    func waits() throws {
        let question = try question(begin("a"))
        #expect(question.route == "neighbour.meaning")
        #expect(question.source == .service(ServiceName("neighbour")))
        #expect(question.cause == "r")

        try write(desk.engine.prepared(question.id, .success(try Note("explained").encodedBody())))

        #expect(try desk.notes() == ["explained"])
    }

    @Test("is read once, for the question and for the handler")
    func readOnce() throws {
        let question = try question(begin("read once"))

        try write(desk.engine.prepared(question.id, .success(try Note("explained").encodedBody())))

        #expect(try desk.notes() == ["explained"])
        #expect(Notebook.readings.withLock { $0["read once"] } == 1)
    }

    @Test("is refused with the other one's problem, and nothing is written")
    func refused() throws {
        let question = try question(begin("a"))

        let effects = desk.engine.prepared(
            question.id,
            .failure(Problem("unavailable", "The companion is not there."))
        )

        #expect(try answer(effects).problem?.code == "unavailable")
        #expect(try desk.notes().isEmpty)
    }

    @Test("asks once for all copies that its sender sends meanwhile, and answers each of them")
    func copies() throws {
        let question = try question(begin("a"))
        #expect(begin("a", peer: 2).isEmpty)
        // Another request under the same id is no copy.
        #expect(try self.question(begin("b")).id != question.id)

        let effects = desk.engine.prepared(question.id, .failure(Problem("unavailable", "Not there.")))

        let peers = effects.compactMap { effect -> [UInt8]? in
            if case .reply(let peer, _) = effect { peer } else { nil }
        }
        #expect(peers == [[1], [2]])
        // What is answered is asked anew.
        #expect(try self.question(begin("a")).id > question.id)
    }

    @Test("goes on at once when there is nothing to ask")
    func nothingToAsk() throws {
        try write(begin("plain"))

        #expect(try desk.notes() == ["plain"])
    }

    @Test("is refused at once when no question can be made of it")
    func senseless() throws {
        #expect(try answer(begin("senseless")).problem?.code == "note.senseless")
    }

    @Test("that waits when the service stops is answered with what can be tried again")
    func stopping() throws {
        let question = try question(begin("a"))

        let problem = try answer(desk.engine.stop()).problem

        #expect(problem?.code == "unavailable" && problem?.retryable == true)
        #expect(desk.engine.prepared(question.id, .success([])).isEmpty)
        #expect(desk.engine.stop().isEmpty)
    }

    @Test("hears one answer only")
    func once() throws {
        let question = try question(begin("a"))
        _ = desk.engine.prepared(question.id, .failure(Problem("unavailable", "The companion is not there.")))

        #expect(desk.engine.prepared(question.id, .success([])).isEmpty)
    }

    private func write(_ effects: [ServiceEffect]) throws {
        let jobs = effects.compactMap {
            if case .store(let job) = $0 { job } else { StoreJob?.none }
        }
        guard !jobs.isEmpty else { throw Problem("test.no_job", verbatim: "\(effects)") }
        _ = desk.engine.finished(desk.store.run(jobs), nowMs: 0)
    }

    @Test("of the companion is written with what it made of it")
    func companion() throws {
        let question = try question(begin("a", route: "note.embellish"))
        #expect(question.source == .companion)
        #expect(question.route == "note.flourish")

        try write(desk.engine.prepared(question.id, .success(try Note("a, finely").encodedBody())))

        #expect(try desk.notes() == ["a, finely"])
    }

    @Test("does without the companion's when that fails, which is said, and asks it only once")
    func withoutCompanion() throws {
        let question = try question(begin("a", route: "note.embellish"))

        let effects = desk.engine.prepared(question.id, .failure(Problem("extension.crashed", "It fell.")))

        guard case .warn(_, let problem) = effects.first else {
            throw Problem("test.no_warning", verbatim: "\(effects)")
        }
        #expect(problem.code == "extension.crashed")
        try write(effects)
        #expect(try desk.notes() == ["a"])
    }
}
