import STContracts
import STEngine
import STPlatform
import STStore
import Testing

@Suite("Repeated requests")
struct IdempotencyTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    @Test("A repeated request gets the same reply and is not executed again, even within one commit")
    func repeated() throws {
        let batch = desk.store.run([try desk.add("a", key: "k"), try desk.add("a", key: "k")])
        let later = try desk.ask("note.add", "{\"text\":\"a\"}", key: "k")

        #expect(batch.events.count == 1)
        #expect(later.header.repeated)
        #expect(try later.note() == Note("a", count: 1))
        #expect(try desk.notes() == ["a"])
    }

    @Test("A request with the key of a different request is refused")
    func reused() throws {
        _ = try desk.ask("note.add", "{\"text\":\"a\"}", key: "k")

        let other = try desk.ask("note.add", "{\"text\":\"b\"}", key: "k")

        #expect(other.problem?.code == "idempotency.key_reused")
        #expect(try desk.notes() == ["a"])
    }

    @Test("A request is executed if the earlier request with its key was refused")
    func refused() throws {
        let first = try desk.ask("note.add", "{\"text\":\"refuse\"}", key: "k")
        let second = try desk.ask("note.add", "{\"text\":\"b\"}", key: "k")

        #expect(first.problem?.code == "note.refused")
        #expect(second.header.ok && !second.header.repeated)
    }

    @Test("A repeated request whose reply contains a secret is executed again, and no reply is stored")
    func secret() throws {
        let first = try desk.ask("note.whisper", "{\"text\":\"a\"}", key: "k")
        let second = try desk.ask("note.whisper", "{\"text\":\"a\"}", key: "k")

        #expect(try first.note().text == "secret 1")
        #expect(try second.note().text == "secret 2" && !second.header.repeated)
        #expect(try desk.database.first("SELECT count(*) FROM idempotency") { try $0.int(0) } == 0)
        #expect(RouteInfo(RequestCodeSetup.self).keepsNoReply)
    }

    @Test("A request that is repeated one day later is executed again")
    func expires() throws {
        _ = try desk.ask("note.add", "{\"text\":\"a\"}", key: "k")
        desk.time.advance(byMs: BusLimits.idempotencyKeepMs)

        #expect(try desk.ask("note.add", "{\"text\":\"a\"}", key: "k").header.repeated == false)
        #expect(try desk.notes() == ["a", "a"])
    }

    @Test("A reply is encoded to the same bytes each time")
    func bytes() throws {
        let body = ReportDay.Reply(
            day: "2026-11-20",
            zone: "UTC",
            usedMs: 1,
            absentMs: 2,
            unobservedMs: 3,
            rows: [ReportDay.Row(name: "a", usedMs: 4)],
            since: "2026-11-01"
        )
        let first = try body.encodedBody()
        for _ in 0..<50 {
            let again = try body.encodedBody()
            #expect(again == first)
        }
    }
}
