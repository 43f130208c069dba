import STContracts
import STEngine
import STFollowing
import STPlatform
import STStore

/// Deletes a person's past usage on all devices, and the notifications of that time.
///
/// A row keeps its number and its hashes, so that the chain remains valid. All its other values and its events are deleted.
/// Followers of the stream rebuild their data from the remaining events.
enum LedgerDeletion {
    /// Upper bound on the rows that one request deletes, because other requests wait meanwhile.
    static let rowsMax = 2_000

    private struct MatchedRow {
        var row: Int64
        var segment: Segment
    }

    static func delete(
        _ request: UsageForget.Request,
        by prover: String?,
        state: inout ActivityState,
        change: StoreTransaction
    ) throws -> UsageForget.Reply {
        let member =
            request.imported == nil
            ? try ownDevice(request.member, state: state, database: change.database)
            : try state.household.member(request.member)
        try check(request)
        var found = try rows(of: member, request, change.database)
        let isMore = found.count > rowsMax
        found.removeLast(isMore ? 1 : 0)
        let isWhole = request.imported == nil
        let notified =
            try isWhole
            ? NotificationTable.delete(
                of: member,
                request.fromWallMs..<request.toWallMs,
                limit: rowsMax - found.count,
                change.database
            ) : NotificationTable.Deletion(subjects: [], devices: [], more: false)
        let open = isWhole ? state.timelines[member]?.open.filter { overlaps($0, request) } ?? [] : []
        var reply = UsageForget.Reply(
            member: member,
            rows: Int64(found.count),
            events: 0,
            more: isMore || notified.more,
            keptOpen: !open.isEmpty
        )
        // A row that reaches out of the range is deleted completely.
        let time = span(found, request.fromWallMs..<request.toWallMs)
        for each in found { try RemoteUsageTracker.removeRow(each.segment, change.database) }
        var gone: [String] = []
        try blank(found, change.database)
        if !reply.more {
            try state.ledgerTexts.deleteUnused(change.database)
            gone = try ImportedDeviceTable.deleteUnused(&state, change.database)
        }
        guard !found.isEmpty || !notified.subjects.isEmpty || !gone.isEmpty else {
            // Evidence may remain of the open segment, or of rows that are already empty.
            try ForgottenEvidence.strip([], time: time, of: member, change: change)
            if !isWhole {
                try recordHistory(reply, request: request, by: prover, state: &state, change: change)
            }
            return reply
        }
        reply.events = try erase(
            found,
            others: notified.subjects + gone,
            time: time,
            of: member,
            state: &state,
            change: change
        )
        let first = "\(found.first?.row ?? 0)/\(notified.subjects.first ?? "")"
        try publish(
            member,
            rows: reply.rows,
            time: request.fromWallMs..<request.toWallMs,
            first: first,
            change: change
        )
        // The removal of an import has one history line for all its requests.
        if isWhole || !reply.more {
            try recordHistory(reply, request: request, by: prover, state: &state, change: change)
        }
        return reply
    }

    /// Deletes rows of another machine, after that machine has deleted them.
    static func delete(
        _ names: [String],
        of device: String,
        named machine: String,
        state: inout ActivityState,
        change: StoreTransaction
    ) throws {
        let found = try names.flatMap { name in
            try change.database.query(
                // Rows: those of one name.
                """
                SELECT \(LedgerTable.columns) FROM ledger INDEXED BY ledger_named \(LedgerTable.textJoins)
                WHERE segment = ? AND known_by = 'elsewhere' AND device = ?
                """,
                [.text(name), .text(device)]
            ) { MatchedRow(row: try $0.int(0), segment: try LedgerTable.segment($0)) }
        }
        // Deleting a child's usage requires a guardian's passcode on this machine. Another machine cannot provide it.
        .filter { state.household.role(of: $0.segment.member) != .child }
        try blank(found, change.database)
        for (member, rows) in Dictionary(grouping: found, by: \.segment.member).sorted(by: { $0.key < $1.key }
        ) {
            let time = span(rows, rows[0].segment.startWallMs..<rows[0].segment.startWallMs + 1)
            // This machine's own evidence of that time remains.
            _ = try erase(rows, others: [], time: nil, of: member, state: &state, change: change)
            try publish(
                member,
                rows: Int64(rows.count),
                time: time,
                first: "\(rows[0].row)/\(device)",
                change: change
            )
            let line = HistoryLine(
                .forgotten,
                member: member,
                before: LedgerImport.rows(Int64(rows.count), of: member),
                why: Message("history-why.deleted-on", "deleted on \(machine, "machine")")
            )
            try state.history.append(change.stamped(line), change)
        }
        if !found.isEmpty { try state.ledgerTexts.deleteUnused(change.database) }
    }

    private static func span(_ rows: [MatchedRow], _ least: Range<Int64>) -> Range<Int64> {
        let from = rows.map(\.segment.startWallMs).reduce(least.lowerBound, min)
        let to = rows.map { $0.segment.startWallMs + $0.segment.durationMs }.reduce(least.upperBound, max)
        return from..<to
    }

    /// Deletes the events and the evidence of rows that are empty. Returns the number of deleted events.
    private static func erase(
        _ found: [MatchedRow],
        others: [String],
        time: Range<Int64>?,
        of member: String,
        state: inout ActivityState,
        change: StoreTransaction
    ) throws -> Int64 {
        let segments = Set(found.filter { $0.segment.knownBy != .imported }.map(\.segment.segment))
        let events = try change.redact(
            found.map { LedgerTable.subject($0.segment) } + others,
            of: .usage,
            as: SegmentRedacted.self
        )
        try ForgottenEvidence.strip(segments, time: time, of: member, change: change)
        state.activities.removeEvidence(segments: segments, of: member)
        state.timelines[member]?.dropStaleSeats()
        state.unsaved.insert(member)
        return Int64(events)
    }

