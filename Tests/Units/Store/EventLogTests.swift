import STPlatform
import STStore
import STTestSupport
import Testing

@Suite("Event log")
struct EventLogTests {
    let scratch: ScratchDirectory
    let database: Database
    let log: EventLog

    init() throws {
        scratch = try ScratchDirectory()
        (database, log) = try scratch.log(["usage", "policy"])
    }

    @Test("The events of each stream are numbered without gaps, also after rollbacks")
    func sequence() throws {
        try append(2)
        #expect(
            code {
                try database.transaction {
                    _ = try log.append(draft("usage", 3))
                    throw Problem("test.stop", "stop")
                }
            } == "test.stop"
        )
        try database.transaction {
            try? database.savepoint {
                _ = try log.append(draft("usage", 3))
                throw Problem("test.stop", "stop")
            }
            let usage = try log.append(draft("usage", 3))
            let policy = try log.append(draft("policy", 1))
            #expect(usage.sequence == 3 && policy.sequence == 1)
        }

        let page = try log.since("usage", position: start(), limit: 10, byteLimit: 10_000)
        #expect(page.events.map(\.sequence) == [1, 2, 3])
        #expect(try log.heads().map(\.sequence) == [1, 3])
        #expect(try log.head("usage").id == "usage-3")
    }

    @Test("A stored event is returned unchanged")
    func content() throws {
        let full = EventDraft(
            stream: "usage",
            id: "i",
            type: "t",
            timeMs: 5,
            subject: "s",
            schema: 2,
            traceparent: "00-1",
            cause: "c",
            body: [0, 1, 255]
        )
        let stored = try database.transaction { try log.append(full) }

        let page = try log.since("usage", position: start(), limit: 10, byteLimit: 10_000)

        #expect(page.events == [stored])
        #expect(page.head == StreamHead(stream: "usage", epoch: stored.epoch, sequence: 1, id: "i"))
        #expect(stored.epoch.utf8.count == 16)
    }

    @Test("Redaction removes the content of a subject's events, keeps their numbers and starts a new epoch")
    func redaction() throws {
        try append(7)
        let position = try log.head("usage").position
        let before = try log.since("usage", position: start(), limit: 10, byteLimit: 9_000).events
        try database.transaction {
            #expect(try log.redact("usage", subject: "subject-1", as: "test.gone", timeMs: 77) == 3)
            #expect(try log.redact("usage", subject: "none", as: "test.gone", timeMs: 77) == 0)
            try log.renew("usage")
        }
        let after = try log.since("usage", position: start(), limit: 10, byteLimit: 9_000).events

        #expect(since(position) == "epoch.changed")
        #expect(after.map(\.sequence) == before.map(\.sequence))
        let gone = after.filter { $0.type == "test.gone" }
        #expect(gone.map(\.sequence) == [1, 4, 7])
        #expect(gone.map(\.id) == ["redacted-1", "redacted-4", "redacted-7"])
        #expect(
            gone.allSatisfy { $0.body == Array("{}".utf8) && $0.timeMs == 77 && $0.subject == "redacted" }
        )
        #expect(
            after.filter { $0.type != "test.gone" }.map(\.body)
                == before.filter { $0.sequence % 3 != 1 }.map(\.body)
        )
        let snapshot = try log.snapshot("usage", limit: 10, byteLimit: 9_000)
        #expect(snapshot.events.map(\.sequence) == [5, 6, 7])
        #expect(
            code { _ = try log.redact("usage", subject: "s", as: "t", timeMs: 0) } == "store.no_transaction"
        )
        #expect(code { try database.transaction { try log.renew("none") } } == "stream.unknown")
    }

    @Test("An event outside of a transaction or of an unknown stream is rejected")
    func refusals() throws {
        #expect(code { _ = try log.append(draft("usage", 1)) } == "store.no_transaction")
        #expect(
            code { try database.transaction { _ = try log.append(draft("none", 1)) } } == "stream.unknown"
        )
        #expect(code { _ = try log.head("none") } == "stream.unknown")
    }

    @Test("The epochs are kept when the log is opened again")
    func epochs() throws {
        let before = try log.heads()
        try log.open(streams: ["usage", "policy", "new"])

        #expect(try log.heads().filter { $0.stream != "new" } == before)
        #expect(Set(try log.heads().map(\.epoch)).count == 3)
    }

    @Test("Pages are limited by count and bytes, and contain at least one event")
    func pages() throws {
        try append(10)

        let byCount = try log.since("usage", position: start(), limit: 4, byteLimit: 10_000)
        #expect(byCount.events.map(\.sequence) == [1, 2, 3, 4])
        #expect(byCount.more)

        let bytes = byCount.events[0].byteCount * 2
        let byBytes = try log.since("usage", position: byCount.events[3].position, limit: 4, byteLimit: bytes)
        #expect(byBytes.events.map(\.sequence) == [5, 6])
        #expect(byBytes.more)

        let tiny = try log.since("usage", position: byBytes.events[1].position, limit: 4, byteLimit: 0)
        #expect(tiny.events.map(\.sequence) == [7])

        let last = try log.since("usage", position: tiny.events[0].position, limit: 4, byteLimit: 10_000)
        #expect(last.events.map(\.sequence) == [8, 9, 10])
        #expect(!last.more)
        let none = try log.since("usage", position: last.head.position, limit: 4, byteLimit: 10_000)
        #expect(none.events.isEmpty && !none.more)
    }

    @Test("A subscriber with another epoch or beyond the head must start again")
    func otherEpoch() throws {
        try append(3)
        let position = try log.head("usage").position
        let beyond = StreamPosition(epoch: position.epoch, sequence: 4)

        #expect(since(beyond) == "epoch.changed")
        #expect(since(StreamPosition(epoch: "0000000000000000", sequence: 1)) == "epoch.changed")
        try database.transaction { try log.reset("usage") }
        #expect(since(position) == "epoch.changed")
        #expect(try log.head("usage").sequence == 0)
        #expect(try log.head("policy").sequence == 0)
    }

    @Test("A log restored from a backup is distinguished from the one before by the id of an event")
    func restoredBackup() throws {
        try append(5)
        try database.backup(to: scratch.file("copy.db"))
        try append(3)
        let applied = try log.head("usage").position
        let copy = try scratch.migrated("copy.db")
        let restored = EventLog(copy)
        try copy.transaction {
            for number in 1...9 { _ = try restored.append(draft("usage", number, id: "new-\(number)")) }
        }

        #expect(try restored.head("usage").epoch == applied.epoch)
        let problem = code { _ = try restored.since("usage", position: applied, limit: 9, byteLimit: 9_000) }
        #expect(problem == "epoch.changed")
        let common = try log.since("usage", position: start(), limit: 5, byteLimit: 9_000).events[4].position
        #expect(try restored.since("usage", position: common, limit: 99, byteLimit: 9_000).events.count == 9)
    }

    private func since(_ position: StreamPosition) -> String? {
        code { _ = try log.since("usage", position: position, limit: 10, byteLimit: 10_000) }
    }

    private func start() throws -> StreamPosition {
        StreamPosition(epoch: try log.head("usage").epoch, sequence: 0)
    }

    private func append(_ count: Int) throws {
        try database.transaction {
            for _ in 0..<count { _ = try log.append(draft("usage", Int(try log.head("usage").sequence) + 1)) }
        }
    }

    private func draft(_ stream: String, _ number: Int, id: String? = nil) -> EventDraft {
        EventDraft(
            stream: stream,
            id: id ?? "\(stream)-\(number)",
            type: "test.happened",
            timeMs: Int64(number),
            subject: "subject-\(number % 3)",
            body: Array("{\"n\":\(number)}".utf8)
        )
    }
}
