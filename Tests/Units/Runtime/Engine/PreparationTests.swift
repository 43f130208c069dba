import STBus
import STContracts
import STEngine
import STPlatform
import Synchronization
import Testing

@Suite("Requests that need an answer of another service")
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

    @Test("A request waits for the other service's answer and writes it")
    func waits() throws {
        let question = try question(begin("a"))
        #expect(question.route == "neighbour.meaning")
        #expect(question.source == .service(ServiceName("neighbour")))
        #expect(question.cause == "r")

        try write(
            desk.engine.preparationDidFinish(question.id, .success(try Note("explained").encodedBody()))
        )

        #expect(try desk.notes() == ["explained"])
    }

    @Test("A request is decoded once for both the question and the handler")
    func readOnce() throws {
        let question = try question(begin("read once"))

        try write(
            desk.engine.preparationDidFinish(question.id, .success(try Note("explained").encodedBody()))
        )

        #expect(try desk.notes() == ["explained"])
        #expect(Notebook.readings.withLock { $0["read once"] } == 1)
    }

    @Test("A request is refused with the problem of the other service, and nothing is written")
    func refused() throws {
        let question = try question(begin("a"))

        let effects = desk.engine.preparationDidFinish(
            question.id,
            .failure(Problem("unavailable", "The companion is not there."))
        )

        #expect(try answer(effects).problem?.code == "unavailable")
        #expect(try desk.notes().isEmpty)
    }

    @Test("Copies of a waiting request share one question, and each copy is answered")
    func copies() throws {
        let question = try question(begin("a"))
        #expect(begin("a", peer: 2).isEmpty)
        // A different request with the same id is not a copy.
        #expect(try self.question(begin("b")).id != question.id)

        let effects = desk.engine.preparationDidFinish(
            question.id,
            .failure(Problem("unavailable", "Not there."))
        )

        let peers = effects.compactMap { effect -> [UInt8]? in
            if case .reply(let peer, _) = effect { peer } else { nil }
        }
        #expect(peers == [[1], [2]])
        // After the answer, the same request causes a new question.
        #expect(try self.question(begin("a")).id > question.id)
    }

    @Test("A request without a question continues immediately")
    func nothingToAsk() throws {
        try write(begin("plain"))

        #expect(try desk.notes() == ["plain"])
    }

    @Test("A request from which no question can be made is refused immediately")
    func senseless() throws {
        #expect(try answer(begin("senseless")).problem?.code == "note.senseless")
    }

    @Test("A request that waits when the service stops gets a retryable refusal")
    func stopping() throws {
        let question = try question(begin("a"))

        let problem = try answer(desk.engine.stop()).problem

        #expect(problem?.code == "unavailable" && problem?.retryable == true)
        #expect(desk.engine.preparationDidFinish(question.id, .success([])).isEmpty)
        #expect(desk.engine.stop().isEmpty)
    }

    @Test("A question accepts only one answer")
    func once() throws {
        let question = try question(begin("a"))
        _ = desk.engine.preparationDidFinish(
            question.id,
            .failure(Problem("unavailable", "The companion is not there."))
        )

        #expect(desk.engine.preparationDidFinish(question.id, .success([])).isEmpty)
    }

    private func write(_ effects: [ServiceEffect]) throws {
        let jobs = effects.compactMap {
            if case .store(let job) = $0 { job } else { StoreJob?.none }
        }
        guard !jobs.isEmpty else { throw Problem("test.no_job", verbatim: "\(effects)") }
        _ = desk.engine.batchDidFinish(desk.store.run(jobs), now: BootTime(ms: 0))
    }

    @Test("A request with a question for the companion writes the companion's answer")
    func companion() throws {
        let question = try question(begin("a", route: "note.embellish"))
        #expect(question.source == .worker)
        #expect(question.route == "note.flourish")

        try write(
            desk.engine.preparationDidFinish(question.id, .success(try Note("a, finely").encodedBody()))
        )

        #expect(try desk.notes() == ["a, finely"])
    }

    @Test("If the companion fails, the request continues without its answer, with a warning")
    func withoutCompanion() throws {
        let question = try question(begin("a", route: "note.embellish"))

        let effects = desk.engine.preparationDidFinish(
            question.id,
            .failure(Problem("extension.crashed", "It fell."))
        )

        guard case .warn(_, let problem) = effects.first else {
            throw Problem("test.no_warning", verbatim: "\(effects)")
        }
        #expect(problem.code == "extension.crashed")
        try write(effects)
        #expect(try desk.notes() == ["a"])
    }
}
