import STContracts

/// Who stands in whom on a page; a node is known by its place in preorder, so all within it has higher numbers.
struct PageOutline {
    let nodes: [PageNode]
    let children: [[Int]]
    /// -1 for what stands in nothing.
    let parents: [Int]
    /// Whether the nearest stack around goes to the side: spacers and dividers ask.
    let isInRow: [Bool]

    /// Nil when the counts do not fit together, or when there is more or deeper than a page may have.
    init?(_ nodes: [PageNode], depthMax: Int, nodesMax: Int) {
        guard nodes.count <= nodesMax else { return nil }
        var children = [[Int]](repeating: [], count: nodes.count)
        var parents = [Int](repeating: -1, count: nodes.count)
        var isInRow = [Bool](repeating: false, count: nodes.count)
        var open: [(node: Int, rest: Int)] = []
        for (index, node) in nodes.enumerated() {
            while let last = open.last, last.rest == 0 { open.removeLast() }
            if let last = open.last {
                parents[index] = last.node
                children[last.node].append(index)
                open[open.count - 1].rest -= 1
                isInRow[index] = Self.isRow(nodes[last.node]) ?? isInRow[last.node]
            }
            let count = node.count ?? 0
            guard count >= 0, count < nodes.count - index else { return nil }
            if count > 0 { open.append((index, count)) }
            guard open.count <= depthMax else { return nil }
        }
        guard open.allSatisfy({ $0.rest == 0 }) else { return nil }
        self.nodes = nodes
        self.children = children
        self.parents = parents
        self.isInRow = isInRow
    }

    /// Nil for what is no stack.
    private static func isRow(_ node: PageNode) -> Bool? {
        switch node.kind {
        case .horizontal: true
        case .vertical, .list, .section, .layered, .grid: false
        case .scroll: node.isHorizontal == true
        default: nil
        }
    }
}
