import STContracts
import STPlatform
import STRendering

/// Converts lists, sections, switches and reports into stacks, boxes and texts, so that the layout supports only few kinds.
struct PageLowering {
    /// Upper bound on the nodes after the conversion. One node of a list becomes up to five.
    static let nodesMax = PageLimits.nodes * 5
    static let depthMax = PageLimits.depth * 5 + 2

    private static let rowPadding = PageEdges(top: 11, leading: 16, bottom: 11, trailing: 16)
    private static let rowHeight = 44.0
    private static let cardRadius = 12.0
    private static let listSpacing = 24.0
    private static let segmentRadius = 7.0
    private static let titleSpacing = 20.0

    private let tree: PageTree
    private let controls: [PageControl]
    private let chosen: [Int]
    private let strings: PageStrings
    private let warnings: Warnings
    private var output: [PageNode] = []

    /// Returns the nodes for the layout. The first one contains all others.
    static func lower(
        _ tree: PageTree,
        controls: [PageControl],
        chosen: [Int],
        title: String?,
        language: String,
        warnings: Warnings
    ) -> [PageNode] {
        var lowering = PageLowering(
            tree: tree,
            controls: controls,
            chosen: chosen,
            words: PageStrings(language: language),
            warnings: warnings
        )
        // The page gets its name as a heading unless it contains one, as in HTML.
        let title = tree.nodes.contains { $0.heading == 1 } ? nil : title.flatMap { $0.isEmpty ? nil : $0 }
        if let title {
            lowering.output.append(PageNode(kind: .vertical, count: 2, spacing: titleSpacing))
            lowering.box(PageBox(frame: PageFrame(fillsWidth: true, align: .leading)))
            lowering.text(title, size: 28, weight: 700, PageColors.text)
        }
        if tree.roots.count == 1, let root = tree.roots.first {
            lowering.lower(root)
        } else if tree.roots.isEmpty {
            lowering.text(lowering.strings.nothing, size: 17, PageColors.secondary)
        } else {
            lowering.output.append(PageNode(kind: .vertical, count: tree.roots.count))
            for root in tree.roots { lowering.lower(root) }
        }
        return lowering.output
    }

    private init(
        tree: PageTree,
        controls: [PageControl],
        chosen: [Int],
        words: PageStrings,
        warnings: Warnings
    ) {
        self.tree = tree
        self.controls = controls
        self.chosen = chosen
        self.strings = words
        self.warnings = warnings
    }

    /// Converts a node and its children. `PageTree` limits the depth of the recursion.
    private mutating func lower(_ index: Int) {
        let node = tree.nodes[index]
        let inner = tree.children(of: index)
        switch node.kind {
        case .list: list(inner)
        case .section: section(node, inner)
        case .scroll: scroll(node, inner)
        case .control: control(node)
        case .report: missing(node)
        case .unknown:
            warnings.add(
                Message(
                    "draw.unknown-view",
                    """
                    The page has a kind of view that this version does not support. Only the contents of the \
                    view are shown.
                    """
                )
            )
            output.append(PageNode(kind: .vertical, count: inner.count))
            for child in inner { lower(child) }
        default:
            output.append(node)
            for child in inner { lower(child) }
        }
    }

    private mutating func box(_ box: PageBox) { output.append(PageNode(kind: .box, count: 1, box: box)) }

    private mutating func text(_ text: String, size: Double, weight: Int? = nil, _ color: PageColor?) {
        let run = PageRun(text: text, font: PageFont(size: size, weight: weight), color: color)
        output.append(PageNode(kind: .text, runs: [run]))
    }

    // MARK: - Lists

    /// Converts a list. Its sections are placed below each other. Consecutive rows outside of sections form a section.
    private mutating func list(_ inner: [Int]) {
        var groups: [(section: Int?, rows: [Int])] = []
        for child in inner {
            if tree.nodes[child].kind == .section {
                groups.append((child, tree.children(of: child)))
            } else if let last = groups.last, last.section == nil {
                groups[groups.count - 1].rows.append(child)
            } else {
                groups.append((nil, [child]))
            }
        }
        box(PageBox(frame: PageFrame(fillsWidth: true)))
        output.append(
            PageNode(kind: .vertical, count: groups.count, align: .leading, spacing: Self.listSpacing)
        )
        for group in groups {
            let header = Self.header(group.section.map { tree.nodes[$0] })
            let count = (header == nil ? 0 : 1) + (group.rows.isEmpty ? 0 : 1)
            output.append(PageNode(kind: .vertical, count: count, align: .leading, spacing: 6))
            if let header { addHeader(header, leading: 16) }
            if !group.rows.isEmpty { card(group.rows) }
        }
    }

