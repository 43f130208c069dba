import STBus
import STContracts
import STEngine
import STPlatform
import STStore
import STTestSupport

/// The two halves of the `Notebook` service. A test moves the jobs between them.
final class Desk {
    static let owner = Principal(uid: 1000, pid: 1)

    let scratch: ScratchDirectory
    let time = SimulatedTimeSource(wallMs: 1_790_000_000_000, bootMs: 10_000)
    let database: Database
    let store: StoreEngine<[String]>
    let engine: ServiceEngine<[String]>

    init(scratch: ScratchDirectory? = nil, clock: ServiceClock? = nil) throws {
        let scratch = try scratch ?? ScratchDirectory()
        self.scratch = scratch
        let path = scratch.file("engine.db")
        database = try Database(
            path: path,
            options: DatabaseOptions(synchronous: .off, applicationID: 0x5354_0051)
        )
        store = try StoreEngine(
            Notebook.definition,
            database: database,
            source: "/test/notebook",
            time: time,
            bootMs: { [time] in time.now().bootMs }
        )
        engine = try ServiceEngine(
            Notebook.definition,
            store: store,
            source: "/test/notebook",
            owner: 1000,
            time: time,
            now: BootTime(ms: 0),
            bootMs: { [time] in time.now().bootMs },
            clock: clock,
            vitals: {
                ServiceVitals(
                    pid: 1,
                    uptime: .milliseconds(2),
                    pssKib: 3,
                    databaseBytes: 4,
                    counters: ["x": 5]
                )
            }
        )
    }

    /// The store job of one request.
    func job(_ route: String, _ body: String, key: String? = nil, timeoutMs: Int64 = 1_000) throws
        -> StoreJob
    {
        let header = RequestHeader(id: "r", route: route, timeoutMs: timeoutMs, idempotencyKey: key)
        let effects = engine.receive([header.encoded(), Array(body.utf8)], from: Self.owner, peer: [1])
        guard case .store(let job) = effects.first else {
            throw Problem("test.no_job", verbatim: "\(effects)")
        }
        return job
    }

    func add(_ text: String, key: String? = nil) throws -> StoreJob {
        try job("note.add", "{\"text\":\"\(text)\"}", key: key)
    }

    /// The answer to one request, which both halves handle.
    func ask(_ route: String, _ body: String = "{}", key: String? = nil) throws -> Answer {
        let header = RequestHeader(id: "r", route: route, idempotencyKey: key)
        var effects = engine.receive([header.encoded(), Array(body.utf8)], from: Self.owner, peer: [1])
        if case .store(let job) = effects.first {
            effects = engine.batchDidFinish(store.run([job]), now: BootTime(ms: 0))
        }
        for case .reply(_, let frames) in effects {
            if let answer = Answer(frames) { return answer }
        }
        throw Problem("test.no_reply", verbatim: "\(effects)")
    }

    func notes() throws -> [String] {
        try database.query("SELECT text FROM notes ORDER BY rowid") { try $0.text(0) }
    }

    static func event(_ sequence: Int64, _ text: String, epoch: String = "e") -> WireEvent {
        WireEvent(
            header: EventHeader(
                id: "\(sequence)",
                source: "/test/neighbour",
                type: "neighbour.note.added",
                timeMs: 0,
                subject: text,
                schema: 1,
                stream: Notebook.neighbour,
                epoch: epoch,
                sequence: sequence,
                traceparent: nil,
                cause: nil
            ),
            body: Array("{\"text\":\"\(text)\"}".utf8)
        )
    }
}

/// A decoded reply.
struct Answer {
    var header: ReplyHeader
    var body: [UInt8]

    init?(_ frames: [[UInt8]]) {
        guard frames.count == 2, let header = ReplyHeader.read(frames[0]) else { return nil }
        self.header = header
        body = frames[1]
    }

    var problem: Problem? { header.ok ? nil : try? Problem.decodedBody(body) }

    func page() throws -> EventPage { try EventPage.decodedBody(body) }

    func note() throws -> Note { try Note.decodedBody(body) }
}

struct Note: WireBody, Codable, Equatable {
    var text: String
    /// The number of notes, in a reply.
    var count: Int64?

    init(_ text: String, count: Int64? = nil) {
        self.text = text
        self.count = count
    }
}
