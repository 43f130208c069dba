package import STContracts

/// All spans of one trace id that were heard so far.
package struct TraceStory: Sendable {
    package let traceId: String
    package internal(set) var spans: [TraceSpan]
    /// More of a story that was printed before.
    package let isContinued: Bool
    var firstMs: Int64
    var lastMs: Int64
    var missing = 0

    package init(traceId: String, spans: [TraceSpan], isContinued: Bool = false, nowMs: Int64 = 0) {
        self.traceId = traceId
        self.spans = spans
        self.isContinued = isContinued
        firstMs = nowMs
        lastMs = nowMs
    }

    package var startUs: Int64 { spans.map(\.startUs).min() ?? 0 }

    package var tree: TraceTree { TraceTree(spans) }
}
