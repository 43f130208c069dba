package import STBus
package import STContracts
package import STPlatform

/// The half of a service that runs on the bus thread. It admits requests, answers reads from a snapshot of the state, publishes
/// committed events, and follows the streams of other services.
///
/// Messages and times go in, effects come out. The host owns the sockets, threads and timers, and carries out the effects. For a
/// write, one of the effects is a job for `StoreEngine`, whose result goes back to the engine:
///
/// ```swift
/// var effects = engine.receive(frames, from: principal, peer: peer)
/// if case .store(let job) = effects.first {
///     effects = engine.finished(store.run([job]), now: now)
/// }
/// for case .reply(let peer, let frames) in effects {
///     sockets.reply(to: peer, frames)
/// }
/// ```
package final class ServiceEngine<State: Sendable> {
    package typealias Effect = ServiceEffect

    /// Upper bound on the trace topics, far above the number of listeners. Further listeners receive spans only as long as one of
    /// these topics has a subscriber.
    private static var traceTopicsMax: Int { 100 }

    /// Upper bound on the requests that wait for the database's thread, and on the bytes of their bodies. A disk that does not
    /// respond must not use up all memory.
    package static var waitingMax: Int { 10_000 }
    private static var waitingBytesMax: Int { 64 << 20 }

    private let definition: ServiceDefinition<State>
    private let gate: RequestGate
    private let routes: [String: ServiceRoute<State>]
    private let time: any TimeSource
    private let bootMs: () -> Int64
    private let vitals: () -> ServiceVitals
    /// The virtual clock, or nil on the machine's own clock.
    private let clock: ServiceClock?
    private var tally = RequestTally()
    /// The reason why nothing can be written at this time, such as a full disk.
    private var writeProblem: Problem?
    private static var diskProblems: [String] { ["store.disk_full", "store.io_error", "store.read_only"] }
    package private(set) var state: State
    package private(set) var heads: [StreamPoint]
    private var beacon = HeadBeacon()
    private var waiting = 0
    private var waitingBytes = 0
    private(set) var figures: [String: RouteFigures] = [:]
    private var spans: SpanRecorder
    private var spansDue: BootTime?
    private static var spanBatch: Int { 64 }
    private static var spanDelay: Duration { .milliseconds(10) }
    /// The topics to which listeners to traces have subscribed. The socket reports when the last listener of a topic has left.
    private var traceTopics: Set<String> = []
    private var preparing = WaitingRequests()
    package private(set) var followers: [FollowerMachine]
    /// The subscriptions whose streams have been followed to their heads.
    private var caughtUpSubscriptions: Set<Int> = []

    package init(
        _ definition: ServiceDefinition<State>,
        store: StoreEngine<State>,
        source: String,
        owner: UInt32,
        time: any TimeSource,
        now: BootTime,
        bootMs: @escaping () -> Int64 = Stopwatch.bootMilliseconds,
        clock: ServiceClock? = nil,
        callers: CallerCheck = CallerCheck(),
        vitals: @escaping () -> ServiceVitals
    ) throws {
        self.definition = definition
        self.time = time
        self.bootMs = bootMs
        self.clock = clock
        self.vitals = vitals
        routes = CommonRoutes.byName(with: definition, source: source)
        var rules = routes.mapValues {
            RequestGate.Rule(access: $0.info.access, kind: $0.info.kind, caller: $0.info.caller)
        }
        for info in Self.builtins { rules[info.name] = RequestGate.Rule(access: info.access, kind: .read) }
        gate = RequestGate(service: definition.name, owner: owner, rules: rules, callers: callers)
        spans = SpanRecorder(service: definition.name.rawValue)
        state = store.state
        heads = try store.heads()
        followers = try definition.subscriptions.indices.map {
            FollowerMachine(
                stream: definition.subscriptions[$0].stream,
                cursor: try store.cursor(of: $0),
                // Without a cursor, for example after a restore, only a rebuild discards what no longer exists.
                isRebuilding: try store.isRebuilding($0)
                    || definition.subscriptions[$0].didRebuild != nil && store.cursor(of: $0) == nil,
                now: now
            )
        }
    }

    // MARK: - Requests

    /// Handles a request. `frames` are those behind the routing id.
    package func receive(_ frames: [[UInt8]], from principal: Principal, peer: [UInt8]) -> [Effect] {
        let ns = Stopwatch.nanoseconds()
        let admission = gate.admit(
            frames,
            from: principal,
            bootMs: bootMs(),
            ns: ns,
            isTraced: spans.isOn
        )
        switch admission {
        case .refused(let reply, let problem, let id, let route):
            let size = frames.reduce(0) { $0 + $1.count }
            spans.refused(route: route, id: id, problem, principal, bytes: size, startNs: ns)
            figures["refused", default: RouteFigures()].errors += 1
            tally.refused(route)
            return [.reply(peer: peer, frames: reply)] + flushSpansIfDue()
        case .accepted(let request, let rule):
            tally.received(request)
            guard rule.kind == .read || hasRoom else {
                return finish(request, peer: peer, repeated: false) { throw busy }
            }
            return accept(request, peer: peer)
        }
    }

    private var hasRoom: Bool { waiting < Self.waitingMax && waitingBytes < Self.waitingBytesMax }

    private var busy: Problem {
        Problem(
            "unavailable",
            """
            \(definition.name, "name") already has \(waiting, "waiting") requests waiting to be stored. Try \
            again in a moment.
            """,
            key: "unavailable.already-has-requests",
            retryable: true
        )
    }

    /// Handles a step of the service itself.
    package func accept(_ step: InternalStep<State>) -> [Effect] {
        tally.received(step.request)
        waiting += 1
        return [.store(.step(step.job))]
    }

    /// Handles a request that has been admitted.
    private func accept(_ request: AdmittedRequest, peer: [UInt8]) -> [Effect] {
        guard let route = routes[request.header.route] else { return builtin(request, peer: peer) }
        // Most routes have no preparations, and their requests are not copied.
        if route.preparations.isEmpty { return run(request, peer: peer, route) }
        var asking = request
        return prepare(&asking, peer: peer, route) ?? run(asking, peer: peer, route)
    }

    private func run(_ request: AdmittedRequest, peer: [UInt8], _ route: ServiceRoute<State>) -> [Effect] {
        guard case .read(let handler) = route.work else {
            waiting += 1
            waitingBytes += request.body.count
            return [.store(.request(request, peer: peer))]
        }
        return finish(request, peer: peer, repeated: false) {
            try handler(state, request.body, RequestContext(request, time: time))
        }
    }

    private func finish(
        _ request: AdmittedRequest,
        peer: [UInt8],
        repeated: Bool,
        _ body: () throws -> [UInt8]
    ) -> [Effect] {
        let frames: [[UInt8]]
        var outcome = "ok"
        do {
            frames = ReplyFrames.success(
                id: request.header.id,
                envelope: request.envelope,
                body: try body(),
                repeated: repeated
            )
        } catch {
            let problem = Problem(error)
            outcome = problem.code
            if Self.diskProblems.contains(outcome) { writeProblem = problem }
            frames = ReplyFrames.failure(id: request.header.id, envelope: request.envelope, problem)
        }
        record(request, outcome: repeated ? "duplicate" : outcome)
        tally.answered(request)
        return [.reply(peer: peer, frames: frames)] + flushSpansIfDue()
    }

    private func record(_ request: AdmittedRequest, outcome: String) {
        let ns = Stopwatch.nanoseconds()
        figures[request.header.route, default: RouteFigures()].histogram
            .record(us: (ns - request.receivedNs) / 1000)
        if outcome != "ok", outcome != "duplicate" {
            figures[request.header.route, default: RouteFigures()].errors += 1
        }
        spans.handled(request, outcome: outcome, endNs: ns)
    }

    // MARK: - Results of the database's thread

    package func batchDidFinish(_ batch: StoreBatch<State>, now: BootTime) -> [Effect] {
        state = batch.state
        for head in batch.heads {
            guard let index = heads.firstIndex(where: { $0.stream == head.stream }) else { continue }
            heads[index] = head
        }
        var effects: [Effect] = []
        for event in batch.events {
            effects.append(
                .publish(topic: event.header.type, header: event.header.encoded(), body: event.body)
            )
            beacon.published(event.header.stream, now: now)
            tally.published += 1
            spans.published(event)
        }
        spans.committed(batch)
        for (name, problem) in batch.warnings { effects.append(.warn(name, problem)) }
        for (event, problem) in batch.skipped {
            effects.append(.warn("event_unreadable", problem))
            spans.dropped(event, reason: problem.code)
        }
        if batch.hasWritten { writeProblem = nil }
        for result in batch.results { effects += handle(result, now: now) }
        return effects + flushSpansIfDue()
    }

    private func handle(_ result: StoreResult, now: BootTime) -> [Effect] {
        switch result {
        case .reply(let request, let peer, let body, let repeated):
            releaseCapacity(request)
            return finish(request, peer: peer, repeated: repeated) { body }
        case .refused(let request, let peer, let problem):
            releaseCapacity(request)
            return finish(request, peer: peer, repeated: false) { throw problem }
        case .stepped(let step, let problem):
            releaseCapacity(step.request)
            record(step.request, outcome: problem?.code ?? "ok")
            tally.answered(step.request)
            return [.settle(step, problem)]
        case .applied(let index, let events):
            spans.applied(events)
            return follow(index, .applied, now: now)
        case .applyFailed(let index, let problem):
            return [.warn("apply_failed", problem)] + follow(index, .applyFailed(problem), now: now)
        case .reached, .recorded: return []
        }
    }

    private func releaseCapacity(_ request: AdmittedRequest) {
        waiting -= 1
        waitingBytes -= request.body.count
    }

    // MARK: - Following

    package func follow(_ index: Int, _ input: FollowerMachine.Input, now: BootTime) -> [Effect] {
        if case .event(let event) = input { spans.received(event) }
        let effects = followers[index].handle(input, now: now).compactMap {
            effect -> Effect? in
            switch effect {
            case .fetch(let after): return .fetch(subscription: index, after: after)
            case .fetchSnapshot(let next): return .fetchSnapshot(subscription: index, next: next)
            case .apply(let events): return .store(.apply(subscription: index, events))
            case .applySnapshot(let events, let isFirst, let cursor):
                return .store(
                    .applySnapshot(subscription: index, events, isFirst: isFirst, cursor: cursor)
                )
            case .lost(let loss):
                return .store(.lost(loss.of(definition.subscriptions[index].source)))
            case .dropped(let event, let reason):
                spans.dropped(event, reason: reason)
                return nil
            case .gap(let from, let to):
                spans.gap(definition.subscriptions[index].stream, from: from, to: to)
                return nil
            }
        }
        return effects + catchUpEffects(index) + flushSpansIfDue()
    }

    /// Updates the state once a stream has been followed to its head.
    private func catchUpEffects(_ index: Int) -> [Effect] {
        guard definition.subscriptions[index].didCatchUp != nil else { return [] }
        if followers[index].state == .rebuilding { caughtUpSubscriptions.remove(index) }
        guard followers[index].isCaughtUp, caughtUpSubscriptions.insert(index).inserted else { return [] }
        return [.store(.reached(subscription: index))]
    }

    // MARK: - Tracing

    package var isTraced: Bool { spans.isOn }

    /// Publishes spans a few at a time. Single spans would wake libzmq's thread for every observed request.
    private func flushSpansIfDue() -> [Effect] {
        guard spans.isOn, spans.count > 0 else { return [] }
        guard spans.count < Self.spanBatch else { return flushSpans() }
        if spansDue == nil { spansDue = BootTime(ms: bootMs()) + Self.spanDelay }
        return []
    }

    private func flushSpans() -> [Effect] {
        spansDue = nil
        let topic = Topic.tracePrefix + definition.name.rawValue
        return spans.takeAll().compactMap { span in
            guard let body = try? span.encodedBody() else { return nil }
            return .publish(topic: topic, header: Array("{}".utf8), body: body)
        }
    }

    /// Adds a step that happened outside of the engine, such as a request that this process sent.
    package func recordSpan(_ span: @autoclosure () -> TraceSpan) -> [Effect] {
        guard spans.isOn else { return [] }
        spans.add(span())
        return flushSpansIfDue()
    }

    // Requests that wait for another service, or for the companion.

    /// Sends the question that must be answered first. Returns nil if the request can run immediately.
    private func prepare(
        _ request: inout AdmittedRequest,
        peer: [UInt8],
        _ route: ServiceRoute<State>
    ) -> [Effect]? {
        do {
            guard let next = try route.nextQuestion(state, &request) else { return nil }
            // A client that waits for long sends its request again. The work begins only once.
            guard let isCopy = preparing.join(request, peer) else { throw busy }
            if isCopy { return [] }
            // A read waits here too. A request that was admitted once keeps its place.
            guard hasRoom || !request.prepared.isEmpty else { throw busy }
            let id = preparing.add(
                .init(request: request, peers: [peer], route: next.route, source: next.source)
            )
            waiting += 1
            waitingBytes += request.body.count
            // The question of a forwarded request (`ServiceRoute.forward`) is the request itself, for the other service.
            let isForwarded = next.route == request.header.route
            let question = PreparationQuestion(
                id: id,
                source: next.source,
                route: next.route,
                body: next.body,
                deadlineBootMs: request.deadlineBootMs,
                trace: request.trace.next(),
                cause: request.header.id,
                idempotencyKey: isForwarded ? request.header.idempotencyKey : nil,
                behalf: isForwarded ? request.header.behalf : nil
            )
            return [.prepare(question)]
        } catch {
            return finish(request, peer: peer, repeated: false) { throw error }
        }
    }

    /// Handles the reply, or the failure, of a question.
    package func preparationDidFinish(_ id: UInt64, _ answer: Result<[UInt8], Problem>) -> [Effect] {
        guard var entry = preparing.remove(id) else { return [] }
        releaseCapacity(entry.request)
        switch answer {
        case .failure(let problem) where entry.source == .worker:
            // Mark the question as answered without a reply.
            entry.request.prepared[entry.route] = []
            let effects = entry.peers.flatMap { accept(entry.request, peer: $0) }
            return [.warn("not_prepared", problem)] + effects
        case .failure(let problem):
            return entry.peers.flatMap { finish(entry.request, peer: $0, repeated: false) { throw problem } }
        case .success(let body):
            entry.request.prepared[entry.route] = body
            return entry.peers.flatMap { accept(entry.request, peer: $0) }
        }
    }

    /// Answers the requests that wait for another service, because this service stops. Their clients can send them again.
    package func stop() -> [Effect] {
        let problem = Problem(
            "unavailable",
            "\(definition.name, "name") is stopping. Try again when it is running.",
            key: "unavailable.is-stopping-ask",
            retryable: true
        )
        return preparing.removeAll().flatMap { entry in
            releaseCapacity(entry.request)
            return entry.peers.flatMap { finish(entry.request, peer: $0, repeated: false) { throw problem } }
        }
    }

    // Messages to subscribers.

    package func didSubscribe(_ topic: String, now: BootTime) -> [Effect] {
        if topic.hasPrefix(Topic.syncPrefix) {
            guard Topic.isValid(topic) else { return [] }
            return [.publish(topic: topic, header: Array("{}".utf8), body: headsBody())]
        }
        if topic.hasPrefix(Topic.tracePrefix), traceTopics.count < Self.traceTopicsMax {
            traceTopics.insert(topic)
            spans.isOn = true
        }
        return heads.compactMap { head in
            let stream = StreamName(head.stream)
            guard topic == Topic.head(stream) else { return nil }
            return announce(beacon.subscribed(stream, now: now))
        }
    }

    package func didUnsubscribe(_ topic: String) {
        if traceTopics.remove(topic) != nil, traceTopics.isEmpty {
            spans.isOn = false
            // No subscriber is left to read them.
            _ = flushSpans()
        }
        for head in heads where topic == Topic.head(StreamName(head.stream)) {
            beacon.unsubscribed(StreamName(head.stream))
        }
    }

    package func tick(now: BootTime) -> [Effect] {
        var effects = beacon.tick(now: now).compactMap { announce($0) }
        for index in followers.indices where followers[index].next <= now {
            effects += follow(index, .tick, now: now)
        }
        if let spansDue, spansDue <= now { effects += flushSpans() }
        return effects
    }

    package var next: BootTime? {
        // Read after every message, so it creates no lists.
        var next = beacon.next
        for index in followers.indices { next = min(next ?? .distantFuture, followers[index].next) }
        if let spansDue { next = min(next ?? .distantFuture, spansDue) }
        return next
    }

    private func announce(_ stream: StreamName) -> Effect? {
        guard let head = heads.first(where: { $0.stream == stream.rawValue }) else { return nil }
        return .publish(topic: Topic.head(stream), header: Array("{}".utf8), body: head.encoded())
    }

    private func headsBody() -> [UInt8] {
        var list: [UInt8] = [UInt8(ascii: "[")]
        for (index, head) in heads.enumerated() {
            if index > 0 { list.append(UInt8(ascii: ",")) }
            list += head.encoded()
        }
        list.append(UInt8(ascii: "]"))
        var writer = JSONWriter()
        writer.raw("heads", list)
        return writer.finish()
    }

    // Reports about the service itself.

    /// The routes whose replies need data from outside the definition and its database.
    private static var builtins: [RouteInfo] {
        [
            RouteInfo(HealthPing.self), RouteInfo(HealthReport.self), RouteInfo(ClockStatus.self),
            RouteInfo(ClockTurn.self),
        ]
    }

    private func builtin(_ request: AdmittedRequest, peer: [UInt8]) -> [Effect] {
        finish(request, peer: peer, repeated: false) {
            switch request.header.route {
            case ClockStatus.name: return try clockStatus(isTurned: false).encodedBody()
            case ClockTurn.name: return try clockStatus(isTurned: true).encodedBody()
            case HealthPing.name:
                let vitals = vitals()
                return try HealthPing.Reply(
                    service: definition.name.rawValue,
                    pid: vitals.pid,
                    version: Version.text,
                    uptimeMs: vitals.uptime.ms,
                    state: healthState
                ).encodedBody()
            default: return try healthReport(vitals()).encodedBody()
            }
        }
    }

    private var healthState: String { definition.quarantine == nil ? "ready" : "quarantined" }

    private func healthReport(_ vitals: ServiceVitals) -> HealthReport.Reply {
        HealthReport.Reply(
            service: definition.name.rawValue,
            pid: vitals.pid,
            version: Version.text,
            uptimeMs: vitals.uptime.ms,
            state: healthState,
            pssKib: vitals.pssKib,
            databaseBytes: vitals.databaseBytes,
            streams: heads.map { .init(stream: $0.stream, epoch: $0.epoch, sequence: $0.sequence) },
            cursors: zip(definition.subscriptions, followers).map { subscription, follower in
                .init(
                    source: subscription.source.rawValue,
                    stream: subscription.stream.rawValue,
                    sequence: follower.applied?.sequence ?? 0,
                    headSeen: follower.latestHead,
                    state: follower.state.rawValue
                )
            },
            counters: vitals.counters.merging(followerCounters) { first, _ in first }
                .merging(definition.figures(state)) { first, _ in first },
            routes: figures.sorted { $0.key < $1.key }.map { name, figures in
                .init(
                    route: name,
                    count: figures.histogram.count,
                    errors: figures.errors,
                    p50Us: figures.histogram.quantile(0.5),
                    p99Us: figures.histogram.quantile(0.99)
                )
            },
            clockAsideMs: time.clockOffsetMs == 0 ? nil : time.clockOffsetMs,
            problem: definition.quarantine ?? writeProblem
        )
    }

    private var followerCounters: [String: Int64] {
        [
            "gaps": Int64(followers.reduce(0) { $0 + $1.gaps }),
            "duplicates": Int64(followers.reduce(0) { $0 + $1.duplicates }),
        ]
    }

    // Reports to the program that moves the virtual clock.

    private func clockStatus(isTurned: Bool) throws -> ClockStatus.Reply {
        guard let clock else {
            throw Problem(
                "clock.real",
                """
                \(definition.name, "name") uses the machine's own clock, which no request can set. For a \
                virtual clock, set \(ClockPage.variable, "variable") to the path of its file at the start.
                """,
                help: "screentime simulate --help"
            )
        }
        if isTurned { clock.onChange() }
        let vitals = clock.vitals()
        let now = time.now()
        var reply = ClockStatus.Reply(service: definition.name.rawValue, pid: vitals.pid)
        reply.generation = vitals.generation
        reply.wallMs = now.wallMs
        reply.bootMs = now.bootMs
        reply.sent = vitals.requestsSent + tally.answered
        reply.handled = vitals.repliesReceived + tally.received
        reply.published = tally.published
        reply.heard = vitals.eventsReceived
        reply.open = Int64(vitals.pendingRoutes.count) + tally.received - tally.answered
        let open = vitals.pendingRoutes.map { ">" + $0 } + tally.open.filter { $0.value > 0 }.keys.sorted()
        reply.openRoutes = open.isEmpty ? nil : open
        reply.jobs = vitals.jobs
        reply.busy = vitals.activeCount
        reply.begun = vitals.startedCount
        reply.dueWallMs = vitals.due.wallMs
        reply.dueBootMs = vitals.due.bootMs
        reply.heads = heads
        reply.cursors = zip(definition.subscriptions, followers).map { subscription, follower in
            ClockStatus.Cursor(
                source: subscription.source.rawValue,
                at: follower.applied
                    ?? StreamPoint(
                        stream: subscription.stream.rawValue,
                        epoch: "",
                        sequence: 0,
                        id: nil
                    ),
                isLive: follower.isCaughtUp
            )
        }
        return reply
    }
}
