import STContracts

/// Where the spans of one story are found, by their own id and by the message they are about.
struct TraceIndex {
    private var bySpan: [String: Int] = [:]
    /// Steps that can be the cause of a message: the handling of a request and the applying of an event.
    private var steps: [String: [Int]] = [:]
    private var publishes: [String: Int] = [:]
    private let spans: [TraceSpan]

    init(_ spans: [TraceSpan]) {
        self.spans = spans
        for (index, span) in spans.enumerated() {
            bySpan[span.spanId] = index
            switch span.kind {
            case .handle, .apply: steps[span.messageId, default: []].append(index)
            case .publish: publishes[span.messageId] = index
            case .send, .commit, .drop, .unknown: break
            }
        }
    }

    func parent(of span: TraceSpan) -> Int? {
        if let id = span.parentId, let index = bySpan[id], spans[index].spanId != span.spanId { return index }
        switch span.kind {
        case .apply, .drop: return publishes[span.messageId] ?? cause(of: span)
        case .publish, .handle, .send: return cause(of: span)
        case .commit, .unknown: return nil
        }
    }

    /// A repeated request has several handlings; the one that published is the last that began before it, and of the
    /// same process.
    private func cause(of span: TraceSpan) -> Int? {
        guard let id = span.cause, let candidates = steps[id] else { return nil }
        let own = candidates.filter { spans[$0].service == span.service }
        let near = own.isEmpty ? candidates : own
        return near.last { spans[$0].startUs <= span.startUs && spans[$0].outcome != "duplicate" }
            ?? near.last { spans[$0].startUs <= span.startUs } ?? near.first
    }
}
