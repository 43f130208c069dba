import STPlatform
import STStore
import STTestKit
import STTestSupport
import Testing

/// A log of segments, each opened, extended and closed, with other events between them. A closed one is also a row.
private struct StretchLog {
    static let closed = "stretch.closed"

    struct Row {
        var row: Int64
        var subject: String
        var event: Int64
    }

    let scratch: ScratchDirectory
    let database: Database
    let log: EventLog
    var random: SeededRandom
    private var open: [String] = []
    private(set) var rows: [Row] = []
    /// The number of the first event of each subject.
    private(set) var first: [String: Int64] = [:]
    private var count = 0

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        scratch = try ScratchDirectory()
        database = try scratch.open()
        try database.migrate(StoreMigrations.base + [EventLog.derivedMigration])
        try database.execute("CREATE TABLE stretches (row INTEGER PRIMARY KEY, subject TEXT NOT NULL) STRICT")
        let events = DerivedEvents(stream: "s", type: Self.closed, schema: 3) { database, first, last in
            try database.query(
                "SELECT row, subject FROM stretches WHERE row BETWEEN ? AND ? ORDER BY row",
                [.integer(first), .integer(last)]
            ) {
                let subject = try $0.text(1)
                return DerivedEvents.Row(
                    row: try $0.int(0),
                    subject: subject,
                    timeMs: 7,
                    body: Array(subject.utf8)
                )
            }
        }
        log = EventLog(database, retold: [events])
        try log.open(streams: ["s"])
    }

    @discardableResult
    mutating func append(_ type: String, _ subject: String) throws -> Int64 {
        count += 1
        let draft = EventDraft(
            stream: "s",
            id: "event-\(count)",
            type: type,
            timeMs: 7,
            subject: subject,
            body: Array(subject.utf8)
        )
        let sequence = try log.append(draft).sequence
        if first[subject] == nil { first[subject] = sequence }
        return sequence
    }

    /// A random change of the log.
    mutating func live() throws {
        switch random.number(0...9) {
        case 0...2:
            open.append("stretch-\(count)")
            try append("stretch.opened", open[open.count - 1])
        case 3...4:
            if let subject = random.pick(open) { try append("stretch.opened", subject) }
        case 5...7:
            guard !open.isEmpty else { return }
            let subject = open.remove(at: random.number(0...(open.count - 1)))
            let event = try append(Self.closed, subject)
            let row = Row(row: Int64(rows.count + 1), subject: subject, event: event)
            rows.append(row)
            try database.run(
                "INSERT INTO stretches VALUES (?, ?)",
                [.integer(row.row), .text(subject)]
            )
            try log.recordDerived(Self.closed, event, says: row.row)
        case 8: try append("other", "other-\(random.number(0...5))")
        default: try append("once", "once-\(count)")
        }
    }

    /// Deletes old events that rows can restore, some at a time.
    mutating func tidy() throws {
        let last = try log.head("s").sequence - Int64(random.number(0...30))
        try log.expire("s", types: [Self.closed], through: last, window: Int64(random.number(1...40)))
    }

    /// A person deletes some rows or a long range of them.
    mutating func forget() throws {
        guard let from = random.pick(rows)?.row else { return }
        let gone = rows.filter { $0.row >= from && $0.row < from + Int64(random.number(1...80)) }
        for row in gone {
            try database.run("DELETE FROM stretches WHERE row = ?", [.integer(row.row)])
            if try log.redact("s", subject: row.subject, as: "redacted", timeMs: 7) > 0,
                let event = first[row.subject]
            {
                first["redacted"] = min(event, first["redacted"] ?? .max)
            }
            first[row.subject] = nil
        }
        try log.renew("s")
    }

    func page(_ after: Int64, through: StreamPosition?, limit: Int, bytes: Int) throws
        -> SnapshotPage
    {
        try log.snapshot("s", after: after, through: through, limit: limit, byteLimit: bytes)
    }

}

@Suite("Events restored from rows")
struct RetoldEventsTests {
    @Test(
        "A snapshot contains each subject once, in pages of any size and while old events are deleted",
        arguments: UInt64(1)...40
    )
    func anyLog(seed: UInt64) throws {
        var log = try StretchLog(seed: seed)
        var whole = 0
        for _ in 0..<12 {
            try log.database.transaction {
                for _ in 0..<log.random.number(1...60) { try log.live() }
                if log.random.chance(percent: 70) { try log.tidy() }
                if log.random.chance(percent: 30) { try log.forget() }
            }
            var told: [StoredEvent] = []
            var through: StreamPosition?
            do {
                while true {
                    let page = try log.page(
                        told.last?.sequence ?? 0,
                        through: through,
                        limit: log.random.number(1...30),
                        bytes: log.random.number(1...400)
                    )
                    told += page.events
                    through = page.through
                    #expect(!page.events.isEmpty || !page.more)
                    if !page.more { break }
                    if log.random.chance(percent: 10) {
                        try log.database.transaction {
                            for _ in 0..<log.random.number(1...20) { try log.live() }
                            try log.tidy()
                        }
                    }
                }
            } catch let problem as Problem where problem.code == "cursor.too_old" {
                continue
            }
            whole += 1
            let end = through?.sequence ?? 0
            let subjects = told.map(\.subject)
            #expect(Set(subjects).count == subjects.count)
            #expect(zip(told, told.dropFirst()).allSatisfy { $0.sequence < $1.sequence })
            #expect(
                told.allSatisfy {
                    $0.sequence <= end && ($0.subject == "redacted" || $0.body == Array($0.subject.utf8))
                }
            )
            #expect(subjects.allSatisfy { log.first[$0] != nil })
            #expect(log.first.allSatisfy { $0.value > end || subjects.contains($0.key) })
            for event in told where event.id.hasPrefix("retold") {
                let row = try #require(log.rows.first { $0.subject == event.subject })
                #expect(event.sequence == row.event && event.type == StretchLog.closed && event.schema == 3)
            }
        }
        #expect(whole > 3)
    }

    @Test("A reset stream contains no events from earlier rows")
    func reset() throws {
        var log = try StretchLog(seed: 1)
        try log.database.transaction {
            while log.rows.count < 50 { try log.live() }
            let last = try log.log.head("s").sequence - 1
            try log.log.expire("s", types: [StretchLog.closed], through: last, window: 1_000)
        }
        #expect(
            try log.page(0, through: nil, limit: 500, bytes: 100_000).events.contains {
                $0.id.hasPrefix("retold")
            }
        )
        try log.database.transaction {
            try log.log.reset("s")
            try log.append("other", "a")
        }
        #expect(try log.page(0, through: nil, limit: 500, bytes: 100_000).events.map(\.subject) == ["a"])
    }
}
