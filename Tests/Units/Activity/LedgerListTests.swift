import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Testing

@testable import STActivityCore

@Suite("Ledger rows of a member or range")
struct LedgerListTests {
    private var desk: LedgerDesk
    private static let start: Int64 = 1_790_000_000_000

    init() throws { desk = try LedgerDesk() }

    /// Reports usage with empty, short and long rows, and with a clock that is set back.
    private mutating func live() throws {
        var random = SeededRandom(seed: 5)
        for number in 0..<300 {
            if random.chance(percent: 3) { desk.watcher.time.stepWall(byMs: -random.number(1...7_200_000)) }
            let days = random.chance(percent: 3) ? [86_400_000, 86_400_001, 300_000_000] : nil
            let length = random.pick(days ?? [0, 1_000, 60_000, 3_600_000, 3_600_001, 20_000_000]) ?? 0
            let isLong = length > 60_000
            let member = random.chance(percent: 70) ? "child" : "guardian"
            _ = try desk.observe([
                desk.watcher.sees(
                    "app\(number % 7)",
                    isLong ? .idle : .active,
                    member: member,
                    afterMs: Int64(length)
                )
            ])
        }
    }

    private func all(_ request: UsageList.Request) throws -> [Segment] {
        var request = request
        var rows: [Segment] = []
        repeat {
            let page = try desk.bench.ask(UsageList.self, request)
            rows += page.rows
            request.next = page.next
        } while request.next != nil
        return rows
    }

    @Test(
        "A range returns the rows that touch it, each once, sorted by member and time"
    )
    mutating func ranges() throws {
        try live()
        let every = try all(.init())
        #expect(every.contains { $0.durationMs > 86_400_000 } && every.contains { $0.durationMs == 0 })
        let first = every.map(\.startWallMs).min() ?? 0
        let last = every.map { $0.startWallMs + $0.durationMs }.max() ?? 0
        var random = SeededRandom(seed: 6)
        var found = 0
        for number in 0..<60 {
            let a = random.number(first - 10_000_000...last + 10_000_000)
            let b =
                number % 5 == 0 ? a + random.number(1...100_000) : random.number(a + 1...last + 20_000_000)
            let member = random.pick(["child", "guardian", nil]) ?? nil
            let touching = every.filter { row in
                let end = row.startWallMs + row.durationMs
                return (member == nil || row.member == member) && row.startWallMs < b
                    && (row.startWallMs >= a || end > a)
            }
            let limit = Int64(random.number(3...60))
            let rows = try all(.init(limit: limit, fromWallMs: a, toWallMs: b, member: member))
            found += rows.count
            let of = Dictionary(grouping: rows, by: \.member)
            let wanted = Dictionary(grouping: touching, by: \.member)
            #expect(
                of.mapValues { $0.map(\.startWallMs) } == wanted.mapValues { $0.map(\.startWallMs).sorted() }
            )
            #expect(Set(rows.map(\.segment)) == Set(touching.map(\.segment)))
            #expect(rows.count == touching.count)
            let changes = zip(rows, rows.dropFirst()).filter { $0.member != $1.member }.count
            #expect(changes == max(0, of.count - 1))
        }
        #expect(found > 1_000)
    }

    @Test("A request for a member without a range returns all rows of that member")
    mutating func member() throws {
        try live()
        let every = try all(.init())
        for member in ["child", "guardian"] {
            let rows = try all(.init(limit: 7, member: member))
            #expect(Set(rows.map(\.segment)) == Set(every.filter { $0.member == member }.map(\.segment)))
            #expect(rows.count == every.filter { $0.member == member }.count)
        }
        #expect(try all(.init(member: "owner")).isEmpty)
    }

    @Test("A request for rows needs a valid range, a known member and an unchanged `next`")
    mutating func refusals() throws {
        func code(_ request: UsageList.Request) throws -> String? {
            try desk.bench.refusal(UsageList.self, request).map { "\($0.code) \($0.field ?? "")" }
        }

        #expect(try code(.init(fromWallMs: 5, toWallMs: 5)) == "usage.bad_range /to_wall_ms")
        #expect(try code(.init(fromWallMs: 6, toWallMs: 5, member: "child")) == "usage.bad_range /to_wall_ms")
        #expect(try code(.init(fromWallMs: -1)) == "usage.bad_range /to_wall_ms")
        #expect(try code(.init(toWallMs: .max)) == "usage.bad_range /to_wall_ms")
        #expect(try code(.init(member: "stranger")) == "member.unknown /member")
        for bad in ["", "5", "5.", ".5", "5.5.5", "x.y", "5.-1"] {
            #expect(try code(.init(next: bad, member: "child")) == "page.invalid /next")
        }
        for bad in ["", "5", "1:", ":5.5", "x:5.5", "1:5", "1:5.5:5"] {
            #expect(try code(.init(next: bad, fromWallMs: 5, toWallMs: 6)) == "page.invalid /next")
        }
        #expect(try code(.init(fromWallMs: 5, toWallMs: 6, member: "child")) == nil)
    }
}
