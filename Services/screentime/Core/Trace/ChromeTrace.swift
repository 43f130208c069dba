package import STContracts

/// Spans in Chrome's Trace Event Format, which Perfetto opens.
///
/// Each service is a process, each span a slice. An arrow connects two processes if one span caused the other.
package struct ChromeTrace: Sendable {
    private let tree: TraceTree
    private let processes: [String: Int64]

    package init(_ spans: [TraceSpan]) {
        tree = TraceTree(spans)
        let known = ServiceName.all.map(\.rawValue)
        let others = Set(spans.map(\.service)).subtracting(known).sorted()
        let present = Set(spans.map(\.service))
        let names = (known + others).filter { present.contains($0) }
        processes = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, Int64($0 + 1)) })
    }

    package var document: JSONValue {
        var lanes = LaneAssignment()
        var events: [JSONValue] = processes.sorted { $0.value < $1.value }.flatMap { name, pid in
            [
                metadata("process_name", pid: pid, key: "name", value: .string(name)),
                metadata("process_sort_index", pid: pid, key: "sort_index", value: .integer(pid)),
            ]
        }
        let placed = tree.nodes.map { node in
            lanes.lane(
                node.span.service,
                startUs: node.span.startUs,
                endUs: node.span.startUs + Self.length(node.span)
            )
        }
        for (index, node) in tree.nodes.enumerated() { events.append(slice(node.span, lane: placed[index])) }
        for (index, node) in tree.nodes.enumerated() {
            guard let parent = node.parent, tree.nodes[parent].span.service != node.span.service else {
                continue
            }
            events += arrow(from: parent, to: index, placed)
        }
        return ["displayTimeUnit": "ms", "traceEvents": .array(events)]
    }

    /// Returns at least one microsecond, because an arrow needs a slice at both ends.
    private static func length(_ span: TraceSpan) -> Int64 { max(1, span.durationUs) }

    private func pid(_ span: TraceSpan) -> JSONValue { .integer(processes[span.service] ?? 0) }

    private func metadata(_ name: String, pid: Int64, key: String, value: JSONValue) -> JSONValue {
        ["name": .string(name), "ph": "M", "pid": .integer(pid), "tid": 0, "args": .object([key: value])]
    }

    private func slice(_ span: TraceSpan, lane: Int64) -> JSONValue {
        var arguments: [String: JSONValue] = [
            "trace_id": .string(span.traceId), "span_id": .string(span.spanId),
            "message_id": .string(span.messageId),
            "outcome": .string(span.outcome), "bytes": .integer(span.bytes),
        ]
        if let cause = span.cause { arguments["cause"] = .string(cause) }
        if let parent = span.parentId { arguments["parent_id"] = .string(parent) }
        if let principal = span.principal { arguments["principal"] = .string(principal) }
        return [
            "name": .string(span.kind == .handle ? span.name : "\(span.kind.rawValue) \(span.name)"),
            "cat": .string(span.kind.rawValue), "ph": "X", "ts": .integer(span.startUs),
            "dur": .integer(Self.length(span)), "pid": pid(span), "tid": .integer(lane),
            "args": .object(arguments),
        ]
    }

    /// Returns an arrow. Both ends must be inside their slices, and the arrow must not point backwards.
    private func arrow(from parent: Int, to child: Int, _ lanes: [Int64]) -> [JSONValue] {
        let source = tree.nodes[parent].span
        let target = tree.nodes[child].span
        let last = source.startUs + Self.length(source) - 1
        let start = max(source.startUs, min(last, target.startUs))
        func end(_ phase: String, span: TraceSpan, us: Int64, lane: Int64) -> [String: JSONValue] {
            [
                "name": "cause", "cat": "cause", "ph": .string(phase), "id": .integer(Int64(child)),
                "ts": .integer(us), "pid": pid(span), "tid": .integer(lane),
            ]
        }
        var finish = end("f", span: target, us: target.startUs, lane: lanes[child])
        // Binds the arrow to the enclosing slice instead of the next one.
        finish["bp"] = "e"
        return [.object(end("s", span: source, us: start, lane: lanes[parent])), .object(finish)]
    }
}

/// Assigns the spans of one process to lanes in which spans only nest.
///
/// Viewers draw overlapping slices of one lane incorrectly. Spans must be passed in the order of their start.
struct LaneAssignment {
    /// The ends of the open spans, by service and lane.
    private var lanes: [String: [[Int64]]] = [:]

    mutating func lane(_ service: String, startUs: Int64, endUs: Int64) -> Int64 {
        var own = lanes[service] ?? []
        defer { lanes[service] = own }
        for index in own.indices {
            while let end = own[index].last, end <= startUs { own[index].removeLast() }
            guard let end = own[index].last else {
                own[index] = [endUs]
                return Int64(index + 1)
            }
            if end >= endUs {
                own[index].append(endUs)
                return Int64(index + 1)
            }
        }
        own.append([endUs])
        return Int64(own.count)
    }
}
