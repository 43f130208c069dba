package import STContracts

/// Puts a page together: each container is written with all that is in it.
package struct PageWriter {
    package private(set) var nodes: [PageNode] = []
    private var children = 0

    package init() {}

    package mutating func add(_ node: PageNode) {
        nodes.append(node)
        children += 1
    }

    package mutating func inside(_ node: PageNode, _ body: (inout PageWriter) -> Void) {
        var inner = PageWriter()
        body(&inner)
        var node = node
        node.count = inner.children
        add(node)
        nodes += inner.nodes
    }

    mutating func vertical(
        _ spacing: Double = 8,
        _ align: PageAlign = .leading,
        _ body: (inout PageWriter) -> Void
    ) {
        inside(PageNode(kind: .vertical, align: align, spacing: spacing), body)
    }

    mutating func horizontal(
        _ spacing: Double = 8,
        _ align: PageAlign = .center,
        _ body: (inout PageWriter) -> Void
    ) {
        inside(PageNode(kind: .horizontal, align: align, spacing: spacing), body)
    }

    mutating func boxed(_ box: PageBox, _ body: (inout PageWriter) -> Void) {
        inside(PageNode(kind: .box, box: box), body)
    }

    mutating func text(
        _ text: String,
        size: Double = 17,
        weight: Int? = nil,
        color: PageColor? = nil,
        heading: Int? = nil,
        align: PageAlign? = nil
    ) {
        let run = PageRun(text: text, font: PageFont(size: size, weight: weight), color: color)
        add(PageNode(kind: .text, runs: [run], align: align, heading: heading))
    }

    mutating func chart(_ chart: PageChart, height: Double, width: Double? = nil) {
        let frame = PageFrame(width: width, height: height, fillsWidth: width == nil ? true : nil)
        boxed(PageBox(frame: frame)) { $0.add(PageNode(kind: .chart, chart: chart)) }
    }
}