    private static func publish(
        _ member: String,
        rows: Int64,
        time: Range<Int64>,
        first: String,
        change: StoreTransaction
    ) throws {
        try change.emit(
            UsageForgotten.self,
            subject: "forgotten/\(member)/\(time.lowerBound)/\(first)",
            UsageForgotten.Body(
                member: member,
                fromWallMs: time.lowerBound,
                toWallMs: time.upperBound,
                rows: rows
            )
        )
    }

    private static func recordHistory(
        _ reply: UsageForget.Reply,
        request: UsageForget.Request,
        by prover: String?,
        state: inout ActivityState,
        change: StoreTransaction
    ) throws {
        let line = HistoryLine(
            .forgotten,
            about: request.imported,
            member: reply.member,
            by: prover,
            before: request.imported.map { Message(verbatim: $0) }
                ?? LedgerImport.rows(reply.rows, of: reply.member)
        )
        try state.history.append(change.stamped(line), change)
    }

    private static func check(_ request: UsageForget.Request) throws {
        let range = ObservationCheck.wallMsRange
        guard range.contains(request.fromWallMs), range.contains(request.toWallMs),
            request.fromWallMs < request.toWallMs
        else {
            throw Problem(
                "usage.bad_range",
                "The range must end after it begins and be within the supported dates.",
                key: "usage.bad_range.the-range-ends",
                field: "/to_wall_ms"
            )
        }
    }

    /// Returns the owner of the account, or a removed member of whom only past usage is left.
    private static func ownDevice(_ name: String?, state: ActivityState, database: Database) throws -> String
    {
        guard let owner = state.household.owner else { throw Household.memberRequiredProblem }
        guard let name, name != owner else { return owner }
        guard state.household.contains(name) else {
            let isRecorded = try database.first("SELECT 1 FROM ledger_members WHERE name = ?", [.text(name)])
            {
                try $0.bool(0)
            }
            guard isRecorded == nil else { return name }
            throw Household.unknownMemberProblem(name)
        }
        throw Problem(
            "usage.not_own",
            "You can delete only your own usage, and this account belongs to \(owner, "owner").",
            field: "/member"
        )
    }

    private static func rows(
        of member: String,
        _ request: UsageForget.Request,
        _ database: Database
    ) throws -> [MatchedRow] {
        try database.query(
            // Rows: all of the member before the end of the range, when a person deletes their past.
            """
            SELECT \(LedgerTable.columns) FROM ledger \(LedgerTable.textJoins)
            WHERE ledger.member = (SELECT id FROM ledger_members WHERE name = ?1) AND start_wall_ms < ?3
                AND (start_wall_ms >= ?2 OR start_wall_ms + length_ms > ?2)
                AND (?5 IS NULL OR run = ?5 AND known_by = 'imported')
            ORDER BY row LIMIT ?4
            """,
            [
                .text(member), .integer(request.fromWallMs), .integer(request.toWallMs),
                SQLValue(rowsMax + 1), SQLValue(request.imported),
            ]
        ) { MatchedRow(row: try $0.int(0), segment: try LedgerTable.segment($0)) }
    }

    private static func overlaps(_ open: Segment, _ request: UsageForget.Request) -> Bool {
        open.startWallMs < request.toWallMs && open.startWallMs + open.durationMs >= request.fromWallMs
    }

    private static func blank(_ rows: [MatchedRow], _ database: Database) throws {
        for found in rows { try blank(found, database) }
    }

    private static func blank(_ found: MatchedRow, _ database: Database) throws {
        try database.run(
            """
            UPDATE ledger SET member = NULL, source = NULL, sight = NULL, sequence = NULL, start_boot_ms = NULL,
                length_ms = NULL, start_wall_ms = NULL, segment = NULL, step_ms = NULL, content_hash = ?
            WHERE row = ?
            """,
            [.blob(LedgerChain.content(found.segment)), .integer(found.row)]
        )
    }
}

/// Removes deleted time from the evidence of threshold events.
enum ForgottenEvidence {
    /// Removes these segments from the evidence, and publishes which segments and which time were deleted.
    ///
    /// `time`: other services delete their data of that time too, because some of it names no segment. If nil, that data remains.
    static func strip(
        _ segments: Set<String>,
        time: Range<Int64>?,
        of member: String,
        change: StoreTransaction
    ) throws {
        var named: Set<String> = []
        try change.rewrite(.activity, types: [ThresholdReached.type, ThresholdWarning.type]) { body in
            var occurrence = try ActivityOccurrence.decodedBody(body)
            guard occurrence.member == member else { return nil }
            let gone = occurrence.evidence.forget(segments)
            if gone.isEmpty { return nil }
            named.formUnion(gone)
            return try occurrence.encodedBody()
        }
        let all = named.sorted()
        for start in stride(from: 0, to: max(1, all.count), by: EvidenceForgotten.segmentsMax) {
            let part = Array(all[start..<min(start + EvidenceForgotten.segmentsMax, all.count)])
            try change.emit(
                EvidenceForgotten.self,
                // Each event has its own subject, so that a snapshot contains all of them.
                subject: "forgotten/"
                    + (part.first ?? "\(member)/\(time?.lowerBound ?? 0)/\(time?.upperBound ?? 0)"),
                EvidenceForgotten.Body(
                    member: member,
                    segments: part,
                    fromWallMs: time?.lowerBound,
                    toWallMs: time?.upperBound
                )
            )
        }
    }
}
