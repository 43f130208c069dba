package import STContracts
package import STEngine
import STFollowing
import STPlatform
import STStore

/// The history of the whole system: what changed, who changed it, and what happened to Screen Time itself.
///
/// Each service publishes its lines on its own stream. All lines are stored here in one chain of hashes, and are never deleted.
package struct HistoryLog: Sendable, Equatable {
    static let migration = Migration(
        name: "history",
        sql: """
            CREATE TABLE history (
                row INTEGER PRIMARY KEY, line BLOB NOT NULL, link BLOB NOT NULL
            ) STRICT;
            -- What was lost, by source, stream and the last event that was promised.
            CREATE TABLE losses (
                loss TEXT PRIMARY KEY, row INTEGER NOT NULL, accepted INTEGER NOT NULL DEFAULT 0
            ) STRICT, WITHOUT ROWID;
            """
    )

    private static let headMark = "history_head"
    fileprivate static let asideMark = "clock_aside"
    private static let pageRows = 100

    private(set) var chain = LedgerChain()
    /// The losses that no person has accepted yet.
    package private(set) var losses: [HistoryLine] = []
    /// The amount by which the clock was set ahead, as the history last recorded it.
    fileprivate(set) var reportedAside = Duration.zero

    init() {}

    init(_ database: Database) throws {
        if let end = try Self.lastLink(database) { chain = end }
        reportedAside = .milliseconds(try MetaTable(database).place(Self.asideMark))
        losses = try database.query(
            // Rows: the open ones.
            """
            SELECT history.row, line FROM losses JOIN history ON history.row = losses.row WHERE accepted = 0
            ORDER BY losses.row
            """
        ) { try Self.line($0) }
    }

    private static func lastLink(_ database: Database) throws -> LedgerChain? {
        // Rows: one.
        try database.first("SELECT row, link FROM history ORDER BY row DESC LIMIT 1") {
            LedgerChain(row: try $0.int(0), link: try $0.blob(1))
        }
    }

    /// Returns the link of `row`, if it is given and exists, and the end of the chain.
    static func links(through row: Int64?, _ database: Database) throws -> [LedgerChain] {
        let before = try database.first("SELECT row, link FROM history WHERE row = ?", [SQLValue(row)]) {
            LedgerChain(row: try $0.int(0), link: try $0.blob(1))
        }
        return [before, try lastLink(database)].compactMap(\.self)
    }

    // MARK: - Writing

    /// Appends a line to the chain, and publishes it.
    mutating func append(_ line: HistoryLine, _ change: StoreTransaction) throws {
        if let loss = line.loss, line.what == .lost {
            // Each subscriber reports its losses, and reports them again after a restart.
            let isNew = try change.database.run(
                "INSERT INTO losses (loss, row) VALUES (?, ?) ON CONFLICT DO NOTHING",
                [.text(Self.key(loss)), .integer(chain.row + 1)]
            )
            guard isNew == 1 else { return }
        }
        var line = line
        line.row = chain.row + 1
        let bytes = try line.encodedBody()
        chain.append(content: bytes)
        try change.database.run(
            "INSERT INTO history (row, line, link) VALUES (?, ?, ?)",
            [.integer(chain.row), .blob(bytes), .blob(chain.link)]
        )
        try MetaTable(change.database).set(Self.headMark, mark)
        if line.what == .lost { losses.append(line) }
        try change.emitHistory(line)
    }

    /// Appends a line of another service.
    mutating func append(_ event: WireEvent, of service: ServiceName, _ change: StoreTransaction) throws {
        guard event.header.type == EventInfo(historyOf: service).type else { return }
        // A rebuild sends lines again that are already stored.
        let mark = "history/\(service)"
        let meta = MetaTable(change.database)
        let known = try meta.get(mark)?.split(separator: " ") ?? []
        if known.count == 2, known[0] == event.header.epoch, let last = Int64(known[1]),
            event.header.sequence <= last
        {
            return
        }
        try meta.set(mark, "\(event.header.epoch) \(event.header.sequence)")
        var line = try HistoryLine.decodedBody(event.body)
        line.service = service.rawValue
        try append(line, change)
    }

    private var mark: String { "\(chain.row) \(LedgerCheck.hex(chain.link))" }

    private static func key(_ loss: HistoryLoss) -> String {
        "\(loss.source) \(loss.stream) \(loss.promised) \(loss.promisedId ?? "")"
    }

    /// Accepts all losses. Returns their number.
    mutating func accept(why: String, by: String?, _ change: StoreTransaction) throws -> Int64 {
        let count = Int64(losses.count)
        guard count > 0 else { return 0 }
        try change.database.run("UPDATE losses SET accepted = 1 WHERE accepted = 0")
        losses = []
        try append(change.stamped(HistoryLine(.lossAccepted, by: by, why: Message(verbatim: why))), change)
        return count
    }

    /// Returns true if the clock was set, or synchronised again, since the history last recorded it.
    package func needsClockLine(aside: Duration) -> Bool {
        // Two clocks that are read one after the other sometimes differ by a millisecond.
        abs((aside - reportedAside).ms) > 1_000 || (aside == .zero) != (reportedAside == .zero)
    }

    // MARK: - Reading

    static func page(_ request: HistoryList.Request, state: ActivityState, database: Database) throws
        -> HistoryList.Reply
    {
        if let limit = request.limit, limit < 1 {
            throw Problem(
                "body.invalid",
                "The limit must be at least 1.",
                key: "body.invalid.a-limit-is",
                field: "/limit"
            )
        }
        if let member = request.member { _ = try state.household.member(member) }
        let limit = Int(min(request.limit ?? Int64(pageRows), Int64(pageRows)))
        var before = Int64.max
        if let next = request.next {
            guard let row = Int64(next), row > 0 else {
                throw Problem(
                    "page.invalid",
                    "Send `next` exactly as it was in the reply.",
                    field: "/next"
                )
            }
            before = row
        }
        var lines: [HistoryLine] = []
        var bytes = 0
        try database.scan(
            // Rows: a page; of one member, as many as others have in between.
            "SELECT row, line FROM history WHERE row < ? ORDER BY row DESC",
            [.integer(before)]
        ) { row in
            var line = try Self.line(row)
            guard request.member == nil || line.member == request.member || line.what == .unreadable else {
                return true
            }
            // A line that cannot be read is not newer than the line after it.
            if line.what == .unreadable { line.wallMs = lines.last?.wallMs ?? 0 }
            lines.append(line)
            bytes += try row.blob(1).count
            return lines.count < limit && bytes < BusLimits.pageBytes
        }
        let isFull = lines.count == limit || bytes >= BusLimits.pageBytes
        let next = isFull ? lines.last?.row : nil
        return HistoryList.Reply(
            lines: lines,
            losses: state.history.losses,
            next: next.flatMap { $0 > 1 ? String($0) : nil }
        )
    }

    /// Reads a line. A damaged line does not prevent people from reading the others. `fault` returns where the chain is broken.
    private static func line(_ row: borrowing Row) throws -> HistoryLine {
        let known = try? HistoryLine.decodedBody(try row.blob(1))
        var line = known ?? HistoryLine(service: ServiceName.activity.rawValue, .unreadable)
        line.row = try row.int(0)
        return line
    }

    /// Returns the first fault of the chain, or nil if every line is unchanged.
    static func fault(_ database: Database) throws -> LedgerFault? {
        var chain = LedgerChain()
        var broken: Int64?
        try database.scan(
            // Rows: all, for a person who checks them.
            "SELECT row, line, link FROM history ORDER BY row"
        ) { row in
            let number = try row.int(0)
            guard number == chain.row + 1 else {
                broken = chain.row + 1
                return false
            }
            chain.append(content: try row.blob(1))
            if try row.blob(2) != chain.link { broken = number }
            return broken == nil
        }
        if let broken {
            return LedgerFault(
                row: broken,
                reason: .chainBroken,
                text: Message(
                    "ledger.history-changed",
                    "Line \(broken, "row") of the history was changed or removed after it was written."
                )
            )
        }
        let promised = try MetaTable(database).get(headMark) ?? "0"
        guard let row = Int64(promised.prefix { $0 != " " }), row > chain.row else { return nil }
        return LedgerFault(
            row: chain.row + 1,
            reason: .rowMissing,
            text: Message(
                "ledger.history-missing",
                "Line \(chain.row + 1, "row") of the history is missing. Lines recorded: \(row, "count")."
            )
        )
    }
}

