import STContracts

/// Writes the nodes of one variant in order. Open elements are in a list, so that the depth of a page causes no recursion.
struct HTMLBuilder {
    let page: Page
    let tree: PageTree
    let flex: PageFlexibility
    /// The index of the variant on the page.
    let variant: Int
    var colors: HTMLColors
    var headings: HTMLHeadings
    var out = ""
    var charts = 0
    private var open: [HTMLOpen] = []
    private var root: HTMLContext

    init(_ page: Page, tree: PageTree, variant: Int, colors: HTMLColors, headings: HTMLHeadings) {
        self.page = page
        self.tree = tree
        self.variant = variant
        self.colors = colors
        self.headings = headings
        flex = PageFlexibility(tree)
        root = HTMLContext(placement: .column, background: .page)
    }

    var strings: PageStrings { PageStrings(language: page.language) }

    mutating func write() {
        for index in tree.nodes.indices {
            close(upTo: index)
            let context = open.last?.context ?? root
            let written = HTMLNode(index: index, node: tree.nodes[index], context: context).write(&self)
            if let last = open.indices.last { open[last].context.count += 1 }
            out += written.open
            open.append(
                HTMLOpen(
                    end: tree.ends[index],
                    close: written.close,
                    context: written.context,
                    tables: written.table
                )
            )
        }
        close(upTo: tree.nodes.count)
    }

    private mutating func close(upTo index: Int) {
        while let last = open.last, last.end <= index {
            open.removeLast()
            guard !last.tables.isEmpty else {
                out += last.close
                continue
            }
            if open.last?.context.placement == .rows {
                // The table belongs into the row, because a list must contain only rows.
                out += last.close.dropLast(HTMLNode.cellEnd.count) + last.tables + HTMLNode.cellEnd
                continue
            }
            out += last.close
            // Within layers the table would move the nodes on the chart, so it follows after them.
            if isLaid {
                open[open.count - 1].tables += last.tables
            } else {
                out += last.tables
            }
        }
    }

    /// True if the current position is inside layers, or in a box around them.
    private var isLaid: Bool {
        for around in open.reversed() {
            switch around.context.placement {
            case .over, .behind, .layer: return true
            case .column where around.context.isBox: continue
            case .column, .row, .rows: return false
            }
        }
        return false
    }
}

/// The surroundings of a node while it is written.
struct HTMLContext {
    enum Placement {
        case column, row, layer, rows, over, behind
    }

    var placement: Placement
    var background: HTMLBackground
    /// True for a box around one node, false for a column of several.
    var isBox = false
    /// The height of an enclosing frame, which a chart takes as its own.
    var height: Double?
    /// Passed on to the contexts of children. No code sets it to true or reads it.
    var isHiddenFromReaders = false
    /// The CSS alignment of the wrappers in a row or layer.
    var align = ""
    /// The number of nodes that were written in this context.
    var count = 0
}

/// An open element that must be closed after a node.
struct HTMLOpen {
    let end: Int
    let close: String
    var context: HTMLContext
    /// The tables of charts that follow after the element, because they have no space inside.
    var tables: String
}

/// Keeps the levels of headings in order, so that none is skipped.
struct HTMLHeadings {
    private var last: Int

    /// `isTitled` is true if the title of the page is the first heading.
    init(isTitled: Bool) { last = isTitled ? 1 : 0 }

    mutating func level(_ wanted: Int) -> Int {
        let level = min(max(wanted, 1), last + 1, 6)
        last = level
        return level
    }
}
