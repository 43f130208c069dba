package import STBus
package import STContracts
package import STPlatform
package import STStore

/// The half of a service that runs on the database's thread. It owns the state.
/// Neighbouring writes share one commit and one sync of the disk. Each has its own savepoint, so a refused request undoes only its
/// own changes. The state is a value, and is restored if a write fails.
///
/// ```swift
/// let store = try StoreEngine(definition, database: database, source: "/laptop/notebook", time: time)
/// let results = store.run([.request(request, peer: peer)]).results
/// ```
package final class StoreEngine<State: Sendable> {
    private let definition: ServiceDefinition<State>
    private let routes: [String: ServiceRoute<State>]
    private let database: Database
    private let log: EventLog
    private var cursors: StreamCursors
    private let idempotency: IdempotencyTable
    private let source: String
    private let time: any TimeSource
    private let faults: FaultPoints
    private let bootMs: @Sendable () -> Int64
    package private(set) var state: State
    private var writesUntilPurge = 0
    private var eventsUntilTrim = 0
    /// True if SQLite has found a part of the file that cannot be right.
    private var isDamaged = false

    private static var purgeEvery: Int { 1_000 }
    private static var purgeRows: Int { 2_000 }

    /// Opens, migrates and loads the database.
    ///
    /// `source` is `/<device>/<service>`. `news` is added to the history. `isUpgrading` is called with the progress of converting
    /// rows of an earlier version.
    package init(
        _ definition: ServiceDefinition<State>,
        database: Database,
        source: String,
        time: any TimeSource,
        faults: FaultPoints = .none,
        bootMs: @escaping @Sendable () -> Int64 = Stopwatch.bootMilliseconds,
        news: [HistoryLine] = [],
        isUpgrading: (StartProgress) -> Void = { _ in }
    ) throws {
        self.definition = definition
        self.database = database
        self.source = source
        self.time = time
        self.faults = faults
        self.bootMs = bootMs
        routes = CommonRoutes.byName(with: definition, source: source)
        // A service that rebuilds its data from others has nothing that could be missed.
        let isFirst = definition.quarantine == nil && !definition.isRebuilt
        let isNew = try isFirst && database.schemaVersion() == 0
        try database.migrate(StoreMigrations.base + definition.migrations)
        if database.isRestored {
            // Read the streams of other services again, including the events that they have published since the backup.
            try database.transaction { try database.run("DELETE FROM cursors") }
        }
        log = definition.log(database)
        cursors = StreamCursors(
            database,
            definition.subscriptions.map { ($0.source.rawValue, $0.stream.rawValue) }
        )
        idempotency = IdempotencyTable(database)
        try log.open(streams: definition.streams.map(\.rawValue))
        while let progress = try database.transaction({ try definition.upgrade(database) }) {
            isUpgrading(progress)
        }
        state = try definition.load(database)
        var loaded = state
        let now = time.now()
        try database.transaction {
            let change = transaction(cause: nil, trace: nil, now: now)
            try definition.begin(&loaded, change)
            if isNew { try remember(HistoryLine(.begun), state: &loaded, change: change) }
            for line in news { try remember(line, state: &loaded, change: change) }
            if database.isChanged { try remember(HistoryLine(.fileChanged), state: &loaded, change: change) }
            if database.isRestored { try remember(HistoryLine(.restored), state: &loaded, change: change) }
            if try MetaTable(database).get(Self.savedKey) != nil {
                try MetaTable(database).set(Self.savedKey, nil)
                try remember(HistoryLine(.fileSaved), state: &loaded, change: change)
            }
            try change.finish()
            try definition.save(&loaded, database)
            _ = try idempotency.purge(nowMs: now.wallMs, limit: Self.purgeRows)
        }
        state = loaded
        database.beforeCommit = { [unowned self] in
            try definition.save(&state, database)
            try cursors.save()
        }
        while let progress = try database.transaction({ try expire() }) { isUpgrading(progress) }
        // Shrinking can wait, because it needs room on the disk for a copy of the remaining data.
        try? database.shrink()
        if try MetaTable(database).get(StoreTransaction.scrubMark) != nil { _ = scrub() }
    }

    package func heads() throws -> [StreamPoint] { try log.heads().map { StreamPoint($0) } }

    /// Returns the saved cursor of a subscription. The parameter is its index in the definition.
    package func cursor(of subscription: Int) throws -> StreamPoint? {
        guard let position = try cursors.savedPosition(subscription), !position.epoch.isEmpty else {
            return nil
        }
        return StreamPoint(
            stream: definition.subscriptions[subscription].stream.rawValue,
            epoch: position.epoch,
            sequence: position.sequence,
            id: position.id
        )
    }

    /// Returns true if the last run ended during a rebuild, so that only a part of a snapshot is stored.
    package func isRebuilding(_ subscription: Int) throws -> Bool {
        try cursors.savedPosition(subscription)?.epoch.isEmpty ?? false
    }

    package func close() throws {
        saveCursors()
        try database.close()
    }

    /// The harm that was done to the file, by another program or by damage that SQLite has found.
    package var damage: Database.Harm? { isDamaged ? .damaged : database.findDamage() }

    package var path: String { database.path }

    /// Saves the data that is still accessible through the open connection. The process must end afterwards, and the next one
    /// continues.
    package func save() throws {
        try database.transaction { try MetaTable(database).set(Self.savedKey, "saved") }
        try database.save()
    }

    private static var savedKey: String { "saved" }

    /// True if `rest` has something to tidy up. That takes some syncs of the disk.
    package var needsCheckpoint: Bool { database.needsCheckpoint || cursors.hasUnsaved }

    package func checkpoint() {
        saveCursors()
        database.checkpointIfIdle()
    }

    private func saveCursors() {
        guard cursors.hasUnsaved else { return }
        let before = cursors
        do {
            try database.transaction { try cursors.save(mustSave: true) }
            cursors.committed()
        } catch {
            // The next commit saves the cursors. If the service crashes before that, it applies their events again.
            cursors = before
        }
    }

    // MARK: - A turn

    package func run(_ jobs: [StoreJob]) -> StoreBatch<State> {
        var batch = StoreBatch(state: state)
        var group: [StoreJob] = []
        for job in jobs {
            if isQuery(job) {
                // A query sees the results of earlier requests, and never a change that may still be rolled back.
                commit(group, into: &batch)
                group = []
                query(job, into: &batch)
            } else {
                group.append(job)
            }
        }
        commit(group, into: &batch)
        batch.state = state
        if batch.results.contains(where: { $0.problem?.code == StoreProblem.damaged }) { isDamaged = true }
        trim(after: batch.events.count)
        if !batch.events.isEmpty { batch.heads = (try? heads()) ?? [] }
        return batch
    }

    /// Runs one step immediately, for a caller on this thread: simulations within one process, and tests.
    package func step<Value: Sendable>(
        _ request: AdmittedRequest,
        _ work: @escaping InternalStep<State>.Change<Value>
    )
        throws -> (value: Value, events: [WireEvent])
    {
        let settled = Settled<Value>()
        let batch = run([.step(InternalStep<State>.change(request, work) { settled.result = $0 }.job)])
        guard case .stepped(let step, let problem) = batch.results.first else {
            throw EngineProblem.notCommitted
        }
        step.complete(problem)
        guard let result = settled.result else { throw EngineProblem.notCommitted }
        return (try result.get(), batch.events)
    }

    /// Reads immediately, for the same callers.
    package func read<Value>(_ request: AdmittedRequest, _ work: InternalStep<State>.ReadWork<Value>) throws
        -> Value
    {
        try work(state, RequestContext(request, time: time), database)
    }

    /// The result of such a step.
    private final class Settled<Value: Sendable>: @unchecked Sendable {
        // @unchecked: `step` sets it and reads it within one call on one thread.
        var result: Result<Value, Problem>?
    }

    private func isQuery(_ job: StoreJob) -> Bool {
        switch job {
        case .request(let request, _):
            if case .query = routes[request.header.route]?.work { true } else { false }
        case .step(let step): !step.isChange
        case .apply, .applySnapshot, .reached, .lost: false
        }
    }

    private func query(_ job: StoreJob, into batch: inout StoreBatch<State>) {
        do {
            switch job {
            case .request(let request, let peer):
                guard case .query(let handler) = routes[request.header.route]?.work else { return }
                try requireInTime(request)
                let body = try handler(state, request.body, RequestContext(request, time: time), database)
                batch.results.append(.reply(request, peer: peer, body: body, repeated: false))
            case .step(let job):
                guard case .look(let work) = try ownStep(job).work else { return }
                try work(state, RequestContext(job.request, time: time), database)
                batch.results.append(.stepped(job, nil))
            case .apply, .applySnapshot, .reached, .lost: return
            }
        } catch {
            batch.results.append(Self.failure(of: job, Problem(error)))
        }
    }

    private func commit(_ group: [StoreJob], into batch: inout StoreBatch<State>) {
        guard !group.isEmpty else { return }
        let before = (state, cursors)
        let (rows, start) = (database.changedRows, Stopwatch.nanoseconds())
        var part = StoreBatch(state: state)
        do {
            try database.transaction {
                if group.count == 1, !group[0].isApply {
                    // If it fails, the whole transaction is undone, so it needs no savepoint.
                    part.results.append(try perform(group[0], into: &part))
                } else {
                    for job in group { part.results.append(write(job, into: &part)) }
                }
                faults.hit(.beforeCommit)
            }
            faults.hit(.afterCommit)
            cursors.committed()
            if database.changedRows != rows { batch.hasWritten = true }
            batch.results += part.results
            batch.events += part.events
            batch.skipped += part.skipped
            maintain(after: part, into: &batch)
            if part.results.contains(where: \.isKept) { batch.hasChanged = true }
        } catch {
            // Nothing of the group was kept.
            (state, cursors) = before
            let problem = Problem(error)
            // One of them cannot be written. Run each one by itself, so that the others do not fail with it.
            if group.count > 1, StoreProblem.isCausedByRequest(problem) {
                for job in group { commit([job], into: &batch) }
                return
            }
            batch.results += group.map { Self.failure(of: $0, problem) }
        }
        batch.commitStartNs = start
        batch.commitEndNs = Stopwatch.nanoseconds()
    }

    private func write(_ job: StoreJob, into part: inout StoreBatch<State>) -> StoreResult {
        do {
            return try attempt(job, into: &part, isCareful: false)
        } catch let problem as Problem where problem.code.hasPrefix("body.") && job.isApply {
            // One of the events cannot be read. Try again with each one on its own, so that the others are not lost with it.
            do {
                return try attempt(job, into: &part, isCareful: true)
            } catch {
                return Self.failure(of: job, Problem(error))
            }
        } catch {
            return Self.failure(of: job, Problem(error))
        }
    }

    private func attempt(
        _ job: StoreJob,
        into part: inout StoreBatch<State>,
        isCareful: Bool
    ) throws -> StoreResult {
        let before = (state, cursors)
        let told = (events: part.events.count, skipped: part.skipped.count)
        do {
            return try database.savepoint { try perform(job, into: &part, isCareful: isCareful) }
        } catch {
            // The events of rows that were undone must not be published.
            (state, cursors) = before
            part.events.removeLast(part.events.count - told.events)
            part.skipped.removeLast(part.skipped.count - told.skipped)
            throw error
        }
    }

    private func perform(_ job: StoreJob, into part: inout StoreBatch<State>, isCareful: Bool = false) throws
        -> StoreResult
    {
        switch job {
        case .request(let request, let peer): return try handle(request, peer, into: &part)
        case .step(let step): return try execute(step, into: &part)
        case .apply(let index, let events):
            try apply(events, index, into: &part, isCareful: isCareful)
            cursors.advance(index, past: events)
            return .applied(subscription: index, events)
        case .applySnapshot(let index, let events, let isFirst, let cursor):
            if isFirst { try reset(index, into: &part) }
            try apply(events, index, into: &part, isCareful: isCareful, isRebuilt: cursor != nil)
            if let cursor {
                try cursors.set(
                    index,
                    StreamPosition(epoch: cursor.epoch, sequence: cursor.sequence, id: cursor.id)
                )
                // A person may have deleted the records that the snapshot lacks.
                part.needsEmptyLog = true
            }
            return .applied(subscription: index, events)
        case .reached(let index):
            definition.subscriptions[index].didCatchUp?(&state)
            return .reached
        case .lost(let loss):
            let change = transaction(cause: nil, trace: nil, now: time.now())
            try remember(HistoryLine(.lost, about: loss.source, loss: loss), state: &state, change: change)
            try finish(change, into: &part)
            return .recorded
        }
    }

    // MARK: - Helpers

    private func transaction(cause: String?, trace: TraceContext?, now: TimeReading) -> StoreTransaction {
        StoreTransaction(
            database: database,
            log: log,
            service: definition.name,
            source: source,
            now: now,
            bootID: time.bootID,
            cause: cause,
            trace: trace
        )
    }

    private static func failure(of job: StoreJob, _ problem: Problem) -> StoreResult {
        switch job {
        case .request(let request, let peer): .refused(request, peer: peer, problem)
        case .step(let step): .stepped(step, problem)
        case .apply(let index, _), .applySnapshot(let index, _, _, _):
            .applyFailed(subscription: index, problem)
        case .reached: .reached
        case .lost: .recorded
        }
    }

    private func remember(_ line: HistoryLine, state: inout State, change: StoreTransaction) throws {
        guard let remember = definition.recordHistory else { return try change.recordHistory(line) }
        try remember(change.stamped(line), &state, change)
    }

    // Requests that write, each of which takes effect once.

    private func handle(
        _ request: AdmittedRequest,
        _ peer: [UInt8],
        into part: inout StoreBatch<State>
    ) throws -> StoreResult {
        guard case .write(let handler) = routes[request.header.route]?.work else {
            throw Problem(
                "internal",
                "\(request.header.route, "route") is not a write request.",
                key: "internal.write"
            )
        }
        try requireInTime(request)
        let now = time.now()
        if let kept = try storedReply(request, now) {
            return .reply(request, peer: peer, body: kept, repeated: true)
        }
        let change = transaction(cause: request.header.id, trace: request.trace, now: now)
        let context = RequestContext(request, time: time)
        let body = try handler(&state, request.body, context, change)
        guard body.count <= BusLimits.replyBodyBytes else {
            throw EngineProblem.replyTooLarge
        }
        try storeReply(body, for: request, now)
        try finish(change, into: &part)
        return .reply(request, peer: peer, body: body, repeated: false)
    }

    private func execute(_ job: StepJob, into part: inout StoreBatch<State>) throws -> StoreResult {
        guard case .change(let work) = try ownStep(job).work else { return .stepped(job, nil) }
        let change = transaction(cause: job.request.header.id, trace: job.request.trace, now: time.now())
        try work(&state, RequestContext(job.request, time: time), change)
        try finish(change, into: &part)
        return .stepped(job, nil)
    }

    private func ownStep(_ job: StepJob) throws -> InternalStep<State> {
        guard let step = job.step as? InternalStep<State> else {
            throw Problem(
                "internal",
                "\(job.request.header.route, "route") is not an internal step.",
                key: "internal.no-step"
            )
        }
        return step
    }

    /// Saves the heads of the streams, and passes on the published events.
    private func finish(_ change: StoreTransaction, into part: inout StoreBatch<State>) throws {
        try change.finish()
        part.events += change.published
        if change.needsScrub { part.needsScrub = true }
    }

    private func requireInTime(_ request: AdmittedRequest) throws {
        guard request.isExpired(now: BootTime(ms: bootMs())) else { return }
        throw EngineProblem.deadlinePassed
    }

    private func storedReply(_ request: AdmittedRequest, _ now: TimeReading) throws -> [UInt8]? {
        guard let key = request.header.idempotencyKey,
            let kept = try idempotency.lookup(
                principal: request.account,
                key: key,
                nowMs: now.wallMs
            )
        else { return nil }
        guard kept.route == request.header.route, kept.requestDigest == digest(of: request) else {
            throw Problem(
                "idempotency.key_reused",
                "This idempotency key was used for another request. Use a new key for each new request.",
                field: "/idempotency_key"
            )
        }
        return kept.body
    }

    private func storeReply(_ body: [UInt8], for request: AdmittedRequest, _ now: TimeReading) throws {
        // A secret is not stored: only the caller keeps it.
        guard let key = request.header.idempotencyKey, routes[request.header.route]?.info.keepsNoReply != true
        else { return }
        let reply = IdempotentReply(
            route: request.header.route,
            requestDigest: digest(of: request),
            body: body,
            expiresMs: now.wallMs + BusLimits.idempotencyKeepMs
        )
        try idempotency.store(principal: request.account, key: key, reply, nowMs: now.wallMs)
        writesUntilPurge -= 1
        if writesUntilPurge < 0 {
            writesUntilPurge = Self.purgeEvery
            _ = try idempotency.purge(nowMs: now.wallMs, limit: Self.purgeRows)
        }
    }

    /// Returns a digest of the request without its passcodes, because they could be guessed even from a digest.
    private func digest(of request: AdmittedRequest) -> Int64 {
        var body = request.body
        let secrets = ["passcode", "proof", "code"]
        // Few of the long bodies contain a secret, and parsing all of them would cost more than the rest of the request.
        if routes[request.header.route]?.info.isConfidential == true,
            secrets.contains(where: { Self.mentions($0, body) })
        {
            guard case .object(var members)? = try? JSONValue(text: body) else { return 0 }
            for secret in secrets { members[secret] = nil }
            body = []
            JSONValue.append(members, to: &body)
        }
        return Int64(bitPattern: Fingerprint(body).value)
    }

    private static func mentions(_ word: String, _ body: [UInt8]) -> Bool {
        let quoted = Array("\"\(word)\"".utf8)
        return body.indices.contains { body[$0] == quoted[0] && body[$0...].starts(with: quoted) }
    }

    // Events of other services.

    /// Applies events in order.
    ///
    /// `isCareful`: each event has its own savepoint, so that one that cannot be read can be skipped. This costs time, so it is
    /// used only if there is such an event.
    private func apply(
        _ events: [WireEvent],
        _ index: Int,
        into part: inout StoreBatch<State>,
        isCareful: Bool,
        isRebuilt: Bool = false
    ) throws {
        let change = transaction(cause: nil, trace: nil, now: time.now())
        for event in events {
            change.beginEvent(to: event)
            guard isCareful else {
                try definition.subscriptions[index].apply(&state, event, change)
                continue
            }
            let before = state
            let place = change.checkpoint
            do {
                try database.savepoint { try definition.subscriptions[index].apply(&state, event, change) }
            } catch let problem as Problem where problem.code.hasPrefix("body.") {
                // An event that cannot be read now can never be read. Waiting for it would stop the stream permanently. The changes
                // that it made before it became unreadable are undone.
                state = before
                change.rollBack(to: place)
                part.skipped.append((event, problem))
            }
        }
        try definition.subscriptions[index].didApply?(&state, change)
        // A skipped event may have named something that `rebuilt` would discard.
        if isRebuilt, part.skipped.isEmpty { try definition.subscriptions[index].didRebuild?(&state, change) }
        try finish(change, into: &part)
    }

    private func reset(_ index: Int, into part: inout StoreBatch<State>) throws {
        let change = transaction(cause: nil, trace: nil, now: time.now())
        try definition.subscriptions[index].reset(&state, change)
        try finish(change, into: &part)
        // Until the last page is applied, the cursor's epoch is empty. A restart repeats the rebuild.
        try cursors.set(index, StreamPosition(epoch: "", sequence: 0))
    }

    // Removal of deleted data from the file.

    private func maintain(after part: StoreBatch<State>, into batch: inout StoreBatch<State>) {
        if part.needsScrub {
            batch.warnings += scrub()
        } else if part.needsEmptyLog {
            // It can wait: if it fails, the next checkpoint does the same.
            try? database.emptyLog()
        }
    }

    /// Removes deleted data from the file. If it fails, for example on a full disk, the next start repeats it.
    private func scrub() -> [(name: StaticString, problem: Problem)] {
        do {
            try database.scrub()
            try database.transaction { try MetaTable(database).set(StoreTransaction.scrubMark, nil) }
            return []
        } catch {
            return [("scrub_failed", Problem(error))]
        }
    }

    /// The number of events that a stream keeps. Subscribers that are further behind rebuild from a snapshot.
    private static var retainedEvents: Int { 5_000 }
    /// After this many new events, `trim` checks a window of old events.
    private static var trimEvery: Int { 1_000 }
    private static var trimWindow: Int64 { 4_000 }

    private func trim(after count: Int) {
        eventsUntilTrim -= count
        guard count > 0, eventsUntilTrim < 0 else { return }
        eventsUntilTrim = Self.trimEvery
        // It can wait: the next write reports the reason of a failure, such as a full disk.
        try? database.transaction {
            let meta = MetaTable(database)
            for stream in definition.streams.map(\.rawValue) {
                let (_, through) = try log.trim(
                    stream,
                    keep: Self.retainedEvents,
                    after: try meta.place("trim/\(stream)"),
                    window: Int(Self.trimWindow)
                )
                try meta.set("trim/\(stream)", String(through))
            }
            _ = try expire()
        }
    }

    /// Deletes a window of old events of the expiring types. Returns the progress, or nil once no whole window is left.
    private func expire() throws -> StartProgress? {
        var progress = StartProgress(done: 0, all: 0)
        for (stream, types) in definition.expiring {
            let last = try log.head(stream).sequence - Int64(Self.retainedEvents)
            progress.done += try log.expire(stream, types: types, through: last, window: Self.trimWindow)
            progress.total += last
        }
        return progress.total - progress.done > Self.trimWindow ? progress : nil
    }
}
