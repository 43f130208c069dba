import Glibc
import STContracts
import STPlatform
import STReportCore
import STStore
import STTestKit
import STTestSupport
import Testing

@testable import STActivityCore

@Suite("Deletion of usage")
struct LedgerForgetTests {
    private static let marker = "org.example.marker"
    private var desk: LedgerDesk

    init() throws { desk = try LedgerDesk() }

    /// Reports `minutes` minutes of usage, one minute of each app in turn.
    private mutating func live(_ apps: [String], member: String = "owner", minutes: Int) throws {
        for minute in 0..<minutes {
            let app = apps[minute % apps.count]
            let seen = (0..<12).map { _ in desk.watcher.sees(app, member: member, afterMs: 5_000) }
            _ = try desk.observe(seen)
        }
    }

    private func forget(_ fromMinute: Int64, _ toMinute: Int64, member: String? = nil) throws
        -> UsageForget.Reply
    {
        try desk.bench.ask(UsageForget.self, Self.range(fromMinute, toMinute, member: member))
    }

    private static func range(_ fromMinute: Int64, _ toMinute: Int64, member: String? = nil)
        -> UsageForget.Request
    {
        .init(
            member: member,
            fromWallMs: 1_790_000_000_000 + fromMinute * 60_000,
            toWallMs: 1_790_000_000_000 + toMinute * 60_000
        )
    }

    private func verified() throws -> UsageVerify.Reply {
        var reply = try desk.bench.ask(UsageVerify.self, .init())
        while let next = reply.next { reply = try desk.bench.ask(UsageVerify.self, .init(next: next)) }
        #expect(reply.fault == nil)
        return reply
    }

    @Test("Deletion clears the content of the rows in a range, keeps their places, and returns their number")
    mutating func rows() throws {
        try live(["a", Self.marker, "b"], minutes: 12)
        let chain = try verified().chain
        let reply = try forget(1, 3)

        // Rows that extend beyond the range are deleted whole.
        #expect(reply == .init(member: "owner", rows: 3, events: 6, more: false, keptOpen: false))
        let left = ["a", Self.marker, "b", "a", Self.marker, "b", "a", Self.marker]
        #expect(try desk.rows().map(\.app) == left)
        let checked = try verified()
        #expect(checked.forgotten == 3)
        #expect(checked.chain == chain)
        #expect(checked.total == 11)
        #expect(try forget(1, 3).rows == 0)
        desk.bench = try desk.bench.reopened()
        #expect(try verified().chain == chain)
    }

    @Test("Deletion keeps the open segment and reports that")
    mutating func open() throws {
        try live(["a", "b"], minutes: 2)
        let reply = try forget(0, 60)

        #expect(reply.rows == 1)
        #expect(reply.keptOpen)
        #expect(try desk.rows().isEmpty)
        #expect(try desk.now().map(\.app) == ["b"])
        try live(["c"], minutes: 1)
        #expect(try desk.rows().map(\.app) == ["b"])
        _ = try verified()
    }

