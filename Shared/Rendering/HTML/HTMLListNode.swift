import STContracts

struct HTMLListNode {
    private let base: HTMLNode
    private let node: PageNode

    init(_ base: HTMLNode) {
        self.base = base
        node = base.node
    }

    func write(_ builder: inout HTMLBuilder) -> HTMLNode.Written {
        let children = builder.tree.children(of: base.index)
        if node.kind == .list { return list(children, builder) }
        let title = (node.runs ?? []).map(\.text).joined()
        var open = "<div class=\"fw\">"
        if title.orNil != nil {
            let level = builder.headings.level(node.heading ?? 2)
            open += "<h\(level) class=\"sh\" dir=\"auto\">\(HTMLEscape.text(title))</h\(level)>"
        }
        return rows(children, open: open, close: "</div>")
    }

    private func list(_ children: [Int], _ builder: HTMLBuilder) -> HTMLNode.Written {
        let isSectioned = children.contains { builder.tree.nodes[$0].kind == .section }
        if isSectioned {
            return HTMLNode.Written(
                open: "<div class=\"ls fw\">",
                close: "</div>",
                context: base.inner(.column)
            )
        }
        return rows(children, open: "", close: "")
    }

    private func rows(_ children: [Int], open: String, close: String) -> HTMLNode.Written {
        guard !children.isEmpty else {
            return HTMLNode.Written(open: open, close: close, context: base.context)
        }
        var inside = base.inner(.rows)
        inside.background = .card
        inside.background.opacity = base.context.background.opacity
        inside.height = nil
        return HTMLNode.Written(
            open: open + "<div class=\"l fw\" role=\"list\">",
            close: "</div>" + close,
            context: inside
        )
    }
}
