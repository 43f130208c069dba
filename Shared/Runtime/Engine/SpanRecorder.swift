import STBus
import STContracts
import STPlatform

/// Records the spans of traces while a subscriber listens. Otherwise it costs one comparison.
struct SpanRecorder {
    /// Upper bound on the spans. A slow listener is not worth more memory, and receives the oldest ones.
    private static let turnMax = 5_000

    private let service: String
    var isOn = false
    private var spans: [TraceSpan] = []
    var count: Int { spans.count }
    /// The arrival times of live events, for the durations until they were applied.
    private var receivedNs: [String: Int64] = [:]

    init(service: String) { self.service = service }

    mutating func takeAll() -> [TraceSpan] {
        defer { spans.removeAll(keepingCapacity: true) }
        return spans
    }

    mutating func add(_ span: TraceSpan) {
        guard isOn, spans.count < Self.turnMax else { return }
        spans.append(span)
    }

    mutating func handled(_ request: AdmittedRequest, outcome: String, endNs: Int64) {
        // Steps that a process takes only for itself belong to no trace.
        guard isOn, request.trace != .empty else { return }
        add(
            TraceSpan(
                service: service,
                kind: .handle,
                name: request.header.route,
                messageId: request.header.id,
                cause: request.header.cause,
                trace: request.trace,
                parentId: TraceContext(traceparent: request.header.traceparent)?.spanID,
                startUs: Self.bootUs(request.receivedNs, endNs),
                durationUs: (endNs - request.receivedNs) / 1000,
                principal: "\(request.principal.uid):\(request.principal.pid)",
                bytes: Int64(request.body.count),
                outcome: outcome
            )
        )
    }

    mutating func refused(
        route: String?,
        id: String?,
        _ problem: Problem,
        _ principal: Principal,
        bytes: Int,
        startNs: Int64
    ) {
        guard isOn else { return }
        let now = Stopwatch.nanoseconds()
        add(
            TraceSpan(
                service: service,
                kind: .drop,
                name: route ?? "?",
                messageId: id ?? "?",
                trace: .fresh(),
                parentId: nil,
                startUs: Self.bootUs(startNs, now),
                durationUs: (now - startNs) / 1000,
                principal: "\(principal.uid):\(principal.pid)",
                bytes: Int64(bytes),
                outcome: problem.code
            )
        )
    }

    mutating func published(_ event: WireEvent) {
        guard isOn, let trace = TraceContext(traceparent: event.header.traceparent) else { return }
        let now = Stopwatch.nanoseconds()
        add(
            TraceSpan(
                service: service,
                kind: .publish,
                name: event.header.type,
                messageId: event.header.id,
                cause: event.header.cause,
                trace: trace,
                parentId: nil,
                startUs: Self.bootUs(now, now),
                durationUs: 0,
                bytes: Int64(event.body.count)
            )
        )
    }

    mutating func committed<State>(_ batch: StoreBatch<State>) {
        guard isOn, batch.commitEndNs > batch.commitStartNs else { return }
        for result in batch.results {
            let request: AdmittedRequest
            switch result {
            case .reply(let answered, _, _, false): request = answered
            case .stepped(let step, nil) where step.isChange: request = step.request
            default: continue
            }
            guard request.trace != .empty else { continue }
            let now = Stopwatch.nanoseconds()
            add(
                TraceSpan(
                    service: service,
                    kind: .commit,
                    name: request.header.route,
                    messageId: request.header.id,
                    trace: request.trace.next(),
                    parentId: request.trace.spanID,
                    startUs: Self.bootUs(batch.commitStartNs, now),
                    durationUs: (batch.commitEndNs - batch.commitStartNs) / 1000
                )
            )
        }
    }

    mutating func received(_ event: WireEvent) {
        guard isOn else { return }
        if receivedNs.count > Self.turnMax { receivedNs = [:] }
        receivedNs[event.header.id] = Stopwatch.nanoseconds()
    }

    mutating func applied(_ events: [WireEvent]) {
        guard isOn else { return }
        let now = Stopwatch.nanoseconds()
        for event in events {
            guard let trace = TraceContext(traceparent: event.header.traceparent) else { continue }
            let start = receivedNs.removeValue(forKey: event.header.id)
            add(
                TraceSpan(
                    service: service,
                    kind: .apply,
                    name: event.header.type,
                    messageId: event.header.id,
                    cause: event.header.cause,
                    trace: trace.next(),
                    parentId: trace.spanID,
                    startUs: Self.bootUs(start ?? now, now),
                    durationUs: (now - (start ?? now)) / 1000,
                    bytes: Int64(event.body.count),
                    // The event did not arrive live, but was read from the publisher's log.
                    outcome: start == nil ? "caught_up" : "ok"
                )
            )
        }
    }

    mutating func dropped(_ event: WireEvent, reason: String) {
        guard isOn, let trace = TraceContext(traceparent: event.header.traceparent) else { return }
        drop(
            event.header.type,
            id: event.header.id,
            trace: trace.next(),
            parentId: trace.spanID,
            reason: reason
        )
    }

    mutating func gap(_ stream: StreamName, from: Int64, to: Int64) {
        guard isOn else { return }
        drop("\(stream) \(from)…\(to)", id: "?", trace: .fresh(), parentId: nil, reason: "gap")
    }

    private mutating func drop(
        _ name: String,
        id: String,
        trace: TraceContext,
        parentId: String?,
        reason: String
    ) {
        let now = Stopwatch.nanoseconds()
        add(
            TraceSpan(
                service: service,
                kind: .drop,
                name: name,
                messageId: id,
                trace: trace,
                parentId: parentId,
                startUs: Self.bootUs(now, now),
                durationUs: 0,
                outcome: reason
            )
        )
    }

    /// Converts a time to real boot time, because spans are compared between processes. Durations are measured on the monotonic
    /// clock, which stops while the machine sleeps.
    private static func bootUs(_ thenNs: Int64, _ nowNs: Int64) -> Int64 {
        Stopwatch.bootMicroseconds() - (nowNs - thenNs) / 1000
    }
}