    @Test("Deletion redacts events but keeps their numbers, and the stream starts a new epoch")
    mutating func events() throws {
        try live([Self.marker, "a"], minutes: 4)
        let before = try desk.bench.ask(EventsSince.self, .init(stream: "usage"))
        _ = try forget(0, 2)
        let after = try desk.bench.ask(EventsSince.self, .init(stream: "usage"))

        #expect(after.head.epoch != before.head.epoch)
        #expect(after.events.map(\.header.sequence) == Array(1...Int64(before.events.count + 1)))
        #expect(after.events.last?.header.type == UsageForgotten.type)
        let redacted = after.events.filter { $0.header.type == SegmentRedacted.type }
        #expect(redacted.count == 4)
        #expect(
            redacted.allSatisfy {
                $0.body == Array("{}".utf8) && $0.header.subject == "redacted" && $0.header.traceparent == nil
                    && $0.header.cause == nil && $0.header.timeMs == desk.bench.time.now().wallMs
            }
        )
        #expect(desk.bench.events.last?.header.epoch == after.head.epoch)
        let old = EventsSince.Request(
            stream: "usage",
            epoch: before.head.epoch,
            sequence: before.head.sequence,
            id: before.head.id
        )
        #expect(try desk.bench.refusal(EventsSince.self, old)?.code == "epoch.changed")
        let told = try #require(after.events.last).decoded(UsageForgotten.self)
        #expect(
            told
                == .init(member: "owner", fromWallMs: 1_790_000_000_000, toWallMs: 1_790_000_120_000, rows: 2)
        )
    }

    @Test("Deleted usage leaves no bytes in the files of the ledger or its reports")
    mutating func bytes() throws {
        let report = try CoreBench(ReportService.definition())
        try live((0..<200).map { "\(Self.marker).\($0)" } + ["a", "b"], minutes: 404)
        try live(["c"], minutes: 1)
        try report.follow(desk.bench.events)
        #expect(Self.holds(desk.bench.scratch, Self.marker))
        #expect(Self.holds(report.scratch, Self.marker))
        let reply = try forget(0, 405)
        let snapshot = try desk.bench.ask(EventsSnapshot.self, .init(stream: "usage"))
        try report.rebuild(snapshot.events)

        #expect(reply.rows == 404)
        #expect(!Self.holds(desk.bench.scratch, Self.marker))
        #expect(!Self.holds(report.scratch, Self.marker))
        #expect(Self.holds(desk.bench.scratch, "segment.redacted"))
    }

    @Test("Deleted usage leaves no bytes after earlier events were trimmed")
    mutating func tidied() throws {
        var random = SeededRandom(seed: 11)
        for _ in 0..<30 {
            try live([Self.marker, "a"], minutes: random.number(1...20))
            _ = try desk.bench.database.transaction {
                try EventLog(desk.bench.database).trim("usage", keep: random.number(0...20))
            }
            if random.chance(percent: 20) { desk.bench = try desk.bench.reopened() }
        }
        try live(["b"], minutes: 1)
        while try forget(0, 100_000).more {}

        #expect(!Self.holds(desk.bench.scratch, Self.marker))
        _ = try verified()
    }

    @Test("An interrupted deletion is completed at the next start")
    mutating func cutOff() throws {
        try live([Self.marker, "a"], minutes: 10)
        let database = desk.bench.database
        try database.transaction {
            try database.run("DELETE FROM ledger_sights")
            try database.run("UPDATE events SET body = x''")
            try database.run("DELETE FROM timelines")
            try MetaTable(database).set("scrub", "wanted")
        }
        #expect(Self.holds(desk.bench.scratch, Self.marker))
        desk.bench = try desk.bench.reopened()

        #expect(try MetaTable(desk.bench.database).get("scrub") == nil)
        #expect(!Self.holds(desk.bench.scratch, Self.marker))
    }

    @Test("A deletion during another program's read is completed at the next start")
    mutating func reader() throws {
        try live([Self.marker, "a"], minutes: 10)
        let database = desk.bench.database
        try database.execute("PRAGMA busy_timeout = 0")
        var options = database.options
        options.readOnly = true
        let reader = try Database(path: database.path, options: options)
        try reader.execute("BEGIN")
        _ = try reader.first("SELECT count(*) FROM ledger") { try $0.int(0) }
        let reply = try forget(0, 60)

        #expect(reply.rows == 9)
        #expect(try MetaTable(database).get("scrub") == "wanted")
        try reader.execute("ROLLBACK")
        try reader.close()
        desk.bench = try desk.bench.reopened()
        #expect(try MetaTable(desk.bench.database).get("scrub") == nil)
        #expect(!Self.holds(desk.bench.scratch, Self.marker))
    }

    @Test("A large deletion runs in pages")
    mutating func pages() throws {
        for _ in 0..<21 {
            _ = try desk.observe(
                (0..<200).map { desk.watcher.sees("app\($0 % 2)", member: "owner", afterMs: 100) }
            )
        }
        let replies = try (0..<4).map { _ in try forget(0, 1_000) }

        #expect(replies.map(\.rows) == [2_000, 2_000, 199, 0])
        #expect(replies.map(\.more) == [true, true, false, false])
        #expect(try verified().forgotten == 4_199)
    }

    @Test("Deletion removes the last reports of inactive agents")
    mutating func seats() throws {
        _ = try desk.observe([desk.watcher.sees(Self.marker, .idle, member: "owner")], agent: "other")
        desk.watcher.sequence = 0
        try live(["a", "b"], minutes: 3)
        #expect(Self.holds(desk.bench.scratch, Self.marker))
        _ = try forget(0, 2)

        #expect(!Self.holds(desk.bench.scratch, Self.marker))
        #expect(desk.bench.state.timelines["owner"]?.lanes.first?.seats.keys.sorted() == ["agent"])
    }

    @Test("Members can delete only their own usage, in a valid range")
    mutating func refusals() throws {
        try live(["a", "b"], member: "child", minutes: 3)
        func code(_ request: UsageForget.Request) throws -> String? {
            try desk.bench.refusal(UsageForget.self, request).map { "\($0.code) \($0.field ?? "")" }
        }

        #expect(try code(Self.range(0, 9, member: "child")) == "usage.not_own /member")
        #expect(try code(Self.range(0, 9, member: "stranger")) == "member.unknown /member")
        #expect(try code(Self.range(9, 9)) == "usage.bad_range /to_wall_ms")
        #expect(try code(.init(fromWallMs: -1, toWallMs: 5)) == "usage.bad_range /to_wall_ms")
        #expect(try code(.init(fromWallMs: .min, toWallMs: .max)) == "usage.bad_range /to_wall_ms")
        #expect(try desk.rows().count == 2)
    }

    /// True if a database file in the folder contains the text.
    private static func holds(_ scratch: ScratchDirectory, _ text: String) -> Bool {
        ["bench.sqlite", "bench.sqlite-wal"].contains { name in
            guard let bytes = try? AtomicFile.read(scratch.file(name), limitBytes: 1 << 30) else {
                return false
            }
            return bytes.holds(Array(text.utf8))
        }
    }
}

extension [UInt8] {
    fileprivate func holds(_ other: [UInt8]) -> Bool {
        withUnsafeBytes { whole in
            guard var place = whole.baseAddress, let end = whole.baseAddress.map({ $0 + whole.count }) else {
                return false
            }
            while let found = memchr(place, Int32(other[0]), end - place).map({ UnsafeRawPointer($0) }) {
                if end - found >= other.count, memcmp(found, other, other.count) == 0 { return true }
                place = found + 1
            }
            return false
        }
    }
}
