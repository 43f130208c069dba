import STContracts
import STPlatform
import STStore

/// Holds the ledger against its chain, a page of rows at a time.
enum LedgerCheck {
    static let pageRows = 2_000

    static func page(_ request: UsageVerify.Request, _ database: Database) throws -> UsageVerify.Reply {
        var walk = try LedgerWalk(request.next, database)
        let head = try LedgerStore.head(database) ?? LedgerChain()
        var count = 0
        do {
            try database.scan(
                "SELECT \(LedgerStore.columns) FROM ledger WHERE row > ? ORDER BY row LIMIT ?",
                [.integer(walk.place.row), SQLValue(pageRows)]
            ) { row in
                try walk.take(row)
                count += 1
                return walk.fault == nil
            }
        } catch let problem as Problem where isDamage(problem) {
            walk.fault = LedgerFault(
                row: walk.place.row + 1,
                reason: .unreadable,
                text: "Row \(walk.place.row + 1) cannot be read: the file is damaged."
            )
        }
        let isLast = count < pageRows
        if walk.fault == nil, isLast { walk.fault = try endFault(walk, head) ?? damage(walk, database) }
        let isOver = isLast || walk.fault != nil
        return UsageVerify.Reply(
            checked: walk.place.row,
            total: max(head.row, walk.place.row),
            forgotten: walk.place.forgotten,
            fault: walk.fault,
            chain: isOver && walk.fault == nil ? hex(walk.chain.link) : nil,
            next: isOver ? nil : try walk.place.text()
        )
    }

    private static func endFault(_ walk: LedgerWalk, _ head: LedgerChain) -> LedgerFault? {
        let next = walk.place.row + 1
        if head.row >= next {
            return LedgerFault(
                row: next,
                reason: .rowMissing,
                text: "Row \(next) is missing: the ledger was \(head.row) rows long."
            )
        }
        guard head != walk.chain else { return nil }
        return LedgerFault(
            row: walk.place.row,
            reason: .chainBroken,
            text: "After row \(walk.place.row) the chain ends with another hash than was noted down."
        )
    }

    /// What no row shows, such as a free place that overlaps a used one.
    private static func damage(_ walk: LedgerWalk, _ database: Database) throws -> LedgerFault? {
        let finding: String?
        do {
            finding = try database.first("PRAGMA quick_check('ledger')") { try $0.text(0) }
        } catch let problem as Problem where isDamage(problem) {
            finding = problem.message
        }
        guard finding != "ok" else { return nil }
        return LedgerFault(
            row: 0,
            reason: .unreadable,
            text:
                "The rows are as they were written, but the file around them is damaged: \(finding ?? "no result")."
        )
    }

    private static func isDamage(_ problem: Problem) -> Bool {
        ["store.corrupt", "store.wrong_type"].contains(problem.code)
    }

    static func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
            as: UTF8.self
        )
    }
}
