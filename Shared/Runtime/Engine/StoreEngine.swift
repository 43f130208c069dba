import STBus
package import STContracts
package import STPlatform
package import STStore

/// The half of a service that lives on the database's thread: it owns the state.
///
/// Neighbouring writes share one commit, each in a savepoint of its own, so that a sync of the disk is paid for once
/// and one refused request undoes nothing of its neighbours. State is a value: it is put back when a write fails.
package final class StoreEngine<State: Sendable> {
    let definition: ServiceDefinition<State>
    let routes: [String: ServiceRoute<State>]
    let database: Database
    let log: EventLog
    let cursors: CursorTable
    let idempotency: IdempotencyTable
    let source: String
    let time: any TimeSource
    let faults: FaultPoints
    let bootMs: @Sendable () -> Int64
    package internal(set) var state: State
    var writesUntilPurge = 0
    var eventsUntilTrim = 0

    static var purgeEvery: Int { 1_000 }
    static var purgeRows: Int { 2_000 }

    /// Opens, migrates and loads.
    ///
    /// `source` is `/<device>/<service>`.
    package init(
        _ definition: ServiceDefinition<State>,
        database: Database,
        source: String,
        time: any TimeSource,
        faults: FaultPoints = .none,
        bootMs: @escaping @Sendable () -> Int64 = Stopwatch.bootMilliseconds
    ) throws {
        self.definition = definition
        self.database = database
        self.source = source
        self.time = time
        self.faults = faults
        self.bootMs = bootMs
        routes = CommonRoutes.byName(with: definition, source: source)
        try database.migrate(StoreMigrations.base + definition.migrations)
        log = EventLog(database)
        cursors = CursorTable(database)
        idempotency = IdempotencyTable(database)
        try log.open(streams: definition.streams.map(\.rawValue))
        state = try definition.load(database)
        var loaded = state
        let now = time.now()
        try database.transaction {
            let change = transaction(cause: nil, trace: nil, now: now)
            try definition.begin(&loaded, change)
            try change.finish()
            _ = try idempotency.purge(nowMs: now.wallMs, limit: Self.purgeRows)
        }
        state = loaded
        if try MetaTable(database).get(StoreTransaction.scrubMark) != nil { _ = scrub() }
    }

    package func heads() throws -> [StreamPoint] { try log.heads().map { StreamPoint($0) } }

    /// Where each subscription stands, in the order of the definition.
    package func cursor(of subscription: Int) throws -> StreamPoint? {
        let followed = definition.subscriptions[subscription]
        guard
            let position = try cursors.get(
                source: followed.source.rawValue,
                stream: followed.stream.rawValue
            ),
            !position.epoch.isEmpty
        else { return nil }
        return StreamPoint(
            stream: followed.stream.rawValue,
            epoch: position.epoch,
            sequence: position.sequence,
            id: position.id
        )
    }

    /// Whether the last run ended in the middle of a rebuild, so that what is stored is a part of a snapshot.
    package func isRebuilding(_ subscription: Int) throws -> Bool {
        let followed = definition.subscriptions[subscription]
        let position = try cursors.get(source: followed.source.rawValue, stream: followed.stream.rawValue)
        return position?.epoch.isEmpty ?? false
    }

    package func close() throws { try database.close() }

    /// Whether there is something to tidy up, which `rest` does; it takes some syncs of the disk.
    package var needsRest: Bool { database.needsRest }

    package func rest() { database.rest() }

    // MARK: - A turn

    package func run(_ jobs: [StoreJob]) -> StoreBatch<State> {
        var batch = StoreBatch(state: state)
        var group: [StoreJob] = []
        for job in jobs {
            if isQuery(job) {
                // A query sees what was answered before it, never what may yet be rolled back.
                commit(group, into: &batch)
                group = []
                query(job, into: &batch)
            } else {
                group.append(job)
            }
        }
        commit(group, into: &batch)
        batch.state = state
        trim(after: batch.events.count)
        if !batch.events.isEmpty { batch.heads = (try? heads()) ?? [] }
        return batch
    }

    func isQuery(_ job: StoreJob) -> Bool {
        guard case .request(let request, _) = job, case .query = routes[request.header.route]?.work else {
            return false
        }
        return true
    }

    func query(_ job: StoreJob, into batch: inout StoreBatch<State>) {
        guard case .request(let request, let peer) = job,
            case .query(let handler) = routes[request.header.route]?.work
        else { return }
        do {
            try requireInTime(request)
            let context = RequestContext(request, time: time)
            let body = try handler(state, request.body, context, database)
            batch.results.append(.reply(request, peer: peer, body: body, repeated: false))
        } catch {
            batch.results.append(.refused(request, peer: peer, Self.problem(error)))
        }
    }

    func commit(_ group: [StoreJob], into batch: inout StoreBatch<State>) {
        guard !group.isEmpty else { return }
        let before = state
        let start = Stopwatch.nanoseconds()
        var part = StoreBatch(state: state)
        do {
            try database.transaction {
                for job in group { part.results.append(write(job, into: &part)) }
                faults.hit(.beforeCommit)
            }
            faults.hit(.afterCommit)
            batch.results += part.results
            batch.events += part.events
            batch.skipped += part.skipped
            tidy(after: part, into: &batch)
            if part.results.contains(where: \.isKept) { batch.hasChanged = true }
        } catch {
            // Nothing of the group was kept, so nobody in it is told otherwise.
            state = before
            let problem = Self.problem(error)
            batch.results += group.map { Self.failure(of: $0, problem) }
        }
        batch.commitStartNs = start
        batch.commitEndNs = Stopwatch.nanoseconds()
    }

    func write(_ job: StoreJob, into part: inout StoreBatch<State>) -> StoreResult {
        do {
            return try attempt(job, into: &part, isCareful: false)
        } catch let problem as Problem where problem.code.hasPrefix("body.") && job.isApply {
            // One of the events cannot be read: once more, each on its own, so that the others are not lost with it.
            do {
                return try attempt(job, into: &part, isCareful: true)
            } catch {
                return Self.failure(of: job, Self.problem(error))
            }
        } catch {
            return Self.failure(of: job, Self.problem(error))
        }
    }

    func attempt(
        _ job: StoreJob,
        into part: inout StoreBatch<State>,
        isCareful: Bool
    ) throws -> StoreResult {
        let before = state
        let told = (events: part.events.count, skipped: part.skipped.count)
        do {
            return try database.savepoint {
                switch job {
                case .request(let request, let peer): return try answer(request, peer, into: &part)
                case .apply(let index, let events):
                    try apply(events, index, into: &part, isCareful: isCareful)
                    try moveCursor(index, events.last)
                    return .applied(subscription: index, events)
                case .applySnapshot(let index, let events, let isFirst, let cursor):
                    if isFirst { try reset(index, into: &part) }
                    try apply(events, index, into: &part, isCareful: isCareful)
                    if let cursor {
                        try setCursor(index, cursor)
                        // What is no longer in the snapshot may be what somebody had forgotten.
                        part.wantsEmptyLog = true
                    }
                    return .applied(subscription: index, events)
                case .reached(let index):
                    definition.subscriptions[index].reached?(&state)
                    return .reached
                }
            }
        } catch {
            // With the rows goes everything said about them: an event that was undone must not be published.
            state = before
            part.events.removeLast(part.events.count - told.events)
            part.skipped.removeLast(part.skipped.count - told.skipped)
            throw error
        }
    }

    // MARK: - Small things

    func transaction(cause: String?, trace: TraceContext?, now: TimeReading) -> StoreTransaction {
        StoreTransaction(
            database: database,
            log: log,
            source: source,
            now: now,
            cause: cause,
            trace: trace
        )
    }

    static func failure(of job: StoreJob, _ problem: Problem) -> StoreResult {
        switch job {
        case .request(let request, let peer): .refused(request, peer: peer, problem)
        case .apply(let index, _), .applySnapshot(let index, _, _, _):
            .applyFailed(subscription: index, problem)
        case .reached: .reached
        }
    }

    static func problem(_ error: any Error) -> Problem {
        (error as? Problem) ?? Problem("internal", "\(error)")
    }

    /// FNV-1a over the body: to notice a key used twice, not to withstand an attacker.
    static func digest(_ bytes: [UInt8]) -> Int64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return Int64(bitPattern: hash)
    }
}