/// History lines about Screen Time itself.
package enum HistorySteps {
    private static let aliveMark = "alive"
    private static let configurationMark = "configuration"

    /// Records the start of Screen Time. Also records for how long it did not run while the machine ran, and which settings have
    /// changed since the last start.
    package static func started(
        _ configuration: [String: String],
        state: inout ActivityState,
        context: RequestContext,
        change: StoreTransaction
    )
        throws
    {
        let database = change.database
        var line = HistoryLine(.started)
        if let last = try lastAlive(state, bootID: context.bootID, database: database) {
            line.lengthMs = max(0, (context.now.boot - last.boot).ms)
            line.before = Message(verbatim: last.wasStopped ? "stopped" : "ended without being stopped")
        }
        try state.history.append(change.stamped(line), change)
        try compare(configuration, state: &state, change: change)
        try alive("running", context: context, database: database)
    }

    private static func compare(
        _ configuration: [String: String],
        state: inout ActivityState,
        change: StoreTransaction
    ) throws {
        let meta = MetaTable(change.database)
        let text = configuration.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            .joined(separator: "\n")
        guard let before = try meta.get(configurationMark) else {
            return try meta.set(configurationMark, text)
        }
        let pairs = before.split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1) }
        let known = Dictionary(pairs.map { (String($0[0]), String($0.count > 1 ? $0[1] : "")) }) { $1 }
        for key in Set(known.keys).union(configuration.keys).sorted() where known[key] != configuration[key] {
            let line = HistoryLine(
                .configuration,
                about: key,
                before: value(known[key]),
                after: value(configuration[key])
            )
            try state.history.append(change.stamped(line), change)
        }
        try meta.set(configurationMark, text)
    }

    private static func value(_ text: String?) -> Message {
        text.map { Message(verbatim: $0) } ?? Message("history.the-default", "the default")
    }

    package static func stopped(
        _ state: inout ActivityState,
        context: RequestContext,
        change: StoreTransaction
    )
        throws
    {
        try state.history.append(change.stamped(HistoryLine(.stopped)), change)
        try alive("stopped", context: context, database: change.database)
    }

    /// Records that the clock was set, or is synchronised again.
    package static func clock(aside: Duration, _ state: inout ActivityState, _ change: StoreTransaction)
        throws
    {
        guard state.history.needsClockLine(aside: aside) else { return }
        state.history.reportedAside = aside
        try MetaTable(change.database).set(HistoryLog.asideMark, String(aside.ms))
        let line = aside == .zero ? HistoryLine(.clockFollowed) : HistoryLine(.clockSet, lengthMs: aside.ms)
        try state.history.append(change.stamped(line), change)
    }

    private static func alive(_ how: String, context: RequestContext, database: Database) throws {
        try MetaTable(database).set(aliveMark, "\(context.bootID) \(context.now.bootMs) \(how)")
    }

    /// Returns the last recorded moment of this boot at which Screen Time ran. `wasStopped` is true if it was stopped then.
    private static func lastAlive(_ state: ActivityState, bootID: String, database: Database) throws
        -> (boot: BootTime, wasStopped: Bool)?
    {
        let mark = try MetaTable(database).get(aliveMark)?.split(separator: " ").map(String.init) ?? []
        guard mark.count == 3, mark[0] == bootID, let markedMs = Int64(mark[1]) else { return nil }
        if mark[2] == "stopped" { return (BootTime(ms: markedMs), true) }
        let seenMs = state.timelines.values.flatMap(\.open).filter { $0.bootId == bootID }.map(\.endBootMs)
        return (BootTime(ms: max(markedMs, seenMs.max() ?? 0)), false)
    }
}
