package import STContracts

/// The spans of one trace as a tree of causes.
///
/// A span names its parent by id if the message carried the id. Otherwise the messages determine the parent:
///
/// - The parent of a publication is the step that its `cause` names.
/// - The parent of an applied event is the publication of the same message.
package struct TraceTree: Sendable {
    package struct Node: Sendable {
        package var span: TraceSpan
        package var parent: Int?
        package var children: [Int] = []

        package var endUs: Int64 { span.startUs + span.durationUs }
    }

    package private(set) var nodes: [Node]
    package private(set) var roots: [Int] = []

    /// Creates a tree. `spans` may be in any order, because they come from several processes.
    package init(_ spans: [TraceSpan]) {
        var seen: Set<String> = []
        nodes = spans.sorted(by: Self.isBefore).filter { seen.insert($0.spanId).inserted }.map {
            Node(span: $0)
        }
        link(TraceIndex(nodes.map(\.span)))
        for index in nodes.indices {
            if let parent = nodes[index].parent {
                nodes[parent].children.append(index)
            } else {
                roots.append(index)
            }
        }
    }

    /// Returns the time between the end of the parent and the start of a step in another process.
    ///
    /// If the parent had not ended, returns the time since its start. Returns `nil` within one process.
    package func hopUs(_ index: Int) -> Int64? {
        guard let parent = nodes[index].parent, nodes[parent].span.service != nodes[index].span.service else {
            return nil
        }
        let start = nodes[index].span.startUs
        let sinceEnd = start - nodes[parent].endUs
        return sinceEnd >= 0 ? sinceEnd : max(0, start - nodes[parent].span.startUs)
    }

    private static func isBefore(_ left: TraceSpan, _ right: TraceSpan) -> Bool {
        if left.startUs != right.startUs { return left.startUs < right.startUs }
        // Of two spans with the same start, the longer one contains the other.
        if left.durationUs != right.durationUs { return left.durationUs > right.durationUs }
        return left.spanId < right.spanId
    }

    private mutating func link(_ index: TraceIndex) {
        for child in nodes.indices {
            guard let parent = index.parent(of: nodes[child].span), !leads(from: parent, to: child) else {
                continue
            }
            nodes[child].parent = parent
        }
    }

    /// Returns true if `target` is an ancestor. Spans come from other programs, so they could form a cycle.
    private func leads(from start: Int, to target: Int) -> Bool {
        var next: Int? = start
        while let index = next {
            if index == target { return true }
            next = nodes[index].parent
        }
        return false
    }
}

/// Finds the spans of one trace by their ids and by their messages.
struct TraceIndex {
    private var bySpan: [String: Int] = [:]
    /// The steps that can cause a message: the handling of a request, and the application of an event.
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

    /// Returns the step that caused a span. A repeated request is handled several times.
    ///
    /// The cause is the last handling that began before the span, preferably in the same process.
    private func cause(of span: TraceSpan) -> Int? {
        guard let id = span.cause, let candidates = steps[id] else { return nil }
        let own = candidates.filter { spans[$0].service == span.service }
        let near = own.isEmpty ? candidates : own
        return near.last { spans[$0].startUs <= span.startUs && spans[$0].outcome != "duplicate" }
            ?? near.last { spans[$0].startUs <= span.startUs } ?? near.first
    }
}
