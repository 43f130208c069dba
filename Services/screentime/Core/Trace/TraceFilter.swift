package import STContracts

/// Which stories, or spans, somebody wants to see.
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

    /// A story is shown whole when one of its steps is wanted, because the rest is why and what followed.
    package func accepts(_ story: TraceStory) -> Bool { story.spans.contains(where: accepts) }
}
