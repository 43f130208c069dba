import STContracts
import STEngine
import STStore

/// Brings what earlier versions wrote into the chain.
enum LedgerUpgrade {
    private static let rowsAtOnce = 1_000

    static func begin(_ state: inout ActivityState, _ change: StoreTransaction) throws {
        let database = change.database
        guard try LedgerStore.head(database) == nil else { return }
        var chain = LedgerChain()
        while true {
            let rows = try database.query(
                "SELECT \(LedgerStore.columns) FROM ledger WHERE row > ? ORDER BY row LIMIT ?",
                [.integer(chain.row), SQLValue(rowsAtOnce)]
            ) { LedgerChain.content(try LedgerStore.segment($0)) }
            if rows.isEmpty { break }
            for content in rows {
                chain.append(content: content)
                try database.run(
                    "UPDATE ledger SET content_hash = ?, chain_hash = ? WHERE row = ?",
                    [.blob(content), .blob(chain.link), .integer(chain.row)]
                )
            }
        }
        // What was open had a timeline for each agent, which there is no more: it ends where it was last seen.
        let open = try database.query(
            "SELECT open FROM timelines_1 WHERE open IS NOT NULL ORDER BY agent, member"
        ) {
            try Segment.decodedBody(try $0.blob(0))
        }
        for segment in open {
            try LedgerStore.append(segment, &chain, database)
            try change.emit(SegmentClosed.self, subject: segment.segment, segment)
        }
        try database.run("DELETE FROM timelines_1")
        try LedgerStore.save(chain, database)
        state.chain = chain
    }
}
