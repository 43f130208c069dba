import STContracts

/// Which steps of a story are shown.
///
/// A batch can publish hundreds of events, and after the first few that went well the others say nothing new.
/// Whatever went wrong is always shown.
struct TraceFold {
    /// One more would be folded into a line of its own, which saves nothing.
    private static let shownAlike = 4

    struct Child {
        var index: Int
        var more: Int
    }

    /// Equal for subtrees that look the same; nil where something in it went wrong.
    private var shapes: [String?]

    init(_ tree: TraceTree) {
        shapes = Array(repeating: nil, count: tree.nodes.count)
        var order = tree.roots
        var next = 0
        while next < order.count {
            order += tree.nodes[order[next]].children
            next += 1
        }
        for index in order.reversed() {
            let node = tree.nodes[index]
            guard node.span.outcome == "ok", node.span.kind != .drop else { continue }
            let inner = node.children.map { shapes[$0] }
            guard !inner.contains(nil) else { continue }
            let parts = inner.compactMap { $0 }.joined(separator: ",")
            // Beyond this length subtrees are hardly ever alike, and the text would only cost memory.
            guard parts.utf8.count < 2_000 else { continue }
            shapes[index] = "\(node.span.kind.rawValue) \(node.span.name) \(node.span.service)(\(parts))"
        }
    }

    func children(of index: Int, _ tree: TraceTree) -> [Child] {
        var result: [Child] = []
        var shown: [String: Int] = [:]
        var hidden = 0
        for child in tree.nodes[index].children {
            guard let shape = shapes[child] else {
                result.append(Child(index: child, more: 0))
                continue
            }
            shown[shape, default: 0] += 1
            if shown[shape, default: 0] <= Self.shownAlike {
                result.append(Child(index: child, more: 0))
            } else {
                hidden += 1
            }
        }
        if hidden > 0 { result.append(Child(index: index, more: hidden)) }
        return result
    }
}
