import STPlatform
import STStore
import STTestSupport
import Testing

@Suite("Tables of every service")
struct TableTests {
    let scratch: ScratchDirectory
    let database: Database

    init() throws {
        scratch = try ScratchDirectory()
        database = try scratch.migrated()
    }

    @Test("A cursor moves together with its effect or not at all")
    func cursors() throws {
        let table = CursorTable(database)
        let first = StreamPosition(epoch: "e", sequence: 1, id: "x")
        let second = StreamPosition(epoch: "e", sequence: 2)

        #expect(try table.get(source: "activity", stream: "usage") == nil)
        #expect(code { try table.set(source: "activity", stream: "usage", first) } == "store.no_transaction")
        try database.transaction { try table.set(source: "activity", stream: "usage", first) }
        _ = code {
            try database.transaction {
                try table.set(source: "activity", stream: "usage", second)
                throw Problem("test.stop", "stop")
            }
        }
        #expect(try table.get(source: "activity", stream: "usage") == first)
        try database.transaction { try table.set(source: "activity", stream: "usage", second) }
        #expect(try table.get(source: "activity", stream: "usage") == second)
    }

    @Test("A retry returns the first reply until it expires")
    func idempotency() throws {
        let table = IdempotencyTable(database)
        let reply = IdempotentReply(route: "r", requestDigest: -5, body: [1, 2], expiresMs: 100)
        let next = IdempotentReply(route: "r", requestDigest: 6, body: [], expiresMs: 300)
        func keep(_ reply: IdempotentReply, at nowMs: Int64) -> String? {
            code {
                try database.transaction { try table.store(principal: "p", key: "k", reply, nowMs: nowMs) }
            }
        }

        #expect(code { try table.store(principal: "p", key: "k", reply, nowMs: 0) } == "store.no_transaction")
        #expect(keep(reply, at: 0) == nil)
        #expect(try table.lookup(principal: "p", key: "k", nowMs: 99) == reply)
        #expect(try table.lookup(principal: "other", key: "k", nowMs: 99) == nil)
        #expect(keep(next, at: 99) == "store.constraint")
        #expect(try table.lookup(principal: "p", key: "k", nowMs: 100) == nil)
        #expect(keep(next, at: 100) == nil)
        #expect(try table.lookup(principal: "p", key: "k", nowMs: 100) == next)
    }

    @Test("Expired replies are deleted oldest first, up to the limit")
    func purge() throws {
        let table = IdempotencyTable(database)
        try database.transaction {
            for number in 1...10 {
                let reply = IdempotentReply(route: "r", requestDigest: 0, body: [], expiresMs: Int64(number))
                try table.store(principal: "p", key: "\(number)", reply, nowMs: 0)
            }
        }

        #expect(try table.purge(nowMs: 6, limit: 4) == 4)
        #expect(try table.purge(nowMs: 6, limit: 4) == 2)
        #expect(try table.lookup(principal: "p", key: "7", nowMs: 6) != nil)
    }

    @Test("Named values can be stored, replaced and removed")
    func meta() throws {
        let table = MetaTable(database)

        #expect(try table.get("zone") == nil)
        try table.set("zone", "Europe/Berlin")
        try table.set("zone", "Asia/Seoul")
        #expect(try table.get("zone") == "Asia/Seoul")
        try table.set("zone", nil)
        #expect(try table.get("zone") == nil)
    }
}
