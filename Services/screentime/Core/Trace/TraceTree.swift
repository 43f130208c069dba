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

    /// In any order: spans of several processes arrive as they like.
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
