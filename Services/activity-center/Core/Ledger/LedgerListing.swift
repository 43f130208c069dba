import STContracts
import STFollowing
import STPlatform
import STStore

/// Reads rows of the ledger, one page at a time: all rows as they were written, or those of a member or a time.
enum LedgerListing {
    /// Longer rows have their own index, because a row that reaches into a range may have begun long before it. Rows that are
    /// longer than a day are few, and have another index.
    private static let long = Duration.seconds(3_600)
    private static let longest = Duration.seconds(86_400)

    static let migration = Migration(
        name: "long rows of the ledger",
        sql: """
            CREATE INDEX ledger_long ON ledger (member, start_wall_ms)
                WHERE end_boot_ms - start_boot_ms > 3600000;
            """
    )

    static let longestMigration = Migration(
        name: "the longest rows of the ledger",
        sql: "CREATE INDEX ledger_longest ON ledger (member, start_wall_ms) WHERE length_ms > 86400000"
    )

    static let devicesMigration = Migration(
        name: "rows of other devices",
        sql: "CREATE INDEX ledger_of_device ON ledger (device) WHERE device IS NOT NULL"
    )

    static func page(_ request: UsageList.Request, state: ActivityState, database: Database) throws
        -> UsageList.Reply
    {
        guard (request.limit ?? 1) > 0 else {
            throw Problem(
                "body.invalid",
                "The limit must be at least 1.",
                key: "body.invalid.a-limit-is",
                field: "/limit"
            )
        }
        let wanted = ObservationCheck.wallMsRange
        let from = request.fromWallMs ?? wanted.lowerBound
        let to = request.toWallMs ?? wanted.upperBound
        guard from < to, wanted.contains(from), wanted.contains(to) else {
            throw Problem(
                "usage.bad_range",
                "The range must end after it begins and be within the supported dates.",
                key: "usage.bad_range.the-range-ends",
                field: "/to_wall_ms"
            )
        }
        let range = WallTime(ms: from)..<WallTime(ms: to)
        var rows = PageRows(limit: request.limit)
        guard let member = request.member else {
            let isAll = request.fromWallMs == nil && request.toWallMs == nil
            return isAll
                ? try recordOrder(after: request.next, rows, database)
                : try allMembers(after: request.next, range, page: rows, database: database)
        }
        guard state.household.contains(member) else {
            throw Household.unknownMemberProblem(member)
        }
        let next = try ofMember(
            member,
            after: request.next,
            range: range,
            page: &rows,
            database: database
        )
        return UsageList.Reply(rows: rows.rows, next: next)
    }

    /// Returns the rows in the order of their numbers.
    private static func recordOrder(after next: String?, _ page: PageRows, _ database: Database) throws
        -> UsageList.Reply
    {
        guard let start = Int64(next ?? "0"), start >= 0 else { throw badNext }
        var page = page
        var last = start
        try database.scan(
            // Rows: a page, and the forgotten ones between.
            """
            SELECT \(LedgerTable.columns) FROM ledger \(LedgerTable.textJoins)
            WHERE row > ? AND ledger.member IS NOT NULL ORDER BY row LIMIT ?
            """,
            [.integer(start), .integer(page.limit + 1)]
        ) { row in
            guard try page.append(row) else { return false }
            last = try row.int(0)
            return true
        }
        return UsageList.Reply(rows: page.rows, next: page.isMore ? String(last) : nil)
    }

    /// Returns the rows of one member after the other, including removed members, because the index by time starts with the member.
    private static func allMembers(
        after next: String?,
        _ range: Range<WallTime>,
        page: PageRows,
        database: Database
    ) throws -> UsageList.Reply {
        let parts = next?.split(separator: ":", omittingEmptySubsequences: false).map(String.init) ?? []
        guard parts.count == (next == nil ? 0 : 2), let first = Int64(parts.first ?? "0") else {
            throw badNext
        }
        _ = try Place(parts.last)
        var page = page
        let members = try database.query(
            // Rows: all present and former members.
            "SELECT id, name FROM ledger_members WHERE id >= ? ORDER BY id",
            [.integer(first)]
        ) { (id: try $0.int(0), name: try $0.text(1)) }
        for (id, name) in members {
            if let rest = try ofMember(
                name,
                after: id == first ? parts.last : nil,
                range: range,
                page: &page,
                database: database
            ) {
                return UsageList.Reply(rows: page.rows, next: "\(id):\(rest)")
            }
        }
        return UsageList.Reply(rows: page.rows, next: nil)
    }

