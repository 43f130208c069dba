package import STBus
package import STContracts
package import STPlatform

/// The half of a service that lives on the bus thread: it admits requests, answers reads from a snapshot of the
/// state, publishes what was committed, and follows other services' streams.
///
/// Messages and moments come in, effects come out; sockets, threads and timers are somebody else's.
package final class ServiceEngine<State: Sendable> {
    /// Far more than there are listeners; those beyond hear what these have asked for.
    static var traceTopicsMax: Int { 100 }

    /// Requests that wait for the database's thread, and the bytes of their bodies: a disk that stands still must not
    /// take all memory.
    package static var waitingMax: Int { 10_000 }
    private static var waitingBytesMax: Int { 64 << 20 }

    let definition: ServiceDefinition<State>
    let gate: RequestGate
    let routes: [String: ServiceRoute<State>]
    let time: any TimeSource
    let bootMs: () -> Int64
    let vitals: () -> ServiceVitals
    /// Nil on the machine's own clock.
    let clock: ServiceClock?
    var tally = Tally()
    var state: State
    private(set) var heads: [StreamPoint]
    var beacon = HeadBeacon()
    var waiting = 0
    var waitingBytes = 0
    private(set) var figures: [String: RouteFigures] = [:]
    var spans: SpanRecorder
    var spansDueMs: Int64?
    private static var spanBatch: Int { 64 }
    private static var spanDelayMs: Int64 { 10 }
    /// What listeners to traces have asked for: the socket tells when the last one of each has gone.
    var traceTopics: Set<String> = []
    var preparing: [UInt64: Prepared] = [:]
    var lastPreparation: UInt64 = 0
    package private(set) var followers: [FollowerMachine]
    /// Streams that have been followed to their heads.
    private var reached: Set<Int> = []

    package init(
        _ definition: ServiceDefinition<State>,
        store: StoreEngine<State>,
        source: String,
        owner: UInt32,
        time: any TimeSource,
        nowMs: Int64,
        bootMs: @escaping () -> Int64 = Stopwatch.bootMilliseconds,
        clock: ServiceClock? = nil,
        vitals: @escaping () -> ServiceVitals
    ) throws {
        self.definition = definition
        self.time = time
        self.bootMs = bootMs
        self.clock = clock
        self.vitals = vitals
        routes = CommonRoutes.byName(with: definition, source: source)
        var rules = routes.mapValues { RequestGate.Rule(access: $0.info.access, kind: $0.info.kind) }
        for info in Self.builtins { rules[info.name] = RequestGate.Rule(access: info.access, kind: .read) }
        gate = RequestGate(service: definition.name, owner: owner, rules: rules)
        spans = SpanRecorder(service: definition.name.rawValue)
        state = store.state
        heads = try store.heads()
        followers = try definition.subscriptions.indices.map {
            FollowerMachine(
                stream: definition.subscriptions[$0].stream,
                cursor: try store.cursor(of: $0),
                isRebuilding: try store.isRebuilding($0),
                nowMs: nowMs
            )
        }
    }

    // MARK: - Requests

    /// A request has come; `frames` are those behind the routing id.
    package func receive(_ frames: [[UInt8]], from principal: Principal, peer: [UInt8]) -> [ServiceEffect] {
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
            return [.reply(peer: peer, frames: reply)] + traced()
        case .accepted(let request, let rule):
            tally.received(request)
            guard rule.kind == .read || hasRoom else {
                return finish(request, peer: peer, repeated: false) { throw busy }
            }
            return take(request, peer: peer)
        }
    }

    var hasRoom: Bool { waiting < Self.waitingMax && waitingBytes < Self.waitingBytesMax }

    var busy: Problem {
        Problem(
            "unavailable",
            "\(definition.name) has \(waiting) requests to write down already; ask again in a moment.",
            retryable: true
        )
    }

    /// The way in for the process itself.
    package func takeOwn(_ request: AdmittedRequest, peer: [UInt8]) -> [ServiceEffect] {
        tally.received(request)
        return take(request, peer: peer)
    }

    /// A request that needs no admission any more.
    func take(_ request: AdmittedRequest, peer: [UInt8]) -> [ServiceEffect] {
        guard let route = routes[request.header.route] else { return builtin(request, peer: peer) }
        if let effects = prepare(request, peer: peer, route) { return effects }
        guard case .read(let handler) = route.work else {
            waiting += 1
            waitingBytes += request.body.count
            return [.store(.request(request, peer: peer))]
        }
        return finish(request, peer: peer, repeated: false) {
            try handler(state, request.body, RequestContext(request, time: time))
        }
    }

    func finish(
        _ request: AdmittedRequest,
        peer: [UInt8],
        repeated: Bool,
        _ body: () throws -> [UInt8]
    ) -> [ServiceEffect] {
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
            let problem = (error as? Problem) ?? Problem("internal", "\(error)")
            outcome = problem.code
            frames = ReplyFrames.failure(id: request.header.id, envelope: request.envelope, problem)
        }
        record(request, outcome: repeated ? "duplicate" : outcome)
        tally.answered(request)
        return [.reply(peer: peer, frames: frames)] + traced()
    }

    func record(_ request: AdmittedRequest, outcome: String) {
        let ns = Stopwatch.nanoseconds()
        figures[request.header.route, default: RouteFigures()].histogram
            .record(us: (ns - request.receivedNs) / 1000)
        if outcome != "ok", outcome != "duplicate" {
            figures[request.header.route, default: RouteFigures()].errors += 1
        }
        spans.handled(request, outcome: outcome, endNs: ns)
    }

    // MARK: - What the database's thread has done

    package func finished(_ batch: StoreBatch<State>, nowMs: Int64) -> [ServiceEffect] {
        state = batch.state
        for head in batch.heads {
            guard let index = heads.firstIndex(where: { $0.stream == head.stream }) else { continue }
            heads[index] = head
        }
        var effects: [ServiceEffect] = []
        for event in batch.events {
            effects.append(
                .publish(topic: event.header.type, header: event.header.encoded(), body: event.body)
            )
            beacon.published(event.header.stream, nowMs: nowMs)
            tally.published += 1
            spans.published(event)
        }
        spans.committed(batch)
        for (name, problem) in batch.warnings { effects.append(.warn(name, problem)) }
        for (event, problem) in batch.skipped {
            effects.append(.warn("event_unreadable", problem))
            spans.dropped(event, reason: problem.code)
        }
        for result in batch.results { effects += take(result, nowMs: nowMs) }
        return effects + traced()
    }

    func take(_ result: StoreResult, nowMs: Int64) -> [ServiceEffect] {
        switch result {
        case .reply(let request, let peer, let body, let repeated):
            leave(request)
            return finish(request, peer: peer, repeated: repeated) { body }
        case .refused(let request, let peer, let problem):
            leave(request)
            return finish(request, peer: peer, repeated: false) { throw problem }
        case .applied(let index, let events):
            spans.applied(events)
            return follow(index, .applied, nowMs: nowMs)
        case .applyFailed(let index, let problem):
            return [.warn("apply_failed", problem)] + follow(index, .applyFailed(problem), nowMs: nowMs)
        case .reached: return []
        }
    }

    func leave(_ request: AdmittedRequest) {
        waiting -= 1
        waitingBytes -= request.body.count
    }

    // MARK: - Following

    package func follow(_ index: Int, _ input: FollowerMachine.Input, nowMs: Int64) -> [ServiceEffect] {
        if case .event(let event) = input { spans.received(event) }
        let effects = followers[index].handle(input, nowMs: nowMs).compactMap { effect -> ServiceEffect? in
            switch effect {
            case .fetch(let after): return .fetch(subscription: index, after: after)
            case .fetchSnapshot(let next): return .fetchSnapshot(subscription: index, next: next)
            case .apply(let events): return .store(.apply(subscription: index, events))
            case .applySnapshot(let events, let isFirst, let cursor):
                return .store(
                    .applySnapshot(subscription: index, events, isFirst: isFirst, cursor: cursor)
                )
            case .dropped(let event, let reason):
                spans.dropped(event, reason: reason)
                return nil
            case .gap(let from, let to):
                spans.gap(definition.subscriptions[index].stream, from: from, to: to)
                return nil
            }
        }
        return effects + arrival(index) + traced()
    }

    /// Tells the state once that it knows all of a stream.
    private func arrival(_ index: Int) -> [ServiceEffect] {
        guard definition.subscriptions[index].reached != nil else { return [] }
        if followers[index].state == .rebuilding { reached.remove(index) }
        guard followers[index].isSettled, reached.insert(index).inserted else { return [] }
        return [.store(.reached(subscription: index))]
    }

    // MARK: - Tracing

    package var isTraced: Bool { spans.isOn }

    /// Spans leave a few at a time: one by one they would wake libzmq's thread for every request that is watched.
    func traced() -> [ServiceEffect] {
        guard spans.isOn, spans.count > 0 else { return [] }
        guard spans.count < Self.spanBatch else { return flushSpans() }
        if spansDueMs == nil { spansDueMs = bootMs() + Self.spanDelayMs }
        return []
    }

    func flushSpans() -> [ServiceEffect] {
        spansDueMs = nil
        let topic = Topic.tracePrefix + definition.name.rawValue
        return spans.take().compactMap { span in
            guard let body = try? span.encodedBody() else { return nil }
            return .publish(topic: topic, header: Array("{}".utf8), body: body)
        }
    }

    /// A step that happened outside of the engine, such as a request this process sent.
    package func note(_ span: @autoclosure () -> TraceSpan) -> [ServiceEffect] {
        guard spans.isOn else { return [] }
        spans.add(span())
        return traced()
    }
}
