package import STContracts
package import STPlatform

/// The tree of a page's nodes. The nodes are in preorder, so each is followed by its descendants.
package struct PageTree: Sendable {
    package let nodes: [PageNode]
    /// The nodes without a parent, in order.
    package let roots: [Int]
    /// The end of each node: the index of the first node after its descendants.
    package let ends: [Int]

    /// Throws if child counts are inconsistent, or if the page has too many nodes or is nested too deeply.
    ///
    /// The loop has a list of open nodes instead of recursion, so that no input can exhaust the stack.
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

    /// Returns the direct children of a node.
    package func children(of index: Int) -> [Int] {
        var result: [Int] = []
        var next = index + 1
        while next < ends[index] {
            result.append(next)
            next = ends[next]
        }
        return result
    }

    /// The parent of each node. -1 for the roots.
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

/// The nodes of a page that fill the available space. As in SwiftUI, it is computed from the inside out.
package struct PageFlexibility: Sendable {
    package private(set) var fillsWidth: [Bool]
    package private(set) var fillsHeight: [Bool]
    /// True for each node that contains text.
    package private(set) var containsText: [Bool]
    /// True for each node that contains an interactive element.
    package private(set) var isActive: [Bool]
    /// True for each node that contains a chart, which has a table below it.
    package private(set) var hasChart: [Bool]

    package init(_ tree: PageTree) {
        let nodes = tree.nodes
        fillsWidth = [Bool](repeating: false, count: nodes.count)
        fillsHeight = fillsWidth
        containsText = fillsWidth
        isActive = fillsWidth
        hasChart = fillsWidth
        let parents = tree.parents
        // Descendants come after their parent, so the loop is backwards.
        for index in nodes.indices.reversed() {
            let node = nodes[index]
            let children = tree.children(of: index)
            let parent = parents[index] < 0 ? nil : nodes[parents[index]].kind
            let (width, height) = fills(node, children, in: parent)
            fillsWidth[index] = width
            fillsHeight[index] = height
            containsText[index] =
                [.text, .control, .report, .section].contains(node.kind)
                || children.contains { containsText[$0] }
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
