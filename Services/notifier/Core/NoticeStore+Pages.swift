import STContracts
import STPlatform
import STStore

extension NoticeStore {
    static func page(_ request: NotifyList.Request, _ waitingNote: String?, _ database: Database) throws
        -> NotifyList.Reply
    {
        guard let before = request.next.map({ Int64($0) }) ?? .max, before > 0 else {
            throw Problem("page.invalid", "Send back `next` exactly as the reply had it.", field: "/next")
        }
        guard (request.limit ?? 1) > 0 else {
            throw Problem("body.invalid", "A limit is at least 1.", field: "/limit")
        }
        let count = min(request.limit ?? Int64(BusLimits.pageRows), Int64(BusLimits.pageRows))
        let state = try request.state?.required("/state")
        var bytes = 0
        var isMore = false
        var rows: [PostedNotification] = []
        // One more than asked for, to know whether there is more.
        try database.scan(
            """
            SELECT \(columns) FROM notifications
            WHERE number < ?1 AND (?2 IS NULL OR app = ?2) AND (?3 IS NULL OR member = ?3)
                AND (?4 IS NULL OR (?4 <> 'scheduled' AND state = ?4) OR (?4 = 'scheduled' AND due_ms IS NOT NULL))
                AND (?5 IS NULL OR number = ?5)
            ORDER BY number DESC LIMIT ?6
            """,
            [
                .integer(before), SQLValue(request.app), SQLValue(request.member), SQLValue(state?.rawValue),
                SQLValue(request.number), .integer(count + 1),
            ]
        ) { row in
            var posted = try notice(row).posted
            if posted.state == .waiting, posted.note == nil { posted.note = waitingNote }
            bytes += try posted.encodedBody().count
            isMore = Int64(rows.count) == count || !rows.isEmpty && bytes > BusLimits.pageBytes
            guard !isMore else { return false }
            rows.append(posted)
            return true
        }
        return NotifyList.Reply(
            notifications: rows,
            next: isMore ? rows.last.map { String($0.number) } : nil
        )
    }
}