    /// Adds rows in the order of their times. Returns the position of the next page, or nil after the last page.
    private static func ofMember(
        _ member: String,
        after next: String?,
        range: Range<WallTime>,
        page: inout PageRows,
        database: Database
    ) throws -> String? {
        var place = try Place(next)
        func visit(_ row: borrowing Row) throws -> Bool {
            guard try page.append(row) else { return false }
            place = Place(start: WallTime(ms: try row.int(13)), row: try row.int(0))
            return true
        }
        // First the long rows, because they begin before all others.
        let parts: [(before: WallTime, sql: String)] = [
            (
                range.lowerBound - longest,
                // Rows: those that are longer than a day, up to the range.
                """
                SELECT \(LedgerTable.columns) FROM ledger INDEXED BY ledger_longest \(LedgerTable.textJoins)
                WHERE ledger.member = (SELECT id FROM ledger_members WHERE name = ?1) AND start_wall_ms BETWEEN ?2 AND ?4 AND (start_wall_ms, row) > (?2, ?3)
                    AND length_ms > 86400000 AND start_wall_ms + length_ms > ?5
                ORDER BY start_wall_ms, row LIMIT ?6
                """
            ),
            (
                range.lowerBound - long,
                // Rows: the long ones of the day before the range.
                """
                SELECT \(LedgerTable.columns) FROM ledger INDEXED BY ledger_long \(LedgerTable.textJoins)
                WHERE ledger.member = (SELECT id FROM ledger_members WHERE name = ?1) AND start_wall_ms BETWEEN ?2 AND ?4 AND (start_wall_ms, row) > (?2, ?3)
                    AND length_ms > 3600000 AND start_wall_ms + length_ms > ?5
                ORDER BY start_wall_ms, row LIMIT ?6
                """
            ),
            (
                range.upperBound,
                // Rows: those of the range that are wanted, a page.
                """
                SELECT \(LedgerTable.columns) FROM ledger INDEXED BY ledger_by_time \(LedgerTable.textJoins)
                WHERE ledger.member = (SELECT id FROM ledger_members WHERE name = ?1) AND start_wall_ms BETWEEN ?2 AND ?4 AND (start_wall_ms, row) > (?2, ?3)
                    AND (start_wall_ms >= ?5 OR start_wall_ms + length_ms > ?5)
                ORDER BY start_wall_ms, row LIMIT ?6
                """
            ),
        ]
        for (before, sql) in parts where !page.isMore && place.start < before {
            try database.scan(
                sql,
                [
                    .text(member), .integer(place.start.ms), .integer(place.row), .integer(before.ms - 1),
                    .integer(range.lowerBound.ms), .integer(page.limit + 1 - Int64(page.rows.count)),
                ],
                visit: visit
            )
            if !page.isMore { place = Place(start: before, row: 0) }
        }
        return page.isMore ? place.text : nil
    }

    /// Returns the rows of one device that touch a time, and the wall time up to which they were read.
    ///
    /// `since`: long rows that began earlier are not searched.
    static func overlapping(
        _ range: Range<WallTime>,
        of member: String,
        device: String?,
        since: WallTime = WallTime(ms: .min),
        limit: Int = .max,
        _ database: Database
    ) throws -> (rows: [Segment], through: WallTime) {
        let near = range.lowerBound - long
        var rows = try database.query(
            // Rows: those that are longer than a day up to the range, and the long ones of the day before it.
            """
            SELECT \(LedgerTable.columns) FROM ledger INDEXED BY ledger_longest \(LedgerTable.textJoins)
            WHERE ledger.member = (SELECT id FROM ledger_members WHERE name = ?1) AND start_wall_ms >= ?5 AND start_wall_ms < ?6
                AND length_ms > 86400000 AND start_wall_ms + length_ms > ?3 AND device IS ?4
            UNION ALL
            SELECT \(LedgerTable.columns) FROM ledger INDEXED BY ledger_long \(LedgerTable.textJoins)
            WHERE ledger.member = (SELECT id FROM ledger_members WHERE name = ?1) AND start_wall_ms >= max(?5, ?6) AND start_wall_ms < ?2
                AND length_ms > 3600000 AND start_wall_ms + length_ms > ?3 AND device IS ?4
            """,
            [
                .text(member), .integer(near.ms), .integer(range.lowerBound.ms), SQLValue(device),
                .integer(since.ms), .integer((range.lowerBound - longest).ms),
            ]
        ) { try LedgerTable.segment($0) }
        let others = try database.query(
            // Rows: those of the range that are wanted, a page.
            """
            SELECT \(LedgerTable.columns) FROM ledger INDEXED BY ledger_by_time \(LedgerTable.textJoins)
            WHERE ledger.member = (SELECT id FROM ledger_members WHERE name = ?1) AND start_wall_ms BETWEEN ?2 AND ?5 AND device IS ?4 AND length_ms > 0
                AND start_wall_ms + length_ms > ?3
            ORDER BY start_wall_ms LIMIT ?6
            """,
            [
                .text(member), .integer(near.ms), .integer(range.lowerBound.ms), SQLValue(device),
                .integer(range.upperBound.ms - 1), SQLValue(limit),
            ]
        ) { try LedgerTable.segment($0) }
        rows += others
        return (rows, others.count < limit ? range.upperBound : others.last?.startWall ?? range.upperBound)
    }

    // MARK: - One segment

