import STContracts
import STPlatform
import STStore
import STTestKit
import STTestSupport
import Testing

@testable import STActivityCore

@Suite("Verification of the ledger")
struct LedgerVerifyTests {
    private var desk: LedgerDesk

    init() throws { desk = try LedgerDesk() }

    /// Reports usage of three members, with sleep, silence, clock changes and sites.
    private mutating func live(_ count: Int) throws {
        var random = SeededRandom(seed: 5)
        var seen: [Observation] = []
        for _ in 0...count {
            if random.chance(percent: 10) { desk.watcher.time.suspend(forMs: 60_000) }
            if random.chance(percent: 5) { desk.watcher.time.stepWall(byMs: 5_000) }
            let app = random.pick(["editor", "browser", nil]) ?? nil
            seen.append(
                desk.watcher.sees(
                    app,
                    random.pick([.active, .active, .idle]) ?? .active,
                    domain: app == "browser" ? "site-\(random.number(1...9)).example" : nil,
                    member: random.pick(["owner", "child", "guardian"]) ?? "owner",
                    afterMs: Int64(random.pick([1_000, 5_000, 20_000]) ?? 0),
                    shielded: random.chance(percent: 10) ? true : nil
                )
            )
        }
        for start in stride(from: 0, to: seen.count, by: 200) {
            _ = try desk.observe(Array(seen[start..<min(start + 200, seen.count)]))
        }
    }

    private func verify() throws -> UsageVerify.Reply {
        var reply = try desk.bench.ask(UsageVerify.self, .init())
        while let next = reply.next { reply = try desk.bench.ask(UsageVerify.self, .init(next: next)) }
        return reply
    }

    private func finding() throws -> String {
        let reply = try verify()
        return reply.fault.map { "\($0.row) \($0.reason.rawValue)" } ?? "fine"
    }

    private func edit(_ sql: String) throws { try desk.bench.database.execute(sql) }

    @Test("Verification finds no fault in an intact ledger and returns its last link")
    mutating func fine() throws {
        let empty = try verify()
        #expect(empty.total == 0)
        #expect(empty.chain == String(repeating: "0", count: 64))
        try live(400)
        let reply = try verify()

        #expect(reply.fault == nil)
        #expect(reply.checked == reply.total && reply.total > 300)
        #expect(reply.chain == LedgerCheck.hex(desk.bench.state.chain.link))
        desk.bench = try desk.bench.reopened()
        try live(10)
        #expect(try verify().fault == nil)
    }

    @Test("Verification runs in pages and finds a fault at the boundary of two pages")
    mutating func pages() throws {
        for _ in 0..<25 {
            _ = try desk.observe((0..<200).map { desk.watcher.sees("app\($0 % 2)", afterMs: 10) })
        }
        let first = try desk.bench.ask(UsageVerify.self, .init())
        let second = try desk.bench.ask(UsageVerify.self, .init(next: first.next))
        let third = try desk.bench.ask(UsageVerify.self, .init(next: second.next))

        #expect([first.checked, second.checked, third.checked] == [2_000, 4_000, 4_999])
        #expect([first.total, second.total, third.total] == [4_999, 4_999, 4_999])
        #expect(first.chain == nil && third.next == nil && third.chain != nil)
        for bad in ["x", "{}", #"{"row":-1,"forgotten":0,"ends":[]}"#, ""] {
            #expect(try desk.bench.refusal(UsageVerify.self, .init(next: bad))?.code == "page.invalid")
        }
        // At the boundary of two pages.
        try edit("UPDATE ledger SET chain_hash = zeroblob(32) WHERE row = 2000")
        #expect(try finding() == "2000 chain_broken")
    }

    @Test("Verification returns the first row that was edited, deleted or moved")
    mutating func edits() throws {
        try live(400)
        func after(_ sql: String) throws -> String {
            try edit("SAVEPOINT test; " + sql)
            defer { try? edit("ROLLBACK TO test; RELEASE test") }
            return try finding()
        }

        #expect(try after(LedgerDesk.edit(sight: "app = 'other'", row: 7)) == "7 content_changed")
        #expect(try after("UPDATE ledger SET length_ms = length_ms + 1 WHERE row = 8") == "8 content_changed")
        #expect(try after(LedgerDesk.edit(sight: "domain = ''", row: 1)) == "1 content_changed")
        #expect(try after("UPDATE ledger SET sequence = sequence + 1 WHERE row = 5") == "5 content_changed")
        #expect(try after("UPDATE ledger SET segment = 'a/b/5' WHERE row = 5") == "5 content_changed")
        #expect(try after("DELETE FROM ledger_sights") == "1 unreadable")
        #expect(try after("UPDATE ledger SET step_ms = 0 WHERE row = 3") == "3 content_changed")
        #expect(try after("UPDATE ledger SET chain_hash = zeroblob(32) WHERE row = 9") == "9 chain_broken")
        #expect(try after("DELETE FROM ledger WHERE row = 10") == "10 row_missing")
        #expect(try after("DELETE FROM ledger WHERE row = 1") == "1 row_missing")
        let last = desk.bench.state.chain.row
        #expect(try after("DELETE FROM ledger WHERE row = \(last)") == "\(last) row_missing")
        #expect(try after("DELETE FROM ledger") == "1 row_missing")
        let swap = """
            UPDATE ledger SET row = -1 WHERE row = 20; UPDATE ledger SET row = 20 WHERE row = 21;
            UPDATE ledger SET row = 21 WHERE row = -1;
            """
        #expect(try after(swap) == "20 chain_broken")
        #expect(try after("UPDATE ledger_head SET chain_hash = zeroblob(32)") == "\(last) chain_broken")
        #expect(try after("UPDATE ledger_head SET row = row - 1") == "\(last) chain_broken")
        #expect(try finding() == "fine")
    }

