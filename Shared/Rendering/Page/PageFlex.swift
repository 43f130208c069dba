import STContracts

/// Which things on a page take all the room there is, as SwiftUI decides it: from the inside out.
package struct PageFlex: Sendable {
    package private(set) var fillsWidth: [Bool]
    package private(set) var fillsHeight: [Bool]
    /// Whether there are words in it.
    package private(set) var hasText: [Bool]
    /// Whether somebody can do something in it.
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
