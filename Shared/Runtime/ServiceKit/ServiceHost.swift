import Glibc
import STBus
package import STContracts
package import STEngine
import STPlatform
package import STZeroMQ

/// A service in its process: the engine between the sockets and the database's thread.
///
/// The actor's executor is the bus thread, so everything here runs where the sockets live.
package actor ServiceHost<State: Sendable> {
    let definition: ServiceDefinition<State>
    let surroundings: Surroundings
    private let startedMs = Stopwatch.bootMilliseconds()
    var engine: ServiceEngine<State>?
    private var worker: StoreWorker<State>?
    private var sockets: ServerSockets?
    var subscribers: [SubscriberPort] = []
    var clients: [ServiceName: ClientPort] = [:]
    /// What the companion answers, by route.
    var answerers: [String: @Sendable (PreparationQuestion) async throws -> [UInt8]] = [:]
    /// Questions to the companion from before it was there.
    var unasked: [PreparationQuestion] = []
    /// Of each subscription, because the next header mostly says the same again.
    var lastHeaders: [Int: EventHeader] = [:]
    private var localCalls: [[UInt8]: CheckedContinuation<[[UInt8]], Never>] = [:]
    private var lastLocalCall: UInt64 = 0
    private let localPrefix = "self-" + TraceIdentifiers.trace() + "-"
    private(set) var outstanding = 0
    private var whenIdle: (() -> Void)?
    /// Rung after every commit that changed something, for the service's companion.
    package nonisolated let bell: Doorbell
    private var timer: UInt64?
    private var timerMs: Int64 = .max

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    package init(_ definition: ServiceDefinition<State>, _ surroundings: Surroundings) {
        self.definition = definition
        self.surroundings = surroundings
        bell = Doorbell(surroundings.pulse)
    }

    // MARK: - Start and stop

    /// Binds and begins to answer.
    ///
    /// `store` has been opened, and belongs to this host from now on.
    package func start(store: sending StoreEngine<State>, handover: ServerSockets.Handover) throws {
        let engine = try ServiceEngine(
            definition,
            store: store,
            source: surroundings.source,
            owner: getuid(),
            time: surroundings.time,
            nowMs: Stopwatch.bootMilliseconds(),
            clock: virtualClock(),
            vitals: { [unowned self] in assumeIsolated { $0.vitals() } }
        )
        self.engine = engine
        let worker = try StoreWorker(engine: store) { [loop = surroundings.loop] batch in
            loop.thread.post { self.assumeIsolated { $0.finished(batch) } }
        }
        self.worker = worker
        let loop = surroundings.loop
        let service = definition.name.rawValue
        let sockets = try ServerSockets(
            loop,
            rpc: try surroundings.directories.endpoint(service: service, .rpc),
            events: try surroundings.directories.endpoint(service: service, .events),
            handover: handover
        )
        sockets.onRequest = { [unowned self] peer, frames, principal in
            assumeIsolated { $0.received(frames, from: principal, peer: peer) }
        }
        sockets.onSubscription = { [unowned self] topic, isNew in
            assumeIsolated { $0.subscription(topic, isNew: isNew) }
        }
        self.sockets = sockets
        try follow()
        arm()
    }

    /// Takes no more requests, finishes those under way, closes.
    ///
    /// The deadline is the caller's to keep.
    package func stop() async throws {
        sockets?.stopReceiving()
        if outstanding > 0 {
            await withCheckedContinuation { continuation in
                whenIdle = { continuation.resume() }
                surroundings.loop.thread.after(milliseconds: 2_000) { [weak self] in
                    self?.assumeIsolated { $0.becomeIdle() }
                }
            }
        }
        if let timer { surroundings.loop.thread.cancelTimer(timer) }
        for subscriber in subscribers { subscriber.close() }
        for client in clients.values { client.close() }
        sockets?.close()
        sockets = nil
        try worker?.stop()
    }

    private func becomeIdle() {
        whenIdle?()
        whenIdle = nil
    }

    // MARK: - Effects

    func perform(_ effects: [ServiceEffect]) {
        for effect in effects {
            switch effect {
            case .reply(let peer, let frames):
                if let local = localCalls.removeValue(forKey: peer) {
                    local.resume(returning: frames)
                } else {
                    sockets?.reply(to: peer, frames)
                }
            case .store(let job):
                outstanding += 1
                worker?.submit(job)
            case .publish(let topic, let header, let body): sockets?.publish(topic, header, body)
            case .fetch(let index, let after): fetch(index, after)
            case .fetchSnapshot(let index, let next):
                let request = EventsSnapshot.Request(
                    stream: definition.subscriptions[index].stream.rawValue,
                    next: next
                )
                ask(index, EventsSnapshot.name, try? request.encodedBody())
            case .prepare(let question): prepare(question)
            case .warn(let event, let problem): surroundings.log.problem(event, problem)
            }
        }
        arm()
    }

    private func received(_ frames: [[UInt8]], from principal: Principal, peer: [UInt8]) {
        perform(engine?.receive(frames, from: principal, peer: peer) ?? [])
    }

    private func finished(_ batch: StoreBatch<State>) {
        outstanding -= batch.results.count
        perform(engine?.finished(batch, nowMs: Stopwatch.bootMilliseconds()) ?? [])
        // Not when all was refused: with a full disk, whoever tries again at each ring would never rest.
        if batch.hasChanged { bell.ring() }
        if outstanding == 0 { becomeIdle() }
    }

    private func subscription(_ topic: String, isNew: Bool) {
        guard isNew else {
            engine?.unsubscribed(topic)
            return
        }
        perform(engine?.subscribed(topic, nowMs: Stopwatch.bootMilliseconds()) ?? [])
    }

    // MARK: - Calls from within the process

    /// Runs one of the service's own routes as if it had come over the bus, without asking for access.
    package func callSelf<R: Route>(_ route: R.Type, _ request: R.Request, trace: TraceContext = .untold)
        async throws
        -> R.Reply
    {
        guard sockets != nil else { throw Problem("request.cancelled", "The service has stopped.") }
        lastLocalCall += 1
        // A peer may choose its routing id; this one it cannot know.
        let peer = Array("\(localPrefix)\(lastLocalCall)".utf8)
        let admitted = AdmittedRequest(
            header: RequestHeader(id: Identifier.make(wallMs: surroundings.time.now().wallMs), route: R.name),
            body: try request.encodedBody(),
            principal: Principal(uid: getuid(), pid: getpid()),
            envelope: [],
            deadlineBootMs: Stopwatch.bootMilliseconds() + BusLimits.timeoutMsMax,
            receivedNs: Stopwatch.nanoseconds(),
            trace: trace
        )
        let frames = await withCheckedContinuation { continuation in
            localCalls[peer] = continuation
            perform(engine?.takeOwn(admitted, peer: peer) ?? [])
        }
        guard frames.count == 2, let header = ReplyHeader.read(frames[0]) else {
            throw Problem("internal", "The service gave itself no answer, please report this.")
        }
        guard header.ok else { throw try Problem.decodedBody(frames[1]) }
        return try R.Reply.decodedBody(frames[1])
    }

    /// Adds a step to the trace, when somebody listens.
    package func note(_ span: @Sendable () -> TraceSpan) {
        perform(engine?.note(span()) ?? [])
    }

    // MARK: - Time

    private func arm() {
        guard let next = engine?.nextMs, next < timerMs else { return }
        if let timer { surroundings.loop.thread.cancelTimer(timer) }
        timerMs = next
        timer = surroundings.loop.thread.after(milliseconds: next - Stopwatch.bootMilliseconds()) {
            [weak self] in
            self?.assumeIsolated { $0.tick() }
        }
    }

    private func tick() {
        let now = Stopwatch.bootMilliseconds()
        let lateMs = now - timerMs
        timer = nil
        timerMs = .max
        // This loop stood still: events may have been dropped at the publisher meanwhile.
        if lateMs > 1_000 {
            for index in definition.subscriptions.indices { input(index, .stalled) }
        }
        perform(engine?.tick(nowMs: now) ?? [])
    }

    private func vitals() -> ServiceVitals {
        let path = surroundings.directories.database(service: definition.name.rawValue)
        let connections = sockets?.connectionCounts()
        return ServiceVitals(
            pid: Int64(getpid()),
            uptimeMs: Stopwatch.bootMilliseconds() - startedMs,
            pssKib: (ProcessMemory.sample(pid: getpid())?.pssBytes ?? 0) / 1024,
            databaseBytes: Self.size(path) + Self.size(path + "-wal"),
            counters: [
                "unroutable_replies": sockets?.unroutable ?? 0,
                "disconnects": connections?.disconnects ?? 0,
                "refused_handshakes": connections?.refused ?? 0,
                "resends": Int64(clients.values.reduce(0) { $0 + $1.resends }),
            ]
        )
    }

    private static func size(_ path: String) -> Int64 {
        var info = stat()
        return stat(path, &info) == 0 ? Int64(info.st_size) : 0
    }
}