    private mutating func card(_ rows: [Int]) {
        box(
            PageBox(
                frame: PageFrame(fillsWidth: true),
                background: Self.paint(PageColors.card),
                radius: Self.cardRadius
            )
        )
        output.append(PageNode(kind: .vertical, count: rows.count * 2 - 1, align: .leading, spacing: 0))
        for (place, row) in rows.enumerated() {
            if place > 0 {
                box(PageBox(padding: PageEdges(top: 0, leading: 16, bottom: 0, trailing: 0)))
                output.append(PageNode(kind: .divider))
            }
            let frame = PageFrame(minHeight: Self.rowHeight, fillsWidth: true, align: .leading)
            box(PageBox(padding: Self.rowPadding, frame: frame))
            lower(row)
        }
    }

    private mutating func section(_ node: PageNode, _ inner: [Int]) {
        let header = Self.header(node)
        let count = inner.count + (header == nil ? 0 : 1)
        output.append(
            PageNode(kind: .vertical, count: count, align: node.align ?? .leading, spacing: node.spacing)
        )
        if let header { addHeader(header, leading: 0) }
        for row in inner { lower(row) }
    }

    /// Returns the text above a section.
    private static func header(_ section: PageNode?) -> String? {
        let words = (section?.runs ?? []).map(\.text).joined()
        return words.isEmpty ? nil : words
    }

    private mutating func addHeader(_ header: String, leading: Double) {
        box(PageBox(padding: PageEdges(top: 0, leading: leading, bottom: 0, trailing: leading)))
        text(header, size: 13, weight: 600, PageColors.secondary)
    }

    // MARK: - Scroll views

    /// Converts a scroll view. Several children become one stack, because the layout expects a single child.
    private mutating func scroll(_ node: PageNode, _ inner: [Int]) {
        guard inner.count != 1 else {
            output.append(node)
            return lower(inner[0])
        }
        var window = node
        window.count = 1
        output.append(window)
        output.append(
            PageNode(
                kind: node.isHorizontal == true ? .horizontal : .vertical,
                count: inner.count,
                align: node.align,
                spacing: node.spacing
            )
        )
        for child in inner { lower(child) }
    }

    // MARK: - Switches and reports

    private mutating func control(_ node: PageNode) {
        guard let index = node.control, controls.indices.contains(index), controls[index].kind == .choice
        else {
            return output.append(PageNode(kind: .vertical))
        }
        let control = controls[index]
        let marked = chosen.indices.contains(index) ? chosen[index] : control.chosen
        let edge = PageEdges(top: 2, leading: 2, bottom: 2, trailing: 2)
        box(
            PageBox(
                padding: edge,
                background: Self.paint(PageColors.segments),
                radius: Self.segmentRadius + 2
            )
        )
        output.append(
            PageNode(kind: .grid, count: control.options.count, spacing: 2, columns: control.options.count)
        )
        for (place, option) in control.options.enumerated() {
            let isMarked = place == marked
            box(
                PageBox(
                    padding: PageEdges(top: 5, leading: 8, bottom: 5, trailing: 8),
                    frame: PageFrame(fillsWidth: true, fillsHeight: true),
                    background: isMarked ? Self.paint(PageColors.thumb) : nil,
                    radius: Self.segmentRadius,
                    shadow: isMarked ? 2 : nil
                )
            )
            let run = PageRun(
                text: option,
                font: PageFont(size: 14, weight: isMarked ? 600 : 400),
                color: PageColors.text
            )
            output.append(PageNode(kind: .text, runs: [run], lines: 1))
        }
    }

    private mutating func missing(_ node: PageNode) {
        let context = String((node.report?.context ?? "").prefix(60))
        warnings.add(
            Message(
                "draw.report-not-made",
                "The report “\(context, "report")” is missing from the picture, because it was not made."
            )
        )
        box(
            PageBox(
                padding: Self.rowPadding,
                background: Self.paint(PageColors.card),
                radius: Self.cardRadius
            )
        )
        text(strings.missing(report: context), size: 15, PageColors.secondary)
    }

    private static func paint(_ color: PageColor) -> PagePaint { PagePaint(kind: .color, color: color) }
}

/// The tree of a page's nodes. Nodes are numbered in preorder, so all descendants of a node have higher numbers.
struct PageOutline {
    let nodes: [PageNode]
    let children: [[Int]]
    /// The parent of each node. -1 for the roots.
    let parents: [Int]
    /// True for each node whose nearest enclosing stack is horizontal. Spacers and dividers need it.
    let isInRow: [Bool]

    /// Returns nil if the counts are inconsistent, or if the page exceeds a limit.
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

    /// Returns nil if the node is not a stack.
    private static func isRow(_ node: PageNode) -> Bool? {
        switch node.kind {
        case .horizontal: true
        case .vertical, .list, .section, .layered, .grid: false
        case .scroll: node.isHorizontal == true
        default: nil
        }
    }
}
