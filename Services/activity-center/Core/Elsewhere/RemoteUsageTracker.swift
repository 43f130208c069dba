import STBus
import STContracts
import STEngine
import STFollowing
import STPlatform
import STStore

/// The usage of members on other machines of the household. Its rows are in the ledger with `known_by` = `elsewhere`, and count
/// here too.
package struct RemoteUsageTracker: Sendable, Equatable {
    /// A segment that is under way on another machine, or whose row has not arrived yet.
    struct RemoteInterval: WireBody, Codable, Equatable {
        var segment: Segment
        /// The boot time of its machine up to which it has counted.
        var countedBootMs: Int64
        /// The boot time of this machine up to which it was under way, according to the latest report.
        var knownBootMs: Int64
        var bootId: String
        var isOpen: Bool

        var counted: BootTime { BootTime(ms: countedBootMs) }
        var known: BootTime { BootTime(ms: knownBootMs) }

        /// Returns true if another report describes the same interval, apart from its end and small corrections of the clock.
        func describes(_ other: Segment) -> Bool {
            var same = segment
            (same.endBootMs, same.startWallMs) = (other.endBootMs, other.startWallMs)
            (same.sequence, same.agent, same.run) = (other.sequence, other.agent, other.run)
            (same.zone, same.stepMs, same.knownBy) = (other.zone, other.stepMs, other.knownBy)
            return same == other && abs(segment.startWallMs - other.startWallMs) <= late.ms
        }
    }

    /// Simultaneous usage on another machine, for the moment at which a common budget runs out.
    package struct ConcurrentUsage: Sendable, Equatable {
        var stretch: UsageInterval
        var known: BootTime
    }

    static let migration = Migration(
        name: "use elsewhere",
        sql: """
            CREATE TABLE elsewhere (
                device TEXT NOT NULL, segment TEXT NOT NULL, running BLOB NOT NULL, PRIMARY KEY (device, segment)
            ) STRICT, WITHOUT ROWID;
            -- What a person has deleted here must not come again.
            CREATE TABLE elsewhere_forgotten (
                device TEXT NOT NULL, segment TEXT NOT NULL, PRIMARY KEY (device, segment)
            ) STRICT, WITHOUT ROWID;
            """
    )

    /// The remaining time of a common budget from which agents report every second, so that the machines exchange their usage in
    /// time.
    private static let near = Duration.seconds(30)
    private static let nearInterval = Duration.seconds(1)
    /// The age from which usage counts as late. Other machines report their open segments every 30 s.
    private static let late = Duration.seconds(120)
    private static let longest = Duration.seconds(31 * 86_400)
    /// Upper bound on the intervals that are no longer under way and whose rows have not arrived.
    private static let restingMax = 1_000

    private var running: [String: RemoteInterval] = [:]
    /// The boot time at which the agent of each member was asked to report again.
    private var requested: [String: BootTime] = [:]
    /// True if link-service has sent a request since the start. Otherwise no other machine follows.
    private var isLinked = false

    init() {}

    init(_ database: Database) throws {
        // Rows: all, a few for each other machine.
        try database.query("SELECT running FROM elsewhere") {
            let found = try RemoteInterval.decodedBody(try $0.blob(0))
            running[Self.key(found.segment)] = found
        }
    }

    private static func key(_ segment: Segment) -> String { "\(segment.device ?? "")/\(segment.segment)" }

    /// Returns the usage under way on other machines, as far as it has counted.
    func intervals(of member: String) -> [UsageInterval] {
        running.sorted { $0.key < $1.key }.map(\.value).filter { $0.segment.member == member }.map {
            UsageInterval($0.segment, from: $0.segment.startBoot, to: $0.counted)
        }
    }

    /// Returns the usage under way on other machines, if their last report is recent.
    func concurrentUsage(_ member: String, bootId: String, now: BootTime) -> [ConcurrentUsage] {
        running.sorted { $0.key < $1.key }.map(\.value).filter {
            $0.isOpen && $0.segment.member == member && $0.segment.presence == .active && $0.bootId == bootId
                && now - $0.known <= .milliseconds(SegmentOpened.lastsMs)
        }
        .map { ConcurrentUsage(stretch: UsageInterval(endOf: $0.segment), known: $0.known) }
    }

    /// Returns the boot time at which the agent should report again. It is earlier if a common budget is nearly used up.
    mutating func checkTime(_ time: BootTime?, after last: Observation, isAlone: Bool) -> BootTime? {
        var at = time
        if !isAlone, let due = time, due - last.reading.boot < Self.near {
            at = min(due, last.reading.boot + Self.nearInterval)
        }
        requested[last.member] = at
        return at
    }

    /// Returns true if other machines wait for the present usage of this member.
    func needsReport(_ last: Observation) -> Bool {
        guard isLinked, let at = requested[last.member] else { return false }
        return last.reading.boot >= at
    }

    // MARK: - Requests of link-service

    static var routes: [ServiceRoute<ActivityState>] {
        [
            .write(RemoteUsageRoute.self) { state, request, context, change in
                try ActivityRules.advance(&state, context: context, change: change)
                return try receive(request, state: &state, context: context, change: change)
            },
            .write(UsageCopies.self) { state, request, _, change in
                try copies(request, state: &state, change: change)
            },
        ]
    }

    private static func receive(
        _ request: RemoteUsageRoute.Request,
        state: inout ActivityState,
        context: RequestContext,
        change: StoreTransaction
    ) throws -> RemoteUsageRoute.Reply {
        try check(request, state)
        state.remoteUsage.isLinked = true
        let test = ImportCheck(household: state.household, now: change.now, bootID: context.bootID)
        var reply = RemoteUsageRoute.Reply(added: 0, duplicates: 0)
        for device in request.devices {
            try registerDevice(device, test: test, reply: &reply, state: &state, change: change)
        }
        let known = Set(state.devices.map(\.device))
        let rows = plausibleRows(request.rows, of: known, test: test, reply: &reply)
        for row in rows.map({ counted($0, state) }) {
            if try exists(row, change.database) {
                reply.duplicates += 1
                continue
            }
            try close(row, state: &state, change: change)
            reply.added += 1
        }
        if reply.added > 0 { try LedgerTable.save(state.chain, change.database) }
        let fits = Set(
            plausibleRows(request.open.map(\.segment), of: known, test: test, reply: &reply).map { key($0) }
        )
        let open = request.open
            .filter { fits.contains(key($0.segment)) && (0...longest.ms).contains($0.agoMs) }
            .map { OpenUsageInterval(segment: counted($0.segment, state), agoMs: $0.agoMs) }
        for each in open where try !exists(each.segment, change.database) {
            try extend(each, state: &state, context: context, change: change)
        }
        try markClosed(besides: Set(open.map { key($0.segment) }), &state, change)
        return reply
    }

    /// Registers a machine. If there is no room for it, its usage is left out.
    private static func registerDevice(
        _ device: HouseholdDeviceName,
        test: ImportCheck,
        reply: inout RemoteUsageRoute.Reply,
        state: inout ActivityState,
        change: StoreTransaction
    ) throws {
        // Apple's report filters name computers only as Macs.
        let known = ImportedDevice(device: device.device, name: device.name, model: .mac, importedAt: "")
        do {
            try test.check(known)
            try ImportedDeviceTable.register(known, state: &state, change: change)
        } catch let problem as Problem where problem.code.hasPrefix("usage.") {
            reply.why = problem
        }
    }

    /// Returns the plausible rows. The others are left out and counted, so that one bad row does not block all later ones.
    private static func plausibleRows(
        _ rows: [Segment],
        of devices: Set<String>,
        test: ImportCheck,
        reply: inout RemoteUsageRoute.Reply
    ) -> [Segment] {
        rows.enumerated()
            .compactMap { index, row in
                do {
                    try test.check(row, "/rows/\(index)")
                    if devices.contains(row.device ?? "") { return row }
                } catch {
                    reply.why = Problem(error)
                }
                reply.aside = (reply.aside ?? 0) + 1
                return nil
            }
    }

    /// Returns the segment with the categories of this machine, because the rules here use them.
    private static func counted(_ sent: Segment, _ state: ActivityState) -> Segment {
        var row = sent
        row.knownBy = .elsewhere
        row.category = state.categories.category(app: row.app, domain: row.domain) ?? row.category
        return row
    }

    private static func close(_ row: Segment, state: inout ActivityState, change: StoreTransaction) throws {
        let before = try counted(before: row, &state, change)
        if before != nil { try remove(row, state: &state, database: change.database) }
        let from = max(before?.counted ?? row.startBoot, row.startBoot)
        if from < row.endBoot {
            try count(UsageInterval(row, from: from, to: row.endBoot), state: &state, change: change)
        } else if let before, before.counted > row.endBoot {
            // Its machine has since found that the person had left.
            try retract(before, from: row.endBoot, state: &state, change: change)
        }
        try LedgerTable.append(row, state: &state, change: change)
    }

    /// Returns the entry of an interval, with the usage that it has counted.
    ///
    /// If the machine now describes another interval, removes the entry and the usage that it has counted. Otherwise the end
    /// of the interval could take back time that the entry never counted.
    private static func counted(
        before row: Segment,
        _ state: inout ActivityState,
        _ change: StoreTransaction
    ) throws -> RemoteInterval? {
        guard let before = state.remoteUsage.running[key(row)], !before.describes(row) else {
            return state.remoteUsage.running[key(row)]
        }
        try retract(before, from: before.segment.startBoot, state: &state, change: change)
        try remove(row, state: &state, database: change.database)
        return nil
    }

    private static func retract(
        _ entry: RemoteInterval,
        from: BootTime,
        state: inout ActivityState,
        change: StoreTransaction
    ) throws {
        let cut = max(from, entry.segment.startBoot)
        guard cut < entry.counted else { return }
        let stretch = UsageInterval(entry.segment, from: cut, to: entry.counted)
        try ActivityRules.retract(stretch, state: &state, change: change)
    }

    private static func count(_ stretch: UsageInterval, state: inout ActivityState, change: StoreTransaction)
        throws
    {
        var stretch = stretch
        stretch.isLate = stretch.endWall < change.now.wall - late
        try ActivityRules.count(stretch, state: &state, change: change)
    }

    private static func extend(
        _ open: OpenUsageInterval,
        state: inout ActivityState,
        context: RequestContext,
        change: StoreTransaction
    ) throws {
        var segment = open.segment
        let before = try counted(before: segment, &state, change)
        // Keep the first start, so that usage is later taken back from the time of day at which it was counted.
        if let before { segment.startWallMs = before.segment.startWallMs }
        let from = max(before?.counted ?? segment.startBoot, segment.startBoot)
        if from < segment.endBoot {
            try count(UsageInterval(segment, from: from, to: segment.endBoot), state: &state, change: change)
        }
        let running = RemoteInterval(
            segment: segment,
            countedBootMs: max(from, segment.endBoot).ms,
            knownBootMs: (change.now.boot - .milliseconds(open.agoMs)).ms,
            bootId: context.bootID,
            isOpen: true
        )
        try upsert(running, state: &state, database: change.database)
    }

    /// Marks segments that are no longer under way. Their rows have not arrived yet.
    private static func markClosed(
        besides open: Set<String>,
        _ state: inout ActivityState,
        _ change: StoreTransaction
    )
        throws
    {
        for (name, entry) in state.remoteUsage.running where !open.contains(name) {
            guard entry.isOpen else { continue }
            var closed = entry
            closed.isOpen = false
            try upsert(closed, state: &state, database: change.database)
        }
        let resting = state.remoteUsage.running.filter { !$0.value.isOpen }
        guard resting.count > restingMax else { return }
        let oldest = resting.sorted {
            ($0.value.segment.startWallMs, $0.key) < ($1.value.segment.startWallMs, $1.key)
        }
        for (_, entry) in oldest.dropLast(restingMax) {
            try retract(entry, from: entry.segment.startBoot, state: &state, change: change)
            try remove(entry.segment, state: &state, database: change.database)
        }
    }

    private static func upsert(_ running: RemoteInterval, state: inout ActivityState, database: Database)
        throws
    {
        state.remoteUsage.running[key(running.segment)] = running
        try database.run(
            """
            INSERT INTO elsewhere (device, segment, running) VALUES (?, ?, ?)
            ON CONFLICT (device, segment) DO UPDATE SET running = excluded.running
            """,
            [
                SQLValue(running.segment.device), .text(running.segment.segment),
                .blob(try running.encodedBody()),
            ]
        )
    }

    private static func remove(_ segment: Segment, state: inout ActivityState, database: Database) throws {
        state.remoteUsage.running[key(segment)] = nil
        try database.run(
            "DELETE FROM elsewhere WHERE device = ? AND segment = ?",
            [SQLValue(segment.device), .text(segment.segment)]
        )
    }

    private static func exists(_ row: Segment, _ database: Database) throws -> Bool {
        try database.first(
            // Rows: those of one name.
            """
            SELECT 1 FROM ledger INDEXED BY ledger_named JOIN ledger_sources ON ledger_sources.id = ledger.source
            WHERE segment = ?1 AND known_by = 'elsewhere' AND device = ?2
            UNION ALL SELECT 1 FROM elsewhere_forgotten WHERE device = ?2 AND segment = ?1
            """,
            [.text(row.segment), SQLValue(row.device)]
        ) { try $0.int(0) } != nil
    }

    /// Records that a person has deleted the row here.
    static func removeRow(_ row: Segment, _ database: Database) throws {
        guard row.knownBy == .elsewhere else { return }
        try database.run(
            "INSERT INTO elsewhere_forgotten (device, segment) VALUES (?, ?) ON CONFLICT DO NOTHING",
            [SQLValue(row.device), .text(row.segment)]
        )
    }

    /// Deletes the rows that their own machine no longer has. Returns the next rows of that machine.
    private static func copies(
        _ request: UsageCopies.Request,
        state: inout ActivityState,
        change: StoreTransaction
    ) throws -> UsageCopies.Reply {
        guard request.gone.count <= UsageCopies.rowsMax else {
            throw Problem(
                "usage.too_many_rows",
                "A request can have at most \(UsageCopies.rowsMax, "most") rows.",
                field: "/gone"
            )
        }
        let name = state.devices.first { $0.device == request.device }?.name ?? request.device
        try LedgerDeletion.delete(
            request.gone,
            of: request.device,
            named: name,
            state: &state,
            change: change
        )
        var last: Int64?
        let segments = try change.database.query(
            // Rows: all until a page is full, when a person has deleted something on another machine.
            """
            SELECT row, segment FROM ledger JOIN ledger_sources ON ledger_sources.id = ledger.source
            WHERE row > ? AND known_by = 'elsewhere' AND device = ? ORDER BY row LIMIT ?
            """,
            [.integer(request.after), .text(request.device), SQLValue(UsageCopies.rowsMax)]
        ) { row in
            last = try row.int(0)
            return try row.text(1)
        }
        return UsageCopies.Reply(segments: segments, last: last)
    }

    private static func check(_ request: RemoteUsageRoute.Request, _ state: ActivityState) throws {
        // Until the stream has been read completely, an unknown member may exist.
        guard state.household.isComplete || request.rows.isEmpty && request.open.isEmpty else {
            throw Household.memberRequiredProblem
        }
        guard request.rows.count <= RemoteUsageRoute.rowsMax, request.open.count <= RemoteUsageRoute.openMax
        else {
            throw Problem(
                "usage.too_many_rows",
                """
                A request can have at most \(RemoteUsageRoute.rowsMax, "most") rows and \
                \(RemoteUsageRoute.openMax, "most2") open intervals.
                """,
                key: "usage.too_many_rows.at-most-rows",
                field: "/rows"
            )
        }
        let devices = Set(request.devices.map(\.device) + state.devices.map(\.device))
        for row in request.rows + request.open.map(\.segment) {
            guard let device = row.device, devices.contains(device) else {
                throw Problem(
                    "usage.bad_row",
                    "Each row of usage from another machine must name a known machine.",
                    field: "/rows/device"
                )
            }
        }
    }
}
