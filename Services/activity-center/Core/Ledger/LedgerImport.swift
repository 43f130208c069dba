import STContracts
import STDomain
import STEngine
import STPlatform
import STStore

/// Adds past usage of this or another device to the ledger.
///
/// Imported usage counts towards no activity. The stream announces it only as closed rows.
enum LedgerImport {
    /// Tolerance between wall time and boot time. A synchronised clock is adjusted by less than this within one boot.
    private static let clockTolerance = Duration.seconds(60)

    static func importRows(
        _ request: UsageImport.Request,
        state: inout ActivityState,
        context: RequestContext,
        change: StoreTransaction
    ) throws -> UsageImport.Reply {
        try ImportCheck(household: state.household, now: change.now, bootID: context.bootID).check(request)
        let isMeant = request.dryRun != true
        let prover = try context.prepared.guardian()
        let isBegun = try request.name.map { try isKnown(import: $0, change.database) } ?? false
        if let device = request.device, isMeant {
            try ImportedDeviceTable.register(device, state: &state, change: change)
        }
        let device = request.device?.device
        var reply = UsageImport.Reply(added: 0, duplicates: 0, overlapping: 0)
        var known: [String: CoveredTime] = [:]
        // The rows that a dry run would add, which are not in the ledger.
        var seen: Set<String> = []
        for (index, sent) in request.rows.enumerated() {
            let row = imported(sent, device: device, name: request.name)
            if try seen.contains(row.segment) || exists(row, change.database) {
                reply.duplicates += 1
                continue
            }
            var time =
                known.removeValue(forKey: row.member) ?? CoveredTime(member: row.member, device: device)
            defer { known[row.member] = time }
            let isTaken = try time.overlaps(row, change.database)
            guard !isTaken, !isOfOtherClock(row, context: context, change: change),
                !isOngoing(row, state: state, context: context, change: change)
            else {
                reply.overlapping += 1
                reply.overlappingRows = (reply.overlappingRows ?? []) + [Int64(index)]
                continue
            }
            time.add(row)
            if !isMeant { seen.insert(row.segment) }
            reply.added += 1
            guard isMeant else { continue }
            try LedgerTable.append(row, state: &state, change: change)
        }
        if !request.rows.isEmpty, isMeant { try LedgerTable.save(state.chain, change.database) }
        for sent in request.notifications {
            var row = sent
            row.device = device
            let isNew =
                isMeant
                ? try NotificationTable.add(row, change)
                : try !NotificationTable.contains(row, change.database)
            if isNew {
                reply.added += 1
            } else {
                reply.duplicates += 1
            }
        }
        // A named import has one history line for all its requests.
        let hasRulesAlone = request.rows.isEmpty && request.notifications.isEmpty
        if isMeant, reply.added > 0 || hasRulesAlone, !isBegun {
            let line = HistoryLine(
                .imported,
                about: request.name ?? request.device?.name,
                member: request.name == nil ? nil : request.rows.first?.member ?? request.member,
                by: prover,
                after: request.name.map { Message(verbatim: $0) }
                    ?? rows(reply.added, of: request.device?.name)
            )
            try state.history.append(change.stamped(line), change)
        }
        return reply
    }

    /// Returns a text with the number of rows, and the device or the member that they belong to.
    static func rows(_ count: Int64, of owner: String?) -> Message {
        guard let owner else {
            return Message(
                "history-rows.count",
                count: Int(clamping: count),
                one: "\(count, "count") row",
                other: "\(count, "count") rows"
            )
        }
        return Message(
            "history-rows.count-of",
            count: Int(clamping: count),
            one: "\(count, "count") row of \(owner, "owner")",
            other: "\(count, "count") rows of \(owner, "owner")"
        )
    }

    private static func isKnown(import name: String, _ database: Database) throws -> Bool {
        try database.first(
            // Rows: the first of the import.
            "SELECT 1 FROM ledger_sources WHERE run = ? AND known_by = 'imported' LIMIT 1",
            [.text(name)]
        ) { try $0.bool(0) } ?? false
    }

    private static func imported(_ sent: Segment, device: String?, name: String?) -> Segment {
        var row = sent
        row.device = device
        row.run = name ?? row.run
        row.knownBy = .imported
        // As in observed rows, the category must exist, and only an active member can look at a shield.
        if let category = row.category, Category(rawValue: category) == nil { row.category = nil }
        if row.shielded != true || row.presence != .active { row.shielded = nil }
        return row
    }

    /// Returns true if the row claims the current boot, but its wall time contradicts that. By its boot time it would be part of
    /// the present usage, without overlapping any row.
    private static func isOfOtherClock(
        _ row: Segment,
        context: RequestContext,
        change: StoreTransaction
    ) -> Bool {
        guard row.device == nil, row.bootId == context.bootID else { return false }
        let expected = change.now.wall - (change.now.boot - row.startBoot)
        return abs((expected - row.startWall).ms) > clockTolerance.ms
    }

    private static func exists(_ row: Segment, _ database: Database) throws -> Bool {
        let before = try database.first(
            // Rows: those of one name.
            """
            SELECT 1 FROM ledger INDEXED BY ledger_named JOIN ledger_sources ON ledger_sources.id = ledger.source
            WHERE segment = ? AND known_by = 'imported' AND device IS ?
            """,
            [.text(row.segment), SQLValue(row.device)]
        ) { try $0.int(0) }
        if before != nil { return true }
        guard row.device == nil else { return false }
        // The row was observed here: the export is imported on its own device.
        var isSeen = false
        try database.scan(
            // Rows: those that begin in the same millisecond.
            """
            SELECT \(LedgerTable.columns) FROM ledger INDEXED BY ledger_by_time \(LedgerTable.textJoins)
            WHERE ledger.member = (SELECT id FROM ledger_members WHERE name = ?) AND start_wall_ms = ? AND device IS NULL
            """,
            [.text(row.member), .integer(row.startWallMs)]
        ) {
            isSeen = try LedgerTable.segment($0).segment == row.segment
            return !isSeen
        }
        return isSeen
    }

