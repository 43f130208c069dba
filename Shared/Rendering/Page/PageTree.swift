package import STContracts
package import STPlatform

/// Finds what stands in what: the nodes of a page lie in one row, each followed by all that is in it.
package struct PageTree: Sendable {
    package let nodes: [PageNode]
    /// The nodes that are in no other, in order.
    package let roots: [Int]
    /// For each node, the first one after all that is in it.
    package let ends: [Int]

    /// Refuses counts that do not add up, and what is too large or too deep.
    ///
    /// Goes along the row with a list of open nodes, so that no input makes it call itself.
    package init(_ nodes: [PageNode], field: String = "") throws(Problem) {
        guard nodes.count <= PageLimits.nodes else {
            throw Problem(
                "page.nodes",
                """
                A page has at most \(PageLimits.nodes, "nodes") views; this one has \(nodes.count, "count"). \
                Show fewer rows.
                """,
                field: field
            )
        }
        var roots: [Int] = []
        var ends = [Int](repeating: 0, count: nodes.count)
        var open: [(index: Int, left: Int)] = []
        for (index, node) in nodes.enumerated() {
            let count = node.count ?? 0
            guard count >= 0, count <= nodes.count - index - 1 else {
                throw Self.miscounted("\(field)/\(index)/count", count)
            }
            if open.isEmpty { roots.append(index) } else { open[open.count - 1].left -= 1 }
            guard open.count < PageLimits.depth else {
                throw Problem(
                    "page.depth",
                    "Views can be nested at most \(PageLimits.depth, "depth") deep. Nest fewer of them.",
                    field: "\(field)/\(index)"
                )
            }
            open.append((index, count))
            while let last = open.last, last.left == 0 {
                ends[last.index] = index + 1
                open.removeLast()
            }
        }
        if let unfinished = open.first {
            throw Self.miscounted("\(field)/\(unfinished.index)/count", nodes[unfinished.index].count ?? 0)
        }
        self.nodes = nodes
        self.roots = roots
        self.ends = ends
    }

    /// The nodes directly in a node.
    package func children(of index: Int) -> [Int] {
        var result: [Int] = []
        var next = index + 1
        while next < ends[index] {
            result.append(next)
            next = ends[next]
        }
        return result
    }

    /// For each node, the node that it stands in; -1 for one that stands in none.
    package var parents: [Int] {
        var result = [Int](repeating: -1, count: nodes.count)
        for index in nodes.indices {
            for child in children(of: index) { result[child] = index }
        }
        return result
    }

    private static func miscounted(_ field: String, _ count: Int) -> Problem {
        Problem(
            "page.tree",
            """
            The child count of a view is \(count, "count"), which does not match the views that follow. Send \
            each view with all its child views.
            """,
            field: field
        )
    }
}

/// Which things on a page take all the room there is, as SwiftUI decides it: from the inside out.
package struct PageFlex: Sendable {
    package private(set) var fillsWidth: [Bool]
    package private(set) var fillsHeight: [Bool]
    /// Whether there are words in it.
    package private(set) var hasText: [Bool]
    /// Whether a reader can do something in it.
    package private(set) var isActive: [Bool]
    /// Whether a chart is in it, which has a table below it.
    package private(set) var hasChart: [Bool]

    package init(_ tree: PageTree) {
        let nodes = tree.nodes
        fillsWidth = [Bool](repeating: false, count: nodes.count)
        fillsHeight = fillsWidth
        hasText = fillsWidth
        isActive = fillsWidth
        hasChart = fillsWidth
        let parents = tree.parents
        // What stands in something comes after it.
        for index in nodes.indices.reversed() {
            let node = nodes[index]
            let children = tree.children(of: index)
            let parent = parents[index] < 0 ? nil : nodes[parents[index]].kind
            let (width, height) = fills(node, children, in: parent)
            fillsWidth[index] = width
            fillsHeight[index] = height
            hasText[index] =
                [.text, .control, .report, .section].contains(node.kind) || children.contains { hasText[$0] }
            isActive[index] =
                [.chart, .control, .scroll].contains(node.kind) || children.contains { isActive[$0] }
            hasChart[index] = node.kind == .chart || children.contains { hasChart[$0] }
        }
    }

    private func fills(_ node: PageNode, _ children: [Int], in parent: PageKind?) -> (Bool, Bool) {
        func any(_ list: [Bool]) -> Bool { children.contains { list[$0] } }
        switch node.kind {
        case .text, .unknown: return (any(fillsWidth), any(fillsHeight))
        case .spacer:
            let isLayer = parent == .layered
            return (parent == .horizontal || isLayer, parent != .horizontal)
        case .divider: return (parent != .horizontal, parent == .horizontal)
        case .shape: return (true, true)
        case .image: return (node.image?.scaling != nil, node.image?.scaling != nil)
        case .list, .section, .scroll, .grid, .progress, .chart, .report, .control: return (true, false)
        case .box:
            let frame = node.box?.frame
            let width = frame?.fillsWidth == true || frame?.maxWidth != nil || any(fillsWidth)
            let height = frame?.fillsHeight == true || frame?.maxHeight != nil || any(fillsHeight)
            return (frame?.width == nil && width, frame?.height == nil && height)
        case .vertical, .horizontal, .layered: return (any(fillsWidth), any(fillsHeight))
        case .over, .behind:
            guard let base = children.first else { return (false, false) }
            return (fillsWidth[base], fillsHeight[base])
        }
    }
}
