import STContracts

/// Builds pages for tests. Each container is written with its content.
struct PageMaker {
    var nodes: [PageNode] = []
    private var count = 0

    mutating func add(_ node: PageNode) {
        nodes.append(node)
        count += 1
    }

    mutating func inside(_ node: PageNode, _ body: (inout PageMaker) -> Void) {
        var inner = PageMaker()
        body(&inner)
        var node = node
        node.count = inner.count
        add(node)
        nodes += inner.nodes
    }

    mutating func vertical(
        _ align: PageAlign = .leading,
        spacing: Double = 8,
        body: (inout PageMaker) -> Void
    ) {
        inside(PageNode(kind: .vertical, align: align, spacing: spacing), body)
    }

    mutating func horizontal(_ spacing: Double = 8, _ body: (inout PageMaker) -> Void) {
        inside(PageNode(kind: .horizontal, spacing: spacing), body)
    }

    mutating func box(_ box: PageBox, _ body: (inout PageMaker) -> Void) {
        inside(PageNode(kind: .box, box: box), body)
    }

    mutating func text(
        _ text: String,
        size: Double = 17,
        weight: Int? = nil,
        color: PageColor? = nil,
        heading: Int? = nil
    ) {
        let run = PageRun(text: text, font: PageFont(size: size, weight: weight), color: color)
        add(PageNode(kind: .text, runs: [run], heading: heading))
    }

    mutating func chart(_ chart: PageChart, height: Double) {
        box(PageBox(frame: PageFrame(height: height, fillsWidth: true))) {
            $0.add(PageNode(kind: .chart, chart: chart))
        }
    }

    func page(_ language: String, title: String? = nil) -> Page {
        Page(
            title: title,
            language: language,
            zone: "Asia/Seoul",
            controls: [],
            variants: [PageVariant(chosen: [], nodes: nodes)]
        )
    }
}
