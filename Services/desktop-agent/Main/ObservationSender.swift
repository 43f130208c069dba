import STBus
import STContracts
import STDesktopCore
import STPlatform
import STServiceKit
import STZeroMQ

/// Sends observations to activity-center, in order. It is the only part of the agent that calls `usage.observe`.
///
/// Observations enter the spool before they are sent, and leave it once they are accepted. A beat is sent directly if nothing
/// waits before it, because its loss costs only the beat itself. Runs on the bus thread.
actor ObservationSender {
    private static let retry = Backoff(firstMs: 200, limitMs: 5_000)
    private static let writeRetry = Backoff(firstMs: 200, limitMs: 10_000)
    private static let heartbeatTimeout: Duration = .seconds(4)
    /// The time that the end of the process waits for the disk.
    private static let lastWriteTimeout: Duration = .seconds(2)
    private static let lastWriteStep: Duration = .milliseconds(10)
    /// Upper bound on the observations in memory while the disk cannot be written.
    private static let unwrittenMax = 5_000
    /// The number of refused runs that the sender skips before it treats activity-center as failing.
    private static let refusedMax = 100

    /// A beat that was sent directly and has no reply yet.
    private struct Beat {
        var batch: DesktopSteps.Batch
        /// True if the beat is also being written into the spool. Sending it twice has no effect.
        var isSpooled = false
    }

    private let host: ServiceHost<DesktopState>
    private let surroundings: ServiceEnvironment
    private let client: BusClient
    /// Receives the results for its observations. `nil` if the process only plays scripts.
    private weak var hub: DesktopHub?
    /// Batches that are being written into the spool.
    private var unwritten: [DesktopSteps.Batch] = []
    private var isWriting = false
    private var heartbeat: Beat?
    /// The number of beats that were sent directly.
    private(set) var heartbeatCount: Int64 = 0
    /// The timer of the next attempt, in real time.
    private let retryTimer: LoopTimer
    /// The timer of the next observation of a script, in boot time.
    private let scriptTimer: DeadlineTimer

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(_ host: ServiceHost<DesktopState>, surroundings: ServiceEnvironment, client: BusClient) throws {
        self.host = host
        self.surroundings = surroundings
        self.client = client
        let thread = surroundings.loop.thread
        retryTimer = LoopTimer(thread) { [bell = host.changeSignal] in bell.signal() }
        scriptTimer = try DeadlineTimer(thread, time: surroundings.time) { [bell = host.changeSignal] in
            bell.signal()
        }
    }

    // MARK: - New observations

    func setHub(_ hub: DesktopHub) { self.hub = hub }

    /// Takes observations that are numbered within their run. `isBeat` is true for a single confirmation.
    func receive(_ seen: [Observation], of run: String, isBeat: Bool) {
        guard !seen.isEmpty else { return }
        let batch = DesktopSteps.Batch(run: run, observations: seen)
        guard isBeat, isIdle else { return spool(batch) }
        heartbeat = Beat(batch: batch)
        begin { await $0.sendHeartbeat(batch) }
    }

    /// True if all observations are in the spool or accepted.
    var isWritten: Bool { unwritten.isEmpty && !isWriting }

    /// Writes the waiting observations at the end of the process. Observations that are not written then are lost.
    func writeAll() async {
        spool(nil)
        // A full disk may never accept the write, and the thread is needed for the rest of the end.
        for _ in 0..<(Self.lastWriteTimeout.ms / Self.lastWriteStep.ms) where isWriting {
            await surroundings.loop.thread.pause(ms: Self.lastWriteStep.ms)
        }
    }

    /// True if no observation waits before a beat.
    private var isIdle: Bool {
        heartbeat == nil && isWritten && (try? host.assumeIsolated { try $0.state.hasWaiting }) == false
    }

    private func begin(_ work: @escaping @Sendable (isolated ObservationSender) async -> Void) {
        Task(executorPreference: surroundings.loop.thread, priority: .medium) { await work(self) }
    }

    private func sendHeartbeat(_ batch: DesktopSteps.Batch) async {
        do {
            let reply = try await observe(batch, CallOptions(timeoutMs: Self.heartbeatTimeout.ms))
            heartbeat = nil
            heartbeatCount += 1
            handleAccepted(batch.run, reply)
        } catch {
            // Observations in the spool are sent until they are accepted.
            spool(nil)
            heartbeat = nil
        }
    }

    /// Writes observations into the spool. A beat without a reply comes first, because it may never arrive and its number
    /// precedes theirs.
    private func spool(_ batch: DesktopSteps.Batch?) {
        if let heartbeat, !heartbeat.isSpooled {
            unwritten.append(heartbeat.batch)
            self.heartbeat?.isSpooled = true
        }
        if let batch { unwritten.append(batch) }
        guard !isWriting, !unwritten.isEmpty else { return }
        isWriting = true
        begin { await $0.write() }
    }

    private func write() async {
        var failures = 0
        while let batch = unwritten.first {
            do {
                try await host.step("desktop.spool.add") { state, _, change in
                    try DesktopSteps.add(batch, state: &state, change: change)
                }
                unwritten.removeFirst()
                failures = 0
            } catch {
                let problem = Problem(error)
                if failures == 0 { surroundings.log.problem("not_written", problem) }
                failures += 1
                guard problem.code != "request.cancelled" else { break }
                if unwritten.reduce(0, { $0 + $1.observations.count }) > Self.unwrittenMax {
                    // A gap of unobserved time is better than observations out of order.
                    unwritten = []
                    await hub?.beginRun()
                }
                await surroundings.loop.thread.pause(ms: Self.writeRetry.delayMs(attempt: failures))
                if Task.isCancelled { break }
            }
        }
        isWriting = false
    }

    // MARK: - The spool

    /// Runs until the task is cancelled.
    func run() async {
        host.changeSignal.signal()
        var failures = 0
        for await _ in host.changeSignal.signals {
            do {
                try await sendAll()
                if failures > 0 { surroundings.hold.end() }
                failures = 0
            } catch {
                if failures == 0 {
                    surroundings.log.problem("not_accepted", Problem(error))
                    // A virtual clock must not advance until the observations are accepted.
                    surroundings.hold.begin()
                }
                failures += 1
                retryTimer.fire(afterMs: Self.retry.delayMs(attempt: failures))
            }
        }
    }

    /// Writes the due observations of scripts into the spool, sends the spool, and sets the timer of the next script.
    private func sendAll() async throws {
        // The observations that become due and their requests share one trace.
        var trace = TraceContext.fresh()
        // A refused run waits for the next attempt, and does not block later runs until then.
        var refused: [String] = []
        var refusal: Problem?
        while !Task.isCancelled {
            let state = try await host.state
            let now = surroundings.time.now()
            let due = state.nextObservation(now, bootID: surroundings.time.bootID)
            if let due, due <= now.boot {
                // This commits only if something is due, because every commit rings the bell that leads back here.
                trace = .fresh()
                try await host.step("desktop.spool.advance", trace: trace) { state, context, change in
                    try DesktopSteps.advance(&state, context: context, change: change)
                }
                continue
            }
            guard state.hasWaiting, let batch = try await next(except: refused) else {
                scriptTimer.set(bootMs: due?.ms)
                if let refusal { throw refusal }
                return
            }
            do {
                try await send(batch, after: trace)
            } catch let problem as Problem where !problem.retryable && refused.count < Self.refusedMax {
                refused.append(batch.run)
                refusal = problem
            }
        }
    }

    private func next(except refused: [String]) async throws -> DesktopSteps.Batch? {
        try await host.readStore("desktop.spool.next") { _, _, database in
            try DesktopSteps.next(except: refused, database)
        }
    }

    private func send(_ batch: DesktopSteps.Batch, after cause: TraceContext) async throws {
        let trace = cause.next()
        let startUs = Stopwatch.bootMicroseconds()
        var outcome = "ok"
        do {
            let reply = try await observe(batch, CallOptions(trace: trace))
            let checkAt = reply.checkAt.map(BootTime.init(ms:))
            try await discard(batch.run, through: reply.acceptedThrough, checkAt: checkAt)
            handleAccepted(batch.run, reply)
        } catch let problem as Problem where problem.code == "usage.out_of_order" {
            outcome = problem.code
            try await reorder(batch, problem)
        } catch let problem as Problem {
            note(trace, cause: cause, startUs: startUs, outcome: problem.code)
            throw problem
        }
        note(trace, cause: cause, startUs: startUs, outcome: outcome)
    }

    private func discard(_ run: String, through sequence: Int64, checkAt: BootTime? = nil) async throws {
        try await host.step("desktop.spool.done") { state, _, change in
            try DesktopSteps.discard(run: run, through: sequence, checkAt: checkAt, &state, change)
        }
    }

    /// Corrects the numbers of the spool. activity-center has more observations after a lost acknowledgement, or fewer after the
    /// restore of a backup.
    private func reorder(_ batch: DesktopSteps.Batch, _ problem: Problem) async throws {
        guard let expected = problem.details["expected"].flatMap({ Int64($0) }),
            let first = batch.observations.first
        else {
            throw problem
        }
        if expected > first.sequence {
            return try await discard(batch.run, through: expected - 1)
        }
        surroundings.log.warning(
            "run_forgotten",
            "activity-center no longer knows this run; going on as a new one."
        )
        await hub?.handleUnknownRun(batch.run)
        try await host.step("desktop.spool.renumber") { state, _, change in
            try DesktopSteps.renumber(batch.run, state: &state, change: change)
        }
    }

    // MARK: - activity-center

    private func observe(_ batch: DesktopSteps.Batch, _ options: CallOptions) async throws
        -> UsageObserve.Reply
    {
        let request = UsageObserve.Request(
            agent: ServiceName.desktop.rawValue,
            run: batch.run,
            observations: batch.observations
        )
        return try await client.call(UsageObserve.self, request, options: options)
    }

    private func handleAccepted(_ run: String, _ reply: UsageObserve.Reply) {
        hub?.assumeIsolated { $0.handleAccepted(run, checkAt: reply.checkAt.map(BootTime.init(ms:))) }
    }

    private func note(_ trace: TraceContext, cause: TraceContext, startUs: Int64, outcome: String) {
        host.assumeIsolated { host in
            host.recordSpan {
                TraceSpan(
                    service: ServiceName.desktop.rawValue,
                    kind: .send,
                    name: UsageObserve.name,
                    messageId: trace.spanID,
                    trace: trace,
                    parentId: cause.spanID,
                    startUs: startUs,
                    durationUs: Stopwatch.bootMicroseconds() - startUs,
                    outcome: outcome
                )
            }
        }
    }
}
