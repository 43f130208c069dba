package import STContracts

/// Groups spans into traces, and returns the traces that are ready to be shown.
package struct TraceCollector: Sendable {
    /// A trace is shown if no span of it was received for this long.
    package static let quietInterval: Duration = .milliseconds(300)
    /// A trace is always shown after this time.
    package static let longestWait: Duration = .seconds(2)
    private static let storiesMax = 2_000
    private static let spansMax = 5_000
    private static let toldMax = 4_000

    private var open: [String: CollectedTrace] = [:]
    private var finishedIDs: Set<String> = []
    private var finishedOrder: [String] = []

    package init() {}

    package mutating func add(_ span: TraceSpan, now: SuspendingClock.Instant) {
        guard var story = open[span.traceId] else {
            // A flood of traces with one span must not use all memory. Traces beyond the bound are dropped.
            guard open.count < Self.storiesMax else { return }
            open[span.traceId] = CollectedTrace(
                traceId: span.traceId,
                spans: [span],
                isContinued: finishedIDs.contains(span.traceId),
                now: now
            )
            return
        }
        if story.spans.count < Self.spansMax { story.spans.append(span) } else { story.missing += 1 }
        story.last = now
        open[span.traceId] = story
    }

    /// Returns the traces that are ready, in the order of their beginning.
    package mutating func due(now: SuspendingClock.Instant) -> [CollectedTrace] {
        removeReady { now - $0.last >= Self.quietInterval || now - $0.first >= Self.longestWait }
    }

    package mutating func flush() -> [CollectedTrace] { removeReady { _ in true } }

    private mutating func removeReady(_ isReady: (CollectedTrace) -> Bool) -> [CollectedTrace] {
        let ready = open.values.filter(isReady).sorted { ($0.startUs, $0.traceId) < ($1.startUs, $1.traceId) }
        for story in ready {
            open[story.traceId] = nil
            if finishedIDs.insert(story.traceId).inserted { finishedOrder.append(story.traceId) }
        }
        if finishedOrder.count > Self.toldMax {
            for id in finishedOrder.prefix(finishedOrder.count - Self.toldMax) { finishedIDs.remove(id) }
            finishedOrder.removeFirst(finishedOrder.count - Self.toldMax)
        }
        return ready
    }
}

/// All received spans of one trace id.
package struct CollectedTrace: Sendable {
    package let traceId: String
    package internal(set) var spans: [TraceSpan]
    /// True if an earlier part of the trace was already printed.
    package let isContinued: Bool
    var first: SuspendingClock.Instant
    var last: SuspendingClock.Instant
    var missing = 0

    package init(
        traceId: String,
        spans: [TraceSpan],
        isContinued: Bool = false,
        now: SuspendingClock.Instant = .now
    ) {
        self.traceId = traceId
        self.spans = spans
        self.isContinued = isContinued
        first = now
        last = now
    }

    package var startUs: Int64 { spans.map(\.startUs).min() ?? 0 }

    package var tree: TraceTree { TraceTree(spans) }
}

/// The traces or spans that the options select.
package struct TraceFilter: Sendable {
    package var service: String?
    /// The beginning of a route or an event type.
    package var topic: String?
    /// The beginning of a trace id.
    package var trace: String?

    package init(service: String? = nil, topic: String? = nil, trace: String? = nil) {
        self.service = service
        self.topic = topic
        self.trace = trace
    }

    package func accepts(_ span: TraceSpan) -> Bool {
        (service == nil || span.service == service)
            && (topic.map { span.name.hasPrefix($0) } ?? true)
            && (trace.map { span.traceId.hasPrefix($0) } ?? true)
    }

    /// Returns true if one step of the trace matches. The other steps show its cause and its consequences.
    package func accepts(_ story: CollectedTrace) -> Bool { story.spans.contains(where: accepts) }
}
