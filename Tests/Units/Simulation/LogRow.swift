import STContracts
import STStore

/// One event of a log, or one that a follower has taken.
struct LogRow {
    var sequence: Int64
    var id: String
    var n: Int64
    /// A later event of the same subject stands in the log, so a snapshot leaves this one out.
    var isSuperseded = false

    var isUnreadable: Bool { Item(n: n, subject: "").isUnreadable }

    func isSame(_ other: LogRow) -> Bool { (sequence, id, n) == (other.sequence, other.id, other.n) }

    static func taken(_ database: Database, _ stream: String) -> [LogRow] {
        (try? database.query(
            "SELECT sequence, id, n FROM taken WHERE stream = ? ORDER BY sequence",
            [.text(stream)]
        ) { LogRow(sequence: try $0.int(0), id: try $0.text(1), n: try $0.int(2)) }) ?? []
    }

    static func log(_ database: Database, _ stream: String) -> [LogRow] {
        (try? database.query(
            """
            SELECT sequence, id, body, EXISTS (
                SELECT 1 FROM events AS later WHERE later.stream = event.stream
                    AND later.subject = event.subject AND later.sequence > event.sequence
            ) FROM events AS event WHERE stream = ? ORDER BY sequence
            """,
            [.text(stream)]
        ) { row in
            let item = try Item.decodedBody(try row.blob(2))
            return LogRow(
                sequence: try row.int(0),
                id: try row.text(1),
                n: item.n,
                isSuperseded: try row.bool(3)
            )
        }) ?? []
    }
}
