import STContracts

/// Puts the things of a page in their order, each before those within it.
@MainActor
struct PageFlattening {
    private let controls: [Int: Int]

    /// `ids` are those of the controls that somebody can change.
    init(_ ids: [Int]) {
        controls = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($0.element, $0.offset) })
    }

    func nodes(_ elements: [PageElement]) throws -> [PageNode] {
        var nodes: [PageNode] = []
        if elements.count == 1 {
            try add(elements[0], 1, &nodes)
        } else {
            try add(PageElement(PageNode(kind: .vertical, align: .center), elements), 1, &nodes)
        }
        return nodes
    }

    private func add(_ element: PageElement, _ depth: Int, _ nodes: inout [PageNode]) throws {
        guard depth <= PageLimits.depth else { throw PageProblem.tooDeep }
        guard nodes.count < PageLimits.nodes else { throw PageProblem.tooManyNodes }
        var node = element.node
        var children = element.children
        if node.kind == .control {
            // One that cannot be changed shows what is chosen: what stands in it.
            node.control = node.control.flatMap { controls[$0] }
            guard node.control != nil else {
                // One thing, because what is around may have room for one.
                let still =
                    children.count == 1 ? children[0] : PageElement(PageNode(kind: .vertical), children)
                return try add(still, depth, &nodes)
            }
            children = []
        }
        let chosen = node.chart?.control.flatMap { controls[$0] }
        node.chart?.control = chosen
        node.count = children.isEmpty ? nil : children.count
        nodes.append(node)
        for child in children { try add(child, depth + 1, &nodes) }
    }
}
