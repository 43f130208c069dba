import STBus
import STContracts
import STEngine
import STPlatform
import Testing

@Suite("A request that needs another service's word")
struct PreparationTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    private func begin(_ text: String) -> [ServiceEffect] {
        let header = RequestHeader(id: "r", route: "note.explain")
        let body = Array("{\"text\":\"\(text)\"}".utf8)
        return desk.engine.receive([header.encoded(), body], from: Desk.owner, peer: [1])
    }

    private func question(_ effects: [ServiceEffect]) throws -> PreparationQuestion {
        guard case .prepare(let question) = effects.first else {
            throw Problem("test.no_question", "\(effects)")
        }
        return question
    }

    private func answer(_ effects: [ServiceEffect]) throws -> Answer {
        for case .reply(_, let frames) in effects {
            if let answer = Answer(frames) { return answer }
        }
        throw Problem("test.no_reply", "\(effects)")
    }

    @Test("waits for it, and is written with what was answered")
    func waits() throws {
        let question = try question(begin("a"))
        #expect(question.route == "neighbour.meaning")
        #expect(question.source == .service(ServiceName("neighbour")))
        #expect(question.cause == "r")

        let effects = desk.engine.prepared(question.id, .success(try Note("explained").encodedBody()))
        guard case .store(let job) = effects.first else { throw Problem("test.no_job", "\(effects)") }
        _ = desk.engine.finished(desk.store.run([job]), nowMs: 0)

        #expect(try desk.notes() == ["explained"])
    }

    @Test("is refused with the other one's problem, and nothing is written")
    func refused() throws {
        let question = try question(begin("a"))

        let effects = desk.engine.prepared(question.id, .failure(Problem("unavailable", "Nobody is there.")))

        #expect(try answer(effects).problem?.code == "unavailable")
        #expect(try desk.notes().isEmpty)
    }

    @Test("goes on at once when there is nothing to ask")
    func nothingToAsk() throws {
        guard case .store(let job) = begin("plain").first else { throw Problem("test.no_job", "asked") }
        _ = desk.engine.finished(desk.store.run([job]), nowMs: 0)

        #expect(try desk.notes() == ["plain"])
    }

    @Test("is refused at once when no question can be made of it")
    func senseless() throws {
        #expect(try answer(begin("senseless")).problem?.code == "note.senseless")
    }

    @Test("hears one answer only")
    func once() throws {
        let question = try question(begin("a"))
        _ = desk.engine.prepared(question.id, .failure(Problem("unavailable", "Nobody is there.")))

        #expect(desk.engine.prepared(question.id, .success([])).isEmpty)
    }
}
