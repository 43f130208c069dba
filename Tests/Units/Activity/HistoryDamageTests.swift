import STContracts
import STPlatform
import STStore
import STTestKit
import STTestSupport
import Testing

@testable import STActivityCore

@Suite("History with a damaged line")
struct HistoryDamageTests {
    private var desk: LedgerDesk

    init() throws { desk = try LedgerDesk() }

    @Test("A damaged line is found by verification, and all other lines of the history stay readable")
    mutating func flipped() throws {
        for number in 0..<20 {
            _ = try desk.bench.ask(
                CategorySet.self,
                .init(subject: "org.example.app\(number)", category: "games")
            )
        }
        let before = try desk.bench.ask(HistoryList.self, .init()).lines
        #expect(before.count >= 20)
        var random = SeededRandom(seed: 11)
        var unreadable = 0
        for _ in 0..<300 {
            let row = try #require(random.pick(before)?.row)
            let whole = try #require(
                try desk.bench.database.first("SELECT line FROM history WHERE row = ?", [.integer(row)]) {
                    try $0.blob(0)
                }
            )
            var bytes = whole
            bytes[random.number(0...(bytes.count - 1))] ^= UInt8(1 << random.number(0...7))
            try put(bytes, row)
            let after = try desk.bench.ask(HistoryList.self, .init()).lines
            #expect(after.map(\.row) == before.map(\.row))
            #expect(zip(after, before).allSatisfy { $0 == $1 || $1.row == row })
            if after.contains(where: { $0.what == .unreadable && $0.row == row }) { unreadable += 1 }
            #expect(try desk.bench.ask(UsageVerify.self, .init()).historyFault?.row == row)
            try put(whole, row)
        }
        #expect(unreadable > 50)
        desk.bench = try desk.bench.reopened()
        #expect(try desk.bench.ask(HistoryList.self, .init()).lines == before)
    }

    private func put(_ bytes: [UInt8], _ row: Int64) throws {
        try desk.bench.database.run(
            "UPDATE history SET line = ? WHERE row = ?",
            [.blob(bytes), .integer(row)]
        )
    }
}
