import STContracts

/// Writes the nodes of one variant, one after the other: what is open is a list, and no page makes this go deeper.
struct HTMLBuilder {
    let page: Page
    let tree: PageTree
    let flex: PageFlex
    /// The place of the variant on the page.
    let variant: Int
    var colors: HTMLColors
    var headings: HTMLHeadings
    var out = ""
    var charts = 0
    private var open: [HTMLOpen] = []
    private var root: HTMLContext

    init(_ page: Page, _ tree: PageTree, variant: Int, _ colors: HTMLColors, _ headings: HTMLHeadings) {
        self.page = page
        self.tree = tree
        self.variant = variant
        self.colors = colors
        self.headings = headings
        flex = PageFlex(tree)
        root = HTMLContext(room: .column, ground: .page)
    }

    var words: PageWords { PageWords(language: page.language) }

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
            if open.last?.context.room == .rows {
                // In its row: a list has nothing but rows.
                out += last.close.dropLast(HTMLNode.cellEnd.count) + last.tables + HTMLNode.cellEnd
                continue
            }
            out += last.close
            // Not within what lies on each other: a table there would move what lies on the chart.
            if isLaid {
                open[open.count - 1].tables += last.tables
            } else {
                out += last.tables
            }
        }
    }

    /// Whether something lies on or under other things here, or in a box around them.
    private var isLaid: Bool {
        for around in open.reversed() {
            switch around.context.room {
            case .over, .behind, .layer: return true
            case .column where around.context.isBox: continue
            case .column, .row, .rows: return false
            }
        }
        return false
    }
}

/// What is around a node while it is written.
struct HTMLContext {
    enum Room {
        case column, row, layer, rows, over, behind
    }

    var room: Room
    var ground: HTMLGround
    /// Around one thing, not several below each other.
    var isBox = false
    /// How high a frame around wants to be: a chart is as high.
    var height: Double?
    /// What a picture of letters says in their stead: those who listen hear nothing more.
    var isSilent = false
    /// How a row or layer is aligned that wraps its things.
    var align = ""
    /// How many nodes in it have been written.
    var count = 0
}

/// What has been opened and must be closed after a node.
struct HTMLOpen {
    let end: Int
    let close: String
    var context: HTMLContext
    /// What comes after it: the tables of charts in it that had no room inside.
    var tables: String
}

/// Keeps headings in order: none skips a level.
struct HTMLHeadings {
    private var last: Int

    /// `isTitled`: the title of the page is the first one.
    init(isTitled: Bool) { last = isTitled ? 1 : 0 }

    mutating func level(_ wanted: Int) -> Int {
        let level = min(max(wanted, 1), last + 1, 6)
        last = level
        return level
    }
}