    /// Returns true if the row overlaps an open segment, which will become a row. An open segment of the current boot lasts until
    /// now.
    private static func isOngoing(
        _ row: Segment,
        state: ActivityState,
        context: RequestContext,
        change: StoreTransaction
    ) -> Bool {
        guard row.device == nil, row.durationMs > 0 else { return false }
        let end = row.startWall + .milliseconds(row.durationMs)
        return (state.timelines[row.member]?.open ?? []).contains { open in
            if open.bootId == row.bootId { return row.endBootMs > open.startBootMs }
            let isHere = open.bootId == context.bootID
            let openEnd = open.startWall + .milliseconds(open.durationMs)
            return end > open.startWall
                && row.startWall < (isHere ? max(openEnd, change.now.wall) : openEnd)
        }
    }
}

/// The usage that the ledger already has around imported rows, of one member on one device.
///
/// Rows usually arrive in the order of their times, so a few hours are read together.
struct CoveredTime {
    private struct Span {
        var bootId: String
        var boot: Range<BootTime>
        var wall: Range<WallTime>

        init(_ row: Segment) {
            bootId = row.bootId
            boot = row.startBoot..<row.endBoot
            wall = row.startWall..<(row.startWall + .milliseconds(row.durationMs))
        }

        /// Within one boot, boot times decide, because the wall clock may have been set meanwhile.
        func overlaps(_ other: Span) -> Bool {
            wall.overlaps(other.wall) && (bootId != other.bootId || boot.overlaps(other.boot))
        }
    }

    /// Upper bound on the spans that are read together. If there are more, a shorter time is read.
    private static let spansMax = 2_000
    private static let window = Duration.seconds(6 * 3_600)

    let member: String
    let device: String?
    private var range = WallTime(ms: 0)..<WallTime(ms: 0)
    private var spans: [Span] = []
    /// The spans that this request has added.
    private var added: [Span] = []

    init(member: String, device: String?) {
        self.member = member
        self.device = device
    }

    /// Returns true if other usage is known for a part of the row's time.
    mutating func overlaps(_ row: Segment, _ database: Database) throws -> Bool {
        let span = Span(row)
        if span.wall.isEmpty { return false }
        if span.wall.lowerBound < range.lowerBound || span.wall.upperBound > range.upperBound {
            let from = span.wall.lowerBound
            try read(from..<max(span.wall.upperBound, from + Self.window), database)
        }
        return spans.contains { $0.overlaps(span) } || added.contains { $0.overlaps(span) }
    }

    /// Adds the row to the known usage.
    mutating func add(_ row: Segment) {
        if row.durationMs > 0 { added.append(Span(row)) }
    }

    private mutating func read(_ range: Range<WallTime>, _ database: Database) throws {
        let found = try LedgerListing.overlapping(
            range,
            of: member,
            device: device,
            limit: Self.spansMax,
            database
        )
        self.range = range.lowerBound..<max(range.lowerBound, found.through)
        spans = found.rows.map { Span($0) }
    }
}

/// The devices of which past usage was imported.
enum ImportedDeviceTable {
    static let devicesMax = 64

    static func load(_ database: Database) throws -> [ImportedDevice] {
        try database.query("SELECT device, name, model, imported_at FROM imported_devices ORDER BY device") {
            ImportedDevice(
                device: try $0.text(0),
                name: try $0.text(1),
                model: ReportModel(rawValue: try $0.text(2)) ?? .unknown,
                importedAt: try $0.text(3)
            )
        }
    }

    /// Adds and announces a new device. A known device keeps its name.
    static func register(_ device: ImportedDevice, state: inout ActivityState, change: StoreTransaction)
        throws
    {
        guard !state.devices.contains(where: { $0.device == device.device }) else { return }
        guard state.devices.count < devicesMax else {
            throw Problem(
                "usage.too_many_devices",
                "Usage from \(devicesMax, "most") devices has already been imported, which is the limit.",
                field: "/device"
            )
        }
        var known = device
        known.importedAt = RFC3339.text(wallMs: change.now.wallMs)
        try change.database.run(
            "INSERT INTO imported_devices (device, name, model, imported_at) VALUES (?, ?, ?, ?)",
            [.text(known.device), .text(known.name), .text(known.model.rawValue), .text(known.importedAt)]
        )
        state.devices.append(known)
        state.devices.sort { $0.device < $1.device }
        try change.emit(DeviceImported.self, subject: subject(known.device), known)
    }

    /// Deletes devices of which no usage is left, because their names are personal too.
    ///
    /// Returns the subjects of their events.
    static func deleteUnused(_ state: inout ActivityState, _ database: Database) throws -> [String] {
        var subjects: [String] = []
        for device in state.devices.map(\.device) {
            let left = try database.first(
                // Rows: the first of the device; of the notifications all, after a person deleted what a device had.
                """
                SELECT EXISTS (SELECT 1 FROM ledger_sources WHERE device = ?1)
                    OR EXISTS (SELECT 1 FROM notifications WHERE device = ?1)
                """,
                [.text(device)]
            ) { try $0.bool(0) }
            if left == true { continue }
            try database.run("DELETE FROM imported_devices WHERE device = ?", [.text(device)])
            state.devices.removeAll { $0.device == device }
            subjects.append(subject(device))
        }
        return subjects
    }

    private static func subject(_ device: String) -> String { "device/\(device)" }
}