    @Test("A row with remaining content does not verify as deleted")
    mutating func halfForgotten() throws {
        try live(50)
        try edit("PRAGMA ignore_check_constraints = 1; UPDATE ledger SET member = NULL WHERE row = 4")
        #expect(try finding() == "4 content_changed")
        try edit("UPDATE ledger SET member = 1, content_hash = zeroblob(32) WHERE row = 4")
        #expect(try finding() == "4 content_changed")
    }

    @Test("Verification finds overlapping and reversed times even in a valid chain")
    mutating func times() throws {
        try live(50)
        for (change, found) in [("start_boot_ms = 0", "rows_overlap"), ("length_ms = -1", "times_reversed")] {
            let row = desk.bench.state.chain.row
            try edit("SAVEPOINT test; UPDATE ledger SET \(change) WHERE row = \(row)")
            try rechain()
            #expect(try finding() == "\(row) \(found)")
            try edit("ROLLBACK TO test; RELEASE test")
        }
    }

    /// Recalculates the chain, as a forger can, because the chain has no key.
    private func rechain() throws {
        let database = desk.bench.database
        var chain = LedgerChain()
        let contents = try database.query(
            "SELECT \(LedgerTable.columns) FROM ledger \(LedgerTable.textJoins) ORDER BY row"
        ) {
            LedgerChain.content(try LedgerTable.segment($0))
        }
        for content in contents {
            chain.append(content: content)
            try database.run(
                "UPDATE ledger SET chain_hash = ? WHERE row = ?",
                [.blob(chain.link), .integer(chain.row)]
            )
        }
        try LedgerTable.save(chain, database)
    }

    @Test("Verification finds every flipped bit in the ledger's tables")
    mutating func flippedBits() throws {
        try live(400)
        let path = desk.bench.scratch.file("bench.sqlite")
        let roots = try desk.bench.database.query(
            """
            SELECT rootpage FROM sqlite_schema
            WHERE name IN ('ledger', 'ledger_members', 'ledger_sources', 'ledger_sights')
            """
        ) { Int(try $0.int(0)) }
        try desk.bench.database.close()
        let good = try AtomicFile.read(path, limitBytes: 1 << 30)
        let pages = LedgerPages(good, rootPages: roots)
        #expect(try Self.finding(good, desk.bench.scratch) == nil)
        var random = SeededRandom(seed: 1)
        var reasons: [LedgerFaultReason: Int] = [:]
        for number in 0..<400 {
            let range = pages.used[random.number(0...(pages.used.count - 1))]
            let place = random.number(range.lowerBound...(range.upperBound - 1))
            let bit = UInt8(1) << random.number(UInt8(0)...7)
            var bad = good
            bad[place] ^= bit
            let fault = try Self.finding(bad, desk.bench.scratch)
            #expect(fault != nil, "flip \(number), byte \(place) (\(place % 4_096) of its page), bit \(bit)")
            if let fault { reasons[fault.reason, default: 0] += 1 }
        }
        #expect(pages.used.count > 300)
        #expect((reasons[.contentChanged] ?? 0) > 40 && (reasons[.unreadable] ?? 0) > 10)
    }

    private static func finding(_ bytes: [UInt8], _ scratch: ScratchDirectory) throws -> LedgerFault? {
        let path = scratch.file("flipped.sqlite")
        try AtomicFile.write(bytes, to: path)
        let database = try Database(
            path: path,
            options: DatabaseOptions(synchronous: .off, applicationID: 0x5354_0052)
        )
        var reply = try LedgerCheck.page(.init(), database)
        while let next = reply.next { reply = try LedgerCheck.page(.init(next: next), database) }
        return reply.fault
    }
}
