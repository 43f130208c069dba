import Glibc
package import STBus
package import STContracts
package import STEngine
import STPlatform
import STStore
package import STZeroMQ

/// A service in its process. It connects the engine with the sockets and with the database's thread.
///
/// The executor of the actor is the bus thread, so all its code can use the sockets.
package actor ServiceHost<State: Sendable> {
    private let definition: ServiceDefinition<State>
    private let surroundings: ServiceEnvironment
    private let started = BootTime(ms: Stopwatch.bootMilliseconds())
    private var engine: ServiceEngine<State>?
    private var worker: StoreWorker<State>?
    private var sockets: ServerSockets?
    /// The socket for other machines, if the service's companion has opened one.
    private var deviceEndpoint: DeviceEndpoint?
    private var subscribers: [SubscriberPort] = []
    private var clients: [ServiceName: ClientPort] = [:]
    /// The handlers of the companion, by route.
    private var workerHandlers: [String: @Sendable (PreparationQuestion) async throws -> [UInt8]] = [:]
    /// Questions to the companion that arrived before its handlers.
    private var pendingQuestions: [PreparationQuestion] = []
    /// The last header of each subscription, because the next header mostly has the same values.
    private var lastHeaders: [Int: EventHeader] = [:]
    private(set) var outstanding = 0
    private var onIdle: (() -> Void)?
    /// Rung after every commit that changed something, for the service's companion.
    package nonisolated let changeSignal: ChangeSignal
    private var timer: UInt64?
    private var timerDue = BootTime.distantFuture
    private static var bootNow: BootTime { BootTime(ms: Stopwatch.bootMilliseconds()) }

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    package init(_ definition: ServiceDefinition<State>, _ surroundings: ServiceEnvironment) {
        self.definition = definition
        self.surroundings = surroundings
        changeSignal = ChangeSignal(surroundings.hold)
    }

    // MARK: - Start and stop

    /// Binds the sockets and starts to answer requests.
    ///
    /// `store` has been opened, and belongs to this host from now on.
    package func start(store: sending StoreEngine<State>, handover: ServerSockets.Handover) throws {
        let engine = try ServiceEngine(
            definition,
            store: store,
            source: surroundings.source,
            owner: getuid(),
            time: surroundings.time,
            now: Self.bootNow,
            clock: virtualClock(),
            callers: surroundings.callers,
            vitals: { [unowned self] in assumeIsolated { $0.vitals() } }
        )
        self.engine = engine
        let path = store.path
        let worker = try StoreWorker(engine: store) { [log = surroundings.log] harm, saved in
            Self.end(harm, saved: saved, path: path, log: log)
        } deliver: { [loop = surroundings.loop] batch in
            loop.thread.post { self.assumeIsolated { $0.batchDidFinish(batch) } }
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
            assumeIsolated { $0.receive(frames, from: principal, peer: peer) }
        }
        sockets.onSubscription = { [unowned self] topic, isNew in
            assumeIsolated { $0.subscriptionDidChange(topic, isNew: isNew) }
        }
        self.sockets = sockets
        try follow()
        arm()
    }

    /// Ends the process, because its connection writes to a file without a name. The next process opens the saved file.
    private static func end(
        _ harm: Database.Harm,
        saved: Result<Void, Problem>,
        path: String,
        log: Log
    ) -> Never {
        switch (harm, saved) {
        case (_, .success):
            log.warning(
                "database_saved",
                "Another program removed or replaced \(path). All of it was saved there again."
            )
        case (.replaced, .failure(let problem)): log.problem("database_gone", problem)
        case (.cut, .failure):
            log.error("database_cut", "Another program cut off a part of \(path).")
        case (.damaged, .failure):
            log.error(
                "database_damaged",
                "A part of \(path) cannot be read. The next start looks at all of it."
            )
        }
        // Clients send requests without a reply again, to the next process.
        _exit(75)
    }

    /// Accepts no more requests, finishes those under way, and closes the sockets.
    ///
    /// The caller must enforce the deadline.
    package func stop() async throws {
        sockets?.stopReceiving()
        perform(engine?.stop() ?? [])
        if outstanding > 0 {
            await withCheckedContinuation { continuation in
                onIdle = { continuation.resume() }
                surroundings.loop.thread.after(milliseconds: 2_000) { [weak self] in
                    self?.assumeIsolated { $0.becomeIdle() }
                }
            }
        }
        if let timer { surroundings.loop.thread.cancelTimer(timer) }
        for subscriber in subscribers { subscriber.close() }
        for client in clients.values { client.close() }
        closeDeviceEndpoint()
        sockets?.close()
        sockets = nil
        try worker?.stop()
    }

    private func becomeIdle() {
        onIdle?()
        onIdle = nil
    }

    // MARK: - Effects

    private func perform(_ effects: [ServiceEffect]) {
        for effect in effects {
            switch effect {
            case .reply(let peer, let frames):
                if deviceEndpoint?.reply(to: peer, frames) != true { sockets?.reply(to: peer, frames) }
            case .store(let job):
                outstanding += 1
                worker?.submit(job)
            case .settle(let step, let problem): step.complete(problem)
            case .publish(let topic, let header, let body):
                sockets?.publish(topic, header: header, body: body)
            case .fetch(let index, let after): fetch(index, after)
            case .fetchSnapshot(let index, let next):
                let request = EventsSnapshot.Request(
                    stream: definition.subscriptions[index].stream.rawValue,
                    next: next
                )
                ask(index, route: EventsSnapshot.name, body: try? request.encodedBody())
            case .prepare(let question): prepare(question)
            case .warn(let event, let problem): surroundings.log.problem(event, problem)
            }
        }
        arm()
    }

    /// Also answers other machines, at `tcp://HOST:PORT`. Only machines with these public keys are admitted.
    package func openDeviceEndpoint(
        at endpoint: String,
        secret: [UInt8],
        to keys: [[UInt8]: Principal.Remote]
    ) throws {
        closeDeviceEndpoint()
        let door = try DeviceEndpoint(surroundings.loop, endpoint: endpoint, secret: secret) {
            [log = surroundings.log] in
            log.problem("door_closed", $0)
        } _: { [unowned self] peer, frames, principal in
            assumeIsolated { $0.receive(frames, from: principal, peer: peer) }
        }
        door.admit(keys)
        self.deviceEndpoint = door
    }

    /// Replaces the admitted keys. A machine whose key is not among them is disconnected.
    package func admit(_ keys: [[UInt8]: Principal.Remote]) { deviceEndpoint?.admit(keys) }

    package func closeDeviceEndpoint() {
        deviceEndpoint?.close()
        deviceEndpoint = nil
    }

    private func receive(_ frames: [[UInt8]], from principal: Principal, peer: [UInt8]) {
        perform(engine?.receive(frames, from: principal, peer: peer) ?? [])
    }

    private func batchDidFinish(_ batch: StoreBatch<State>) {
        outstanding -= batch.results.count
        perform(engine?.batchDidFinish(batch, now: Self.bootNow) ?? [])
        // Not if all jobs were refused: with a full disk, a companion that tries again at each ring would never rest.
        if batch.hasChanged { changeSignal.signal() }
        if outstanding == 0 { becomeIdle() }
    }

    private func subscriptionDidChange(_ topic: String, isNew: Bool) {
        guard isNew else {
            engine?.didUnsubscribe(topic)
            return
        }
        perform(engine?.didSubscribe(topic, now: Self.bootNow) ?? [])
    }

    // MARK: - Steps of the service's own

    /// The state after the last commit.
    package var state: State {
        get throws {
            guard let engine else {
                throw Problem(
                    "request.cancelled",
                    "The service has not started.",
                    key: "request.cancelled.the-service-has"
                )
            }
            return engine.state
        }
    }

    /// The ends of the service's own streams.
    var heads: [StreamPoint] { engine?.heads ?? [] }

    /// Reads the state with the present time, zone and boot.
    package func read<Value>(_ work: (State, RequestContext) throws -> Value) throws -> Value {
        try work(state, RequestContext(ownRequest("read", .empty), time: surroundings.time))
    }

    /// Changes the state and the database in a transaction on the database's thread, as a write request does. Returns once the
    /// change is durable.
    ///
    /// `name` identifies the step in traces and figures, for example `desktop.spool.add`.
    package func step<Value: Sendable>(
        _ name: String,
        trace: TraceContext = .empty,
        _ work: @escaping InternalStep<State>.Change<Value>
    ) async throws -> Value {
        try await submit { .change(ownRequest(name, trace), work, settle: $0) }
    }

    /// Reads the database on its own thread, between commits.
    package func readStore<Value: Sendable>(
        _ name: String,
        trace: TraceContext = .empty,
        _ work: @escaping InternalStep<State>.ReadWork<Value>
    ) async throws -> Value {
        try await submit { .read(ownRequest(name, trace), work, settle: $0) }
    }

    private func submit<Value: Sendable>(
        _ step: (@escaping @Sendable (Result<Value, Problem>) -> Void) -> InternalStep<State>
    ) async throws -> Value {
        guard sockets != nil else {
            throw Problem(
                "request.cancelled",
                "The service has stopped.",
                key: "request.cancelled.the-service-has-stopped"
            )
        }
        return try await withCheckedThrowingContinuation { continuation in
            let taken = step { continuation.resume(with: $0.mapError { $0 }) }
            perform(engine?.accept(taken) ?? [])
        }
    }

    private func ownRequest(_ name: String, _ trace: TraceContext) -> AdmittedRequest {
        AdmittedRequest(
            header: RequestHeader(id: Identifier.make(wallMs: surroundings.time.now().wallMs), route: name),
            body: [],
            principal: Principal(uid: getuid(), pid: getpid()),
            envelope: [],
            deadlineBootMs: Stopwatch.bootMilliseconds() + BusLimits.timeoutMsMax,
            receivedNs: Stopwatch.nanoseconds(),
            trace: trace
        )
    }

    /// Adds a step to the trace if a subscriber listens.
    package func recordSpan(_ span: @Sendable () -> TraceSpan) {
        perform(engine?.recordSpan(span()) ?? [])
    }

    // MARK: - Time

    private func arm() {
        guard let next = engine?.next, next < timerDue else { return }
        if let timer { surroundings.loop.thread.cancelTimer(timer) }
        timerDue = next
        timer = surroundings.loop.thread.after(milliseconds: (next - Self.bootNow).ms) {
            [weak self] in
            self?.assumeIsolated { $0.tick() }
        }
    }

    private func tick() {
        let now = Self.bootNow
        let late = now - timerDue
        timer = nil
        timerDue = .distantFuture
        // This loop was blocked, so the publisher may have dropped events meanwhile.
        if late > .seconds(1) {
            for index in definition.subscriptions.indices { feedFollower(index, .stalled) }
        }
        perform(engine?.tick(now: now) ?? [])
    }

    private func vitals() -> ServiceVitals {
        let path = surroundings.directories.database(service: definition.name.rawValue)
        let connections = sockets?.connectionCounts()
        return ServiceVitals(
            pid: Int64(getpid()),
            uptime: Self.bootNow - started,
            pssKib: (ProcessMemory.sample(pid: getpid())?.pssBytes ?? 0) / 1024,
            databaseBytes: Self.size(path) + Self.size(path + "-wal"),
            counters: [
                "unroutable_replies": sockets?.unroutable ?? 0,
                "disconnects": connections?.disconnects ?? 0,
                "refused_handshakes": connections?.refused ?? 0,
                "surplus_connections": connections?.surplus ?? 0,
                "resends": Int64(clients.values.reduce(0) { $0 + $1.resends }),
            ]
        )
    }

    private static func size(_ path: String) -> Int64 {
        var info = stat()
        return stat(path, &info) == 0 ? Int64(info.st_size) : 0
    }

    // Messages and requests of the streams that this service follows.

    private func follow() throws {
        for (index, subscription) in definition.subscriptions.enumerated() {
            let service = subscription.source.rawValue
            let stream = subscription.stream
            let marker = Topic.syncPrefix + TraceIdentifiers.span()
            subscribers.append(
                try SubscriberPort(
                    surroundings.loop,
                    endpoint: try surroundings.directories.endpoint(service: service, .events),
                    topics: [Topic.subscription(stream), Topic.head(stream), marker]
                ) { [unowned self, topics = StreamTopics(stream, marker: marker)] frames in
                    assumeIsolated { $0.heard(index, frames: frames, topics: topics) }
                }
            )
            _ = try client(of: subscription.source)
        }
    }

    private func heard(_ index: Int, frames: [[UInt8]], topics: StreamTopics) {
        guard frames.count == 3 else { return }
        let stream = definition.subscriptions[index].stream
        if frames[0] == topics.marker {
            guard let heads = try? HeadList.decodedBody(frames[2]),
                let head = heads.heads.first(where: { $0.stream == stream.rawValue })
            else { return }
            feedFollower(index, .head(head))
        } else if frames[0] == topics.head {
            guard let head = StreamPoint.read(frames[2]) else { return }
            feedFollower(index, .head(head))
        } else if let event = WireEvent(frames: frames, like: lastHeaders[index]),
            event.header.stream == stream
        {
            lastHeaders[index] = event.header
            feedFollower(index, .event(event))
        }
    }

    private func feedFollower(_ index: Int, _ input: FollowerMachine.Input) {
        perform(engine?.follow(index, input, now: Self.bootNow) ?? [])
    }

    private func fetch(_ index: Int, _ after: StreamPoint?) {
        let request = EventsSince.Request(
            stream: definition.subscriptions[index].stream.rawValue,
            epoch: after?.epoch,
            sequence: after?.sequence,
            id: after?.id
        )
        ask(index, route: EventsSince.name, body: try? request.encodedBody())
    }

    private func ask(_ index: Int, route: String, body: [UInt8]?) {
        let service = definition.subscriptions[index].source
        guard let port = clients[service], let body else { return }
        let id = Identifier.make(wallMs: Stopwatch.bootMilliseconds())
        let deadline = Stopwatch.bootMilliseconds() + BusLimits.timeoutMsDefault
        let header = RequestHeader(id: id, route: route, deadlineBootMs: deadline)
        port.start(id: id, route: route, frames: [header.encoded(), body], deadlineMs: deadline) {
            [unowned self] outcome in
            assumeIsolated { $0.handleReply(index, outcome) }
        }
    }

    private func handleReply(_ index: Int, _ outcome: CallTable.Outcome) {
        switch outcome {
        case .failed(let problem): feedFollower(index, .pageFailed(problem))
        case .reply(let body, _):
            do {
                feedFollower(index, .page(try EventPage.decodedBody(body)))
            } catch {
                feedFollower(
                    index,
                    .pageFailed(
                        (error as? Problem)
                            ?? Problem(
                                "body.invalid",
                                verbatim: "\(error)"
                            )
                    )
                )
            }
        }
    }

    // Requests to other services before a handler runs.

    private func prepare(_ question: PreparationQuestion) {
        switch question.source {
        case .service(let service): requestPreparation(service, question)
        case .worker: requestFromWorker(question)
        }
    }

    private func requestPreparation(_ service: ServiceName, _ question: PreparationQuestion) {
        do {
            let port = try client(of: service)
            let id = Identifier.make(wallMs: surroundings.time.now().wallMs)
            let header = RequestHeader(
                id: id,
                route: question.route,
                deadlineBootMs: question.deadlineBootMs,
                idempotencyKey: question.idempotencyKey,
                traceparent: question.trace.traceparent,
                cause: question.cause,
                behalf: question.behalf
            )
            port.start(
                id: id,
                route: question.route,
                frames: [header.encoded(), question.body],
                deadlineMs: question.deadlineBootMs
            ) { [unowned self] outcome in
                assumeIsolated { $0.handlePreparation(outcome, for: question.id) }
            }
        } catch {
            let problem = Problem(error)
            perform(engine?.preparationDidFinish(question.id, .failure(problem)) ?? [])
        }
    }

    /// Registers the companion's handler of a route. The handler should return soon, because the request waits for it.
    package func setWorkerHandler<Asked: Route>(
        _ route: Asked.Type,
        with answer: @escaping @Sendable (Asked.Request, PreparationQuestion) async throws -> Asked.Reply
    ) {
        workerHandlers[Asked.name] = { question in
            try await answer(Asked.Request.decodedBody(question.body), question).encodedBody()
        }
        let early = pendingQuestions.filter { $0.route == Asked.name }
        pendingQuestions.removeAll { $0.route == Asked.name }
        for question in early {
            requestFromWorker(question)
            surroundings.hold.end()
        }
    }

    private func requestFromWorker(_ question: PreparationQuestion) {
        guard let answerer = workerHandlers[question.route] else { return queueQuestion(question) }
        // No message on the bus shows this work, so the pulse makes a virtual clock wait for it.
        surroundings.hold.begin()
        let thread = surroundings.loop.thread
        Task(executorPreference: thread, priority: .medium) {
            let answer: Result<[UInt8], Problem>
            do {
                answer = .success(try await answerer(question))
            } catch {
                answer = .failure(Problem(error))
            }
            thread.post { self.assumeIsolated { $0.handleReply(question.id, answer) } }
        }
    }

    /// Stores a question, because the sockets are open a little before the companion has registered its handlers.
    ///
    /// The question waits until its deadline. The gate limits how many requests can wait.
    private func queueQuestion(_ question: PreparationQuestion) {
        pendingQuestions.append(question)
        surroundings.hold.begin()
        let leftMs = max(0, question.deadlineBootMs - Stopwatch.bootMilliseconds())
        surroundings.loop.thread.after(milliseconds: leftMs) { [weak self] in
            self?.assumeIsolated { $0.expireQuestion(question) }
        }
    }

    private func expireQuestion(_ question: PreparationQuestion) {
        guard let index = pendingQuestions.firstIndex(where: { $0.id == question.id }) else { return }
        pendingQuestions.remove(at: index)
        let problem = Problem(
            "unavailable",
            "This process cannot handle \(question.route, "route") yet. Try again in a moment.",
            key: "unavailable.this-process-does",
            retryable: true
        )
        handleReply(question.id, .failure(problem))
    }

    private func handleReply(_ id: UInt64, _ answer: Result<[UInt8], Problem>) {
        perform(engine?.preparationDidFinish(id, answer) ?? [])
        surroundings.hold.end()
    }

    private func handlePreparation(_ outcome: CallTable.Outcome, for id: UInt64) {
        switch outcome {
        case .reply(let body, _): perform(engine?.preparationDidFinish(id, .success(body)) ?? [])
        case .failed(let problem): perform(engine?.preparationDidFinish(id, .failure(problem)) ?? [])
        }
    }

    private func client(of service: ServiceName) throws -> ClientPort {
        if let port = clients[service] { return port }
        let endpoint = try surroundings.directories.endpoint(service: service.rawValue, .rpc)
        let port = try ClientPort(surroundings.loop, service: service, endpoint: endpoint)
        clients[service] = port
        return port
    }

    // Data for the program that moves the virtual clock.

    private func virtualClock() -> ServiceClock? {
        guard let time = surroundings.time.virtual else { return nil }
        return ServiceClock {
            time.clockDidChange()
        } vitals: { [unowned self] in
            assumeIsolated { $0.clockVitals(time) }
        }
    }

    private func clockVitals(_ time: VirtualTimeSource) -> ServiceClock.Vitals {
        let traffic = surroundings.loop.traffic
        return ServiceClock.Vitals(
            pid: Int64(getpid()),
            generation: Int64(clamping: time.generation),
            requestsSent: traffic.requestsSent,
            repliesReceived: traffic.repliesReceived,
            eventsHeard: traffic.eventsReceived,
            asked: traffic.pendingRoutes,
            jobs: Int64(outstanding),
            busy: Int64(surroundings.hold.active),
            begun: surroundings.hold.total,
            due: time.nextDue
        )
    }
}

/// The topics of one subscription as bytes, because they are compared with every message.
struct StreamTopics {
    let marker: [UInt8]
    let head: [UInt8]

    init(_ stream: StreamName, marker: String) {
        self.marker = Array(marker.utf8)
        head = Array(Topic.head(stream).utf8)
    }
}

/// The reply to a marker subscription.
struct HeadList: WireBody, Codable {
    var heads: [StreamPoint]
}
