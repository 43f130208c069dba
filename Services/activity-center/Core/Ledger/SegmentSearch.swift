import STContracts
import STFollowing
import STPlatform
import STStore

/// Finds one stretch of time, for whoever asks what was seen.
enum SegmentSearch {
    static func find(_ request: UsageSegment.Request, _ state: ActivityState, _ database: Database) throws
        -> UsageSegment.Reply
    {
        if let id = request.segment {
            // The index is by moments: whoever knows one spares a walk through the whole ledger.
            if let wallMs = request.wallMs, let member = request.member {
                let near = try around(wallMs, of: member, state, database)
                if near.segment?.segment == id { return near }
            }
            return try named(id, state, database)
        }
        guard let wallMs = request.wallMs else {
            throw Problem(
                "body.invalid",
                "Name a stretch by its id, or a moment as wall_ms, with the member whose it is.",
                field: "/segment"
            )
        }
        guard let member = request.member ?? state.household.owner else {
            throw Household.unsaid
        }
        return try around(wallMs, of: member, state, database)
    }

    private static func named(_ id: String, _ state: ActivityState, _ database: Database) throws
        -> UsageSegment.Reply
    {
        for timeline in state.timelines.values {
            if let open = timeline.open.first(where: { $0.segment == id }) {
                return .init(segment: open, isOpen: true)
            }
        }
        // The newest first: what is asked about is rarely long ago. What was brought here may have any name, also that
        // of a stretch that is still to come, and is no evidence of what was seen here.
        let row = try database.first(
            """
            SELECT \(LedgerStore.columns) FROM ledger WHERE segment = ? AND forgotten = 0 AND device IS NULL
                AND known_by IS NOT 'imported'
            ORDER BY row DESC LIMIT 1
            """,
            [.text(id)]
        ) { try LedgerStore.segment($0) }
        return .init(segment: row, isOpen: false)
    }

    private static func around(
        _ wallMs: Int64,
        of member: String,
        _ state: ActivityState,
        _ database: Database
    ) throws -> UsageSegment.Reply {
        if let open = state.timelines[member]?.open.last, open.startWallMs <= wallMs {
            return .init(segment: open, isOpen: true)
        }
        // The index has the starts: the last one before the moment holds it, unless it had ended by then.
        let last = try database.first(
            """
            SELECT \(LedgerStore.columns) FROM ledger
            WHERE member = ? AND start_wall_ms <= ? AND forgotten = 0 AND device IS NULL
            ORDER BY start_wall_ms DESC, row DESC LIMIT 1
            """,
            [.text(member), .integer(wallMs)]
        ) { try LedgerStore.segment($0) }
        guard let last, last.startWallMs + last.durationMs > wallMs else {
            return .init(segment: nil, isOpen: false)
        }
        return .init(segment: last, isOpen: false)
    }
}
