import STBus
import STContracts
import STEngine
import STFollowing
import STPlatform
import STStore

/// What members use on other machines of the household: rows of the ledger known by their machine, which count here too.
package struct ElsewhereUse: Sendable, Equatable {
    /// A stretch that is under way on another machine, or whose row has not come yet.
    struct Running: WireBody, Codable, Equatable {
        var segment: Segment
        /// Up to when it has counted, in the boot time of its machine.
        var countedBootMs: Int64
        /// Until when it is known to go on, in the boot time of this machine.
        var knownBootMs: Int64
        var bootId: String
        var isOpen: Bool

        /// True if another report describes the same interval, apart from its end and small corrections of the clock.
        func describes(_ other: Segment) -> Bool {
            var same = segment
            (same.endBootMs, same.startWallMs) = (other.endBootMs, other.startWallMs)
            (same.sequence, same.agent, same.run) = (other.sequence, other.agent, other.run)
            (same.zone, same.stepMs, same.knownBy) = (other.zone, other.stepMs, other.knownBy)
            return same == other && abs(segment.startWallMs - other.startWallMs) <= lateMs
        }
    }

    /// What goes on beside the use here, for the moment at which a common budget runs out.
    package struct Beside: Sendable, Equatable {
        var stretch: Stretch
        var knownBootMs: Int64
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

    /// So near to the end of a common budget, agents report every second: each machine then knows what the others have used.
    private static let nearMs: Int64 = 30_000
    private static let nearEveryMs: Int64 = 1_000
    /// Other machines say every half minute what goes on there.
    private static let lateMs: Int64 = 120_000
    private static let longestMs: Int64 = 31 * 86_400_000
    /// Upper bound on the intervals that are no longer under way and whose rows have not arrived.
    private static let restingMax = 1_000

    private var running: [String: Running] = [:]
    /// When the agent of each member was asked to report again.
    private var asked: [String: Int64] = [:]
    /// Whether link-service has come since the start: otherwise no other machine listens.
    private var isLinked = false

    init() {}

    init(_ database: Database) throws {
        // Rows: all, a few for each other machine.
        try database.query("SELECT running FROM elsewhere") {
            let found = try Running.decodedBody(try $0.blob(0))
            running[Self.key(found.segment)] = found
        }
    }

    private static func key(_ segment: Segment) -> String { "\(segment.device ?? "")/\(segment.segment)" }

    /// What is under way elsewhere and counts already, as far as it has counted.
    func stretches(of member: String) -> [Stretch] {
        running.sorted { $0.key < $1.key }.map(\.value).filter { $0.segment.member == member }.map {
            Stretch($0.segment, fromBootMs: $0.segment.startBootMs, toBootMs: $0.countedBootMs)
        }
    }

    /// What is under way elsewhere, as its machines said not long ago.
    func beside(_ member: String, bootId: String, nowBootMs: Int64) -> [Beside] {
        running.sorted { $0.key < $1.key }.map(\.value).filter {
            $0.isOpen && $0.segment.member == member && $0.segment.presence == .active && $0.bootId == bootId
                && nowBootMs - $0.knownBootMs <= SegmentOpened.lastsMs
        }
        .map { Beside(stretch: Stretch(endOf: $0.segment), knownBootMs: $0.knownBootMs) }
    }

    /// When the agent should report again, sooner where a common budget is nearly used up.
    mutating func checkAt(_ checkAt: Int64?, after last: Observation, isAlone: Bool) -> Int64? {
        var at = checkAt
        if !isAlone, let due = checkAt, due - last.bootMs < Self.nearMs {
            at = min(due, last.bootMs + Self.nearEveryMs)
        }
        asked[last.member] = at
        return at
    }

    /// Whether other machines wait to hear how far this member has come.
    func wantsNews(_ last: Observation) -> Bool {
        guard isLinked, let at = asked[last.member] else { return false }
        return last.bootMs >= at
    }

    // MARK: - Taking

    static var routes: [ServiceRoute<ActivityState>] {
        [
            .write(UsageElsewhere.self) { state, request, context, change in
                try ActivityRules.advance(&state, context, change)
                return try take(request, &state, context, change)
            },
            .write(UsageCopies.self) { state, request, _, change in
                try copies(request, &state, change)
            },
        ]
    }

    private static func take(
        _ request: UsageElsewhere.Request,
        _ state: inout ActivityState,
        _ context: RequestContext,
        _ change: StoreTransaction
    ) throws -> UsageElsewhere.Reply {
        try check(request, state)
        state.elsewhere.isLinked = true
        let test = ImportCheck(household: state.household, now: change.now, bootID: context.bootID)
        var reply = UsageElsewhere.Reply(added: 0, duplicates: 0)
        for device in request.devices { try know(device, test, &reply, &state, change) }
        let known = Set(state.devices.map(\.device))
        let rows = fitting(request.rows, of: known, test, &reply)
        for row in rows.map({ counted($0, state) }) {
            if try isThere(row, change.database) {
                reply.duplicates += 1
                continue
            }
            try close(row, &state, change)
            reply.added += 1
        }
        if reply.added > 0 { try LedgerTable.save(state.chain, change.database) }
        let fits = Set(fitting(request.open.map(\.segment), of: known, test, &reply).map { key($0) })
        let open = request.open
            .filter { fits.contains(key($0.segment)) && (0...longestMs).contains($0.agoMs) }
            .map { OpenStretch(segment: counted($0.segment, state), agoMs: $0.agoMs) }
        for each in open where try !isThere(each.segment, change.database) {
            try grow(each, &state, context, change)
        }
        try rest(besides: Set(open.map { key($0.segment) }), &state, change)
        return reply
    }

    /// A machine that there is no room for is put aside with what it tells.
    private static func know(
        _ device: HouseholdDeviceName,
        _ test: ImportCheck,
        _ reply: inout UsageElsewhere.Reply,
        _ state: inout ActivityState,
        _ change: StoreTransaction
    ) throws {
        // As a filter of an app sees it, this and all other computers are Macs.
        let known = ImportedDevice(device: device.device, name: device.name, model: .mac, importedAt: "")
        do {
            try test.check(known)
            try ImportedDeviceTable.know(known, &state, change)
        } catch let problem as Problem where problem.code.hasPrefix("usage.") {
            reply.why = problem
        }
    }

    /// Without those that cannot be true, which are put aside: one bad row must not keep all later ones waiting.
    private static func fitting(
        _ rows: [Segment],
        of devices: Set<String>,
        _ test: ImportCheck,
        _ reply: inout UsageElsewhere.Reply
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

    /// As the ledger of this machine keeps it: with the categories of this machine, because its rules are made of them.
    private static func counted(_ sent: Segment, _ state: ActivityState) -> Segment {
        var row = sent
        row.knownBy = .elsewhere
        row.category = state.categories.category(app: row.app, domain: row.domain) ?? row.category
        return row
    }

    private static func close(_ row: Segment, _ state: inout ActivityState, _ change: StoreTransaction) throws
    {
        let before = try counted(before: row, &state, change)
        if before != nil { try remove(row, &state, change.database) }
        let from = max(before?.countedBootMs ?? row.startBootMs, row.startBootMs)
        if from < row.endBootMs {
            try count(Stretch(row, fromBootMs: from, toBootMs: row.endBootMs), &state, change)
        } else if let before, before.countedBootMs > row.endBootMs {
            // Its machine has found out since that the person had left.
            try takeBack(before, fromBootMs: row.endBootMs, &state, change)
        }
        try LedgerTable.append(row, &state, change)
    }

    /// The entry of an interval, with the usage that it has counted.
    ///
    /// If the machine now describes another interval, removes the entry and the usage that it has counted. Otherwise the end
    /// of the interval could take back time that the entry never counted.
    private static func counted(
        before row: Segment,
        _ state: inout ActivityState,
        _ change: StoreTransaction
    ) throws -> Running? {
        guard let before = state.elsewhere.running[key(row)], !before.describes(row) else {
            return state.elsewhere.running[key(row)]
        }
        try takeBack(before, fromBootMs: before.segment.startBootMs, &state, change)
        try remove(row, &state, change.database)
        return nil
    }

    private static func takeBack(
        _ entry: Running,
        fromBootMs: Int64,
        _ state: inout ActivityState,
        _ change: StoreTransaction
    ) throws {
        let cut = max(fromBootMs, entry.segment.startBootMs)
        guard cut < entry.countedBootMs else { return }
        let stretch = Stretch(entry.segment, fromBootMs: cut, toBootMs: entry.countedBootMs)
        try ActivityRules.takeBack(stretch, &state, change)
    }

    private static func count(_ stretch: Stretch, _ state: inout ActivityState, _ change: StoreTransaction)
        throws
    {
        var stretch = stretch
        stretch.isLate = stretch.endWallMs < change.now.wallMs - lateMs
        try ActivityRules.count(stretch, &state, change)
    }

    private static func grow(
        _ open: OpenStretch,
        _ state: inout ActivityState,
        _ context: RequestContext,
        _ change: StoreTransaction
    ) throws {
        var segment = open.segment
        let before = try counted(before: segment, &state, change)
        // Keep the first start, so that usage is later taken back from the time of day at which it was counted.
        if let before { segment.startWallMs = before.segment.startWallMs }
        let from = max(before?.countedBootMs ?? segment.startBootMs, segment.startBootMs)
        if from < segment.endBootMs {
            try count(Stretch(segment, fromBootMs: from, toBootMs: segment.endBootMs), &state, change)
        }
        let running = Running(
            segment: segment,
            countedBootMs: max(from, segment.endBootMs),
            knownBootMs: change.now.bootMs - open.agoMs,
            bootId: context.bootID,
            isOpen: true
        )
        try put(running, &state, change.database)
    }

    /// What is not under way any more waits for its row.
    private static func rest(
        besides open: Set<String>,
        _ state: inout ActivityState,
        _ change: StoreTransaction
    )
        throws
    {
        for (name, entry) in state.elsewhere.running where !open.contains(name) {
            guard entry.isOpen else { continue }
            var closed = entry
            closed.isOpen = false
            try put(closed, &state, change.database)
        }
        let resting = state.elsewhere.running.filter { !$0.value.isOpen }
        guard resting.count > restingMax else { return }
        let oldest = resting.sorted {
            ($0.value.segment.startWallMs, $0.key) < ($1.value.segment.startWallMs, $1.key)
        }
        for (_, entry) in oldest.dropLast(restingMax) {
            try takeBack(entry, fromBootMs: entry.segment.startBootMs, &state, change)
            try remove(entry.segment, &state, change.database)
        }
    }

    private static func put(_ running: Running, _ state: inout ActivityState, _ database: Database) throws {
        state.elsewhere.running[key(running.segment)] = running
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

    private static func remove(_ segment: Segment, _ state: inout ActivityState, _ database: Database) throws
    {
        state.elsewhere.running[key(segment)] = nil
        try database.run(
            "DELETE FROM elsewhere WHERE device = ? AND segment = ?",
            [SQLValue(segment.device), .text(segment.segment)]
        )
    }

    private static func isThere(_ row: Segment, _ database: Database) throws -> Bool {
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

    /// A person has deleted it here.
    static func forget(_ row: Segment, _ database: Database) throws {
        guard row.knownBy == .elsewhere else { return }
        try database.run(
            "INSERT INTO elsewhere_forgotten (device, segment) VALUES (?, ?) ON CONFLICT DO NOTHING",
            [SQLValue(row.device), .text(row.segment)]
        )
    }

    /// Deletes what its own machine has not any more, and names the next rows of that machine.
    private static func copies(
        _ request: UsageCopies.Request,
        _ state: inout ActivityState,
        _ change: StoreTransaction
    ) throws -> UsageCopies.Reply {
        guard request.gone.count <= UsageCopies.rowsMax else {
            throw Problem(
                "usage.too_many_rows",
                "A request can have at most \(UsageCopies.rowsMax, "most") rows.",
                field: "/gone"
            )
        }
        let name = state.devices.first { $0.device == request.device }?.name ?? request.device
        try LedgerForget.forget(request.gone, of: request.device, named: name, &state, change)
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

    private static func check(_ request: UsageElsewhere.Request, _ state: ActivityState) throws {
        // A member who is not known yet is not one who does not exist.
        guard state.household.isWhole || request.rows.isEmpty && request.open.isEmpty else {
            throw Household.unsaid
        }
        guard request.rows.count <= UsageElsewhere.rowsMax, request.open.count <= UsageElsewhere.openMax
        else {
            throw Problem(
                "usage.too_many_rows",
                """
                A request can have at most \(UsageElsewhere.rowsMax, "most") rows and \
                \(UsageElsewhere.openMax, "most2") open intervals.
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
