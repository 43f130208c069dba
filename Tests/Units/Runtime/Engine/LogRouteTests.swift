import Glibc
import STContracts
import STEngine
import STPlatform
import STTestSupport
import Testing

@Suite("Routes of a service's log")
struct LogRouteTests {
    private let desk: Desk

    init() throws {
        desk = try Desk()
        for text in ["a", "b", "a", "c", "d"] { _ = try desk.ask("note.add", "{\"text\":\"\(text)\"}") }
    }

    private func since(_ fields: String = "") throws -> Answer {
        try desk.ask("events.since", "{\"stream\":\"notes\"\(fields)}")
    }

    private func snapshot(_ fields: String = "") throws -> Answer {
        try desk.ask("events.snapshot", "{\"stream\":\"notes\"\(fields)}")
    }

    @Test("The log returns the events after a position in pages")
    func pages() throws {
        let first = try since(",\"limit\":2").page()
        #expect(first.events.map(\.header.sequence) == [1, 2])
        #expect(first.next == "2")
        #expect(first.head.sequence == 5)

        let id = first.events[1].header.id
        let rest = try since(",\"epoch\":\"\(first.head.epoch)\",\"sequence\":2,\"id\":\"\(id)\"").page()
        #expect(rest.events.map(\.header.sequence) == [3, 4, 5])
        #expect(rest.next == nil)
        #expect(try Note.decodedBody(rest.events[0].body) == Note("a"))
    }

    @Test(
        "A position in another log is refused as a changed epoch",
        arguments: [#","epoch":"other""#, #","sequence":6"#, #","sequence":2,"id":"other""#]
    )
    func otherLog(fields: String) throws {
        #expect(try since(fields).problem?.code == "epoch.changed")
    }

    @Test("A snapshot has the newest event of every subject as of one head, despite later events")
    func snapshots() throws {
        let first = try snapshot(",\"limit\":2").page()
        #expect(first.events.map(\.header.subject) == ["b", "a"])
        let next = try #require(first.next)
        _ = try desk.ask("note.add", "{\"text\":\"c\"}")

        let last = try snapshot(",\"limit\":2,\"next\":\"\(next)\"").page()

        #expect(last.events.map(\.header.sequence) == [4, 5])
        #expect(last.next == nil)
        #expect(last.head.sequence == 5)
        #expect(last.head.id == last.events[1].header.id)
    }

    @Test("The log refuses a limit below 1 and reduces one above the maximum")
    func limits() throws {
        for route in ["events.since", "events.snapshot"] {
            for limit in ["0", "-1", "-9223372036854775808"] {
                let answer = try desk.ask(route, "{\"stream\":\"notes\",\"limit\":\(limit)}")
                #expect(answer.problem?.code == "body.invalid")
                #expect(answer.problem?.field == "/limit")
            }
            let all = try desk.ask(route, "{\"stream\":\"notes\",\"limit\":9223372036854775807}")
            #expect(all.header.ok)
        }
    }

    @Test(
        "The log refuses a page token that it did not issue",
        arguments: ["", "1", "1/e/2", "x/e/2/i", "-1/e/2/i", "1/e/x/i", "1/e/2/i/j"]
    )
    func badNext(next: String) throws {
        #expect(try snapshot(",\"next\":\"\(next)\"").problem?.code == "page.invalid")
    }

    @Test("A page token of a replaced log is refused as a changed epoch")
    func movedNext() throws {
        #expect(try snapshot(",\"next\":\"1/other/2/i\"").problem?.code == "epoch.changed")
        #expect(try snapshot(",\"next\":\"1/other/99/\"").problem?.code == "epoch.changed")
    }

    @Test("The refusal of an unknown stream names the existing ones")
    func unknownStream() throws {
        for route in ["events.since", "events.snapshot"] {
            let problem = try #require(try desk.ask(route, "{\"stream\":\"nope\"}").problem)
            #expect(problem.code == "stream.not_found")
            #expect(problem.message.contains("notes"))
        }
        #expect(try desk.ask("events.since", "{}").problem?.code == "body.field_missing")
    }

    @Test("A backup is written to a new file and never over an existing one")
    func backup() throws {
        let path = desk.scratch.file("copy.db")
        let reply = try DataBackup.Reply.decodedBody(
            try desk.ask("data.backup", "{\"path\":\"\(path)\"}").body
        )

        #expect(reply.bytes > 0)
        #expect(try desk.ask("data.backup", "{\"path\":\"\(path)\"}").problem?.code == "store.backup_exists")
        #expect(try desk.ask("data.backup", "{\"path\":\"copy.db\"}").problem?.field == "/path")
    }
}
