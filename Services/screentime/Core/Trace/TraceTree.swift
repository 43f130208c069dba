package import STContracts

/// The spans of one story as a tree: who caused what.
///
/// A span names its parent by id where the message carried one. Where it did not, the messages tell: what is published
/// hangs under the step that its `cause` names, and what is applied under the publishing of the same message.
package struct TraceTree: Sendable {
    package struct Node: Sendable {
        package var span: TraceSpan
        package var parent: Int?
        package var children: [Int] = []

        package var endUs: Int64 { span.startUs + span.durationUs }
    }

    package private(set) var nodes: [Node]
    package private(set) var roots: [Int] = []

    /// `spans` may be in any order: they come from several processes.
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

    /// How long after its parent ended a step of another process began.
    ///
    /// Where the parent was still at work, counted from its start; nil within one process.
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
        // At the same microsecond the longer one contains the other.
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

    /// Spans come from outside, so they could name each other in a circle.
    private func leads(from start: Int, to target: Int) -> Bool {
        var next: Int? = start
        while let index = next {
            if index == target { return true }
            next = nodes[index].parent
        }
        return false
    }
}

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
