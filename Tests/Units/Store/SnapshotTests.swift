import STPlatform
import STStore
import STTestSupport
import Testing

@Suite("Snapshots of a stream")
struct SnapshotTests {
    let scratch: ScratchDirectory
    let database: Database
    let log: EventLog

    init() throws {
        scratch = try ScratchDirectory()
        (database, log) = try scratch.log(["s", "other"])
    }

    @Test("A snapshot contains the newest event of each subject, oldest first")
    func newest() throws {
        try append("a", "b", "a", "c", "b")
        try append(stream: "other", "a", "a", "a", "a", "a", "a")

        let page = try log.snapshot("s", limit: 10, byteLimit: 10_000)

        #expect(page.events.map(\.sequence) == [3, 4, 5])
        #expect(page.events.map(\.subject) == ["a", "c", "b"])
        #expect(page.through == (try log.head("s").position))
        #expect(!page.more)
        #expect(try log.snapshot("s", limit: 10, byteLimit: 0).events.count == 1)
    }

    @Test("The snapshot of an empty stream is empty")
    func empty() throws {
        let page = try log.snapshot("s", limit: 10, byteLimit: 10_000)

        #expect(page.events.isEmpty && !page.more && page.through.sequence == 0)
    }

    @Test("The pages of a snapshot show one moment, and later events follow it")
    func pinned() throws {
        try append("a", "b", "c", "d", "a")
        let first = try log.snapshot("s", limit: 2, byteLimit: 10_000)
        try append("d", "e")

        let second = try log.snapshot("s", after: 3, through: first.through, limit: 9, byteLimit: 10_000)
        let tail = try log.since("s", position: first.through, limit: 9, byteLimit: 10_000)

        #expect(first.events.map(\.sequence) == [2, 3] && first.more)
        #expect(second.events.map(\.sequence) == [4, 5] && !second.more)
        #expect(second.through == first.through)
        #expect(tail.events.map(\.sequence) == [6, 7])
    }

    @Test("A trim removes only superseded events and does not change the snapshot")
    func trim() throws {
        try append("a", "b", "a", "c", "b", "a", "a")
        let before = try log.snapshot("s", limit: 10, byteLimit: 10_000)
        let epoch = before.through.epoch

        let count = try database.transaction { try log.trim("s", keep: 2).deleted }

        #expect(count == 3)
        #expect(try log.snapshot("s", limit: 10, byteLimit: 10_000) == before)
        #expect(since(StreamPosition(epoch: epoch, sequence: 0)) == "cursor.too_old")
        #expect(since(StreamPosition(epoch: epoch, sequence: 3)) == "cursor.too_old")
        let kept = try log.since(
            "s",
            position: StreamPosition(epoch: epoch, sequence: 4),
            limit: 9,
            byteLimit: 9_000
        )
        #expect(kept.events.map(\.sequence) == [5, 6, 7])
        #expect(try database.transaction { try log.trim("s", keep: 2).deleted } == 0)
    }

    @Test("A trim in small steps does not change the snapshot and then starts again")
    func trimInSteps() throws {
        try append("a", "b", "a", "c", "b", "a", "a", "c")
        let before = try log.snapshot("s", limit: 10, byteLimit: 10_000)
        var places: [Int64] = []
        var deleted = 0

        for _ in 0..<4 {
            let step = try database.transaction {
                try log.trim("s", keep: 2, after: places.last ?? 0, window: 2)
            }
            deleted += step.deleted
            places.append(step.through)
        }

        #expect(places == [2, 4, 0, 2])
        #expect(deleted == 5)
        #expect(try log.snapshot("s", limit: 10, byteLimit: 10_000) == before)
    }

    @Test("Expired events and earlier ones of their subjects are removed from the snapshot, each in one pass")
    func expire() throws {
        try append(type: "state", "subject-5")
        for number in 2...10 { try append(type: number % 2 == 0 ? "state" : "passing", "subject-\(number)") }
        func expire() throws -> Int64 {
            try database.transaction {
                try log.expire("s", types: ["passing", "other"], through: 7, window: 4)
            }
        }

        #expect(try expire() == 4)
        #expect(try sequences() == [2, 4, 5, 6, 7, 8, 9, 10])
        #expect(try expire() == 7)
        #expect(try expire() == 7)
        #expect(try sequences() == [2, 4, 6, 8, 9, 10])
        let epoch = try log.head("s").epoch
        #expect(since(StreamPosition(epoch: epoch, sequence: 7)) == "cursor.too_old")
        #expect(since(StreamPosition(epoch: epoch, sequence: 8)) == nil)
        let first = try log.since(
            "s",
            position: StreamPosition(epoch: epoch, sequence: 8),
            limit: 1,
            byteLimit: 9_000
        )
        #expect(first.events.map(\.sequence) == [9])
        #expect(try database.query("SELECT sequence FROM events ORDER BY 1") { try $0.int(0) }.first == 2)
    }

    private func sequences() throws -> [Int64] {
        try log.snapshot("s", limit: 20, byteLimit: 10_000).events.map(\.sequence)
    }

    @Test("A different event at the position where a trim ended is detected")
    func idAtTrim() throws {
        try append("a", "a", "a", "a")
        try database.transaction { try log.trim("s", keep: 1, window: 2) }
        let epoch = try log.head("s").epoch

        #expect(since(StreamPosition(epoch: epoch, sequence: 3, id: "s-3")) == nil)
        #expect(since(StreamPosition(epoch: epoch, sequence: 3, id: "other")) == "epoch.changed")
        #expect(since(StreamPosition(epoch: epoch, sequence: 2, id: "s-2")) == "cursor.too_old")
    }

    @Test("A snapshot that a trim or a reset overtakes must start again")
    func overtaken() throws {
        try append("a", "b", "c")
        let first = try log.snapshot("s", limit: 1, byteLimit: 10_000)
        try append("a", "b", "c", "d", "d")
        try database.transaction { try log.trim("s", keep: 0) }

        let problem = code {
            _ = try log.snapshot("s", after: 1, through: first.through, limit: 9, byteLimit: 9_000)
        }
        #expect(problem == "cursor.too_old")
        let again = try log.snapshot("s", limit: 1, byteLimit: 10_000)
        try database.transaction { try log.reset("s") }
        #expect(
            code { _ = try log.snapshot("s", after: 4, through: again.through, limit: 9, byteLimit: 9_000) }
                == "epoch.changed"
        )
    }

    private func since(_ position: StreamPosition) -> String? {
        code { _ = try log.since("s", position: position, limit: 10, byteLimit: 10_000) }
    }

    private func append(stream: String = "s", type: String = "t", _ subjects: String...) throws {
        try database.transaction {
            for subject in subjects {
                let number = try log.head(stream).sequence + 1
                _ = try log.append(
                    EventDraft(
                        stream: stream,
                        id: "\(stream)-\(number)",
                        type: type,
                        timeMs: 0,
                        subject: subject,
                        body: []
                    )
                )
            }
        }
    }
}
