import STContracts
import STEngine
import STPlatform
import STTestSupport
import Testing

@Suite("Engine and store of a service")
struct EngineTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    @Test("A read after an answered write returns the written value")
    func ownWrites() throws {
        #expect(try desk.ask("note.latest").note() == Note("", count: 0))

        _ = try desk.ask("note.add", "{\"text\":\"a\"}")

        #expect(try desk.ask("note.latest").note() == Note("a", count: 1))
    }

    @Test("Events are published after the commit and before the reply")
    func order() throws {
        let effects = desk.engine.batchDidFinish(desk.store.run([try desk.add("a")]), now: BootTime(ms: 0))

        let kinds = effects.map { effect -> String in
            switch effect {
            case .publish(let topic, _, _): topic
            case .reply: "reply"
            default: "other"
            }
        }
        #expect(kinds == ["notes.note.added", "reply"])
    }

    @Test("State and log are the same after a restart")
    func start() throws {
        _ = try desk.ask("note.add", "{\"text\":\"a\"}")
        let again = try Desk(scratch: desk.scratch)

        #expect(again.store.state == ["a"])
        #expect(try again.store.heads() == desk.store.heads())
        #expect(try again.ask("note.latest").note() == Note("a", count: 1))
    }

    @Test("The health and description routes answer, and an unknown route is refused")
    func health() throws {
        let ping = try HealthPing.Reply.decodedBody(try desk.ask("health.ping").body)
        let report = try HealthReport.Reply.decodedBody(try desk.ask("health.report").body)
        let described = try BusDescribe.Reply.decodedBody(try desk.ask("bus.describe").body)

        #expect(ping.service == "notebook")
        #expect(report.streams.map(\.stream) == ["notebook.history", "notes"])
        #expect(report.cursors.map(\.stream) == ["neighbour"])
        #expect(described.routes.count == Catalogue.common.count)
        #expect(try desk.ask("no.such").problem?.code == "route.not_found")
    }

    @Test("A marker is answered with all heads, and a head's subscription with that head")
    func heads() throws {
        _ = try desk.ask("note.add", "{\"text\":\"a\"}")

        let marker = desk.engine.didSubscribe("~sync.1", now: BootTime(ms: 0))
        let head = desk.engine.didSubscribe("~head.notes", now: BootTime(ms: 0))

        guard case .publish("~sync.1", _, let list) = marker.first,
            case .publish("~head.notes", _, let one) = head.first
        else {
            Issue.record("no answer: \(marker) \(head)")
            return
        }
        #expect(StreamPoint.read(one)?.sequence == 1)
        let text = String(decoding: list, as: UTF8.self)
        #expect(text.hasPrefix("{\"heads\":[{\"stream\":\"notebook.history\""))
        #expect(text.hasSuffix(",\(String(decoding: one, as: UTF8.self))]}"))
        #expect(desk.engine.didSubscribe("~sync. ", now: BootTime(ms: 0)).isEmpty)
        #expect(desk.engine.didSubscribe("notes.", now: BootTime(ms: 0)).isEmpty)
    }
}