    /// Finds the segment with a name, or the segment at a moment.
    static func find(_ request: UsageSegment.Request, state: ActivityState, database: Database) throws
        -> UsageSegment.Reply
    {
        if let id = request.segment {
            // Try the index by time first. A search by name reads the whole ledger.
            if let wall = request.wallMs.map({ WallTime(ms: $0) }), let member = request.member {
                let near = try nearest(wall, of: member, state: state, database: database)
                if near.segment?.segment == id { return near }
            }
            return try named(id: id, state: state, database: database)
        }
        guard let wall = request.wallMs.map({ WallTime(ms: $0) }) else {
            throw Problem(
                "body.invalid",
                "Identify an interval by its id, or by a time (`wall_ms`) and its member.",
                key: "body.invalid.name-a-stretch",
                field: "/segment"
            )
        }
        guard let member = request.member ?? state.household.owner else {
            throw Household.memberRequiredProblem
        }
        return try nearest(wall, of: member, state: state, database: database)
    }

    private static func named(id: String, state: ActivityState, database: Database) throws
        -> UsageSegment.Reply
    {
        for timeline in state.timelines.values {
            if let open = timeline.open.first(where: { $0.segment == id }) {
                return .init(segment: open, isOpen: true)
            }
        }
        // Ignore imported rows: they may have any name, and are no evidence of observations here.
        var found: Segment?
        if let sequence = id.split(separator: "/").last.flatMap({ Int64($0) }) {
            // The newest first, because most questions are about recent time.
            found = try database.first(
                // Rows: from the newest back to the one; an index of names would cost every row that is written.
                """
                SELECT \(LedgerTable.columns) FROM ledger \(LedgerTable.textJoins)
                WHERE ledger.sequence = ?2 AND segment IS NULL AND agent || '/' || run || '/' || ?2 = ?1
                ORDER BY row DESC LIMIT 1
                """,
                [.text(id), .integer(sequence)]
            ) { try LedgerTable.segment($0) }
        }
        if found == nil {
            found = try database.first(
                // Rows: those of one name.
                """
                SELECT \(LedgerTable.columns) FROM ledger INDEXED BY ledger_named \(LedgerTable.textJoins)
                WHERE segment = ? AND known_by IS NOT 'imported' ORDER BY row DESC LIMIT 1
                """,
                [.text(id)]
            ) { try LedgerTable.segment($0) }
        }
        return .init(segment: found, isOpen: false)
    }

    private static func nearest(
        _ wall: WallTime,
        of member: String,
        state: ActivityState,
        database: Database
    ) throws -> UsageSegment.Reply {
        if let open = state.timelines[member]?.open.last(where: { $0.startWall <= wall }) {
            return .init(segment: open, isOpen: true)
        }
        // The index contains the starts. The last row that begins before the moment contains it, unless that row had ended.
        let last = try database.first(
            // Rows: one, and the imported ones that began since.
            """
            SELECT \(LedgerTable.columns) FROM ledger INDEXED BY ledger_by_time \(LedgerTable.textJoins)
            WHERE ledger.member = (SELECT id FROM ledger_members WHERE name = ?) AND start_wall_ms <= ?
                AND device IS NULL
            ORDER BY start_wall_ms DESC, row DESC LIMIT 1
            """,
            [.text(member), .integer(wall.ms)]
        ) { try LedgerTable.segment($0) }
        guard let last, last.startWall + .milliseconds(last.durationMs) > wall else {
            return .init(segment: nil, isOpen: false)
        }
        return .init(segment: last, isOpen: false)
    }

    // MARK: - Pages

    /// The position at which a page by time ends.
    private struct Place {
        var start: WallTime
        var row: Int64

        var text: String { "\(start.ms).\(row)" }

        init(start: WallTime, row: Int64) {
            self.start = start
            self.row = row
        }

        init(_ text: String?) throws {
            guard let text else {
                self.init(start: WallTime(ms: .min), row: 0)
                return
            }
            let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) }
            guard parts.count == 2, let start = parts[0], let row = parts[1], row >= 0 else { throw badNext }
            self.init(start: WallTime(ms: start), row: row)
        }
    }

    private static var badNext: Problem {
        Problem("page.invalid", "Send `next` exactly as it was in the reply.", field: "/next")
    }

    /// The rows of a reply, up to its limits.
    private struct PageRows {
        let limit: Int64
        private(set) var rows: [Segment] = []
        private(set) var isMore = false
        private var bytes = 0

        init(limit: Int64?) {
            self.limit = min(limit ?? Int64(BusLimits.pageRows), Int64(BusLimits.pageRows))
        }

        /// Returns false if the row belongs to the next page.
        mutating func append(_ row: borrowing Row) throws -> Bool {
            let segment = try LedgerTable.segment(row)
            bytes += try segment.encodedBody().count
            isMore = Int64(rows.count) == limit || !rows.isEmpty && bytes > BusLimits.pageBytes
            if !isMore { rows.append(segment) }
            return !isMore
        }
    }
}
