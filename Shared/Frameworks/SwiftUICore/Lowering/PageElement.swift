package import STContracts

/// One thing on a page that is being made, with what stands in it.
@MainActor
package final class PageElement {
    package var node: PageNode
    package var children: [PageElement]
    package var traits = PageTraits()
    /// Of a box: the outermost that it has.
    var layer: PageLayer?

    package init(_ node: PageNode, _ children: [PageElement] = []) {
        self.node = node
        self.children = children
    }

    /// Puts something around this, in the box it has or in a new one.
    package func wrap(_ layer: PageLayer, _ change: (inout PageBox) -> Void) {
        if let outermost = self.layer, outermost < layer, var box = node.box {
            change(&box)
            node.box = box
        } else {
            let inner = PageElement(node, children)
            inner.layer = self.layer
            var box = PageBox()
            change(&box)
            node = PageNode(kind: .box, box: box)
            children = [inner]
        }
        self.layer = layer
    }

    /// Makes this one of two things that lie on each other.
    package func pair(_ kind: PageKind, with other: PageElement, align: PageAlign?) {
        let base = PageElement(node, children)
        base.layer = layer
        layer = nil
        node = PageNode(kind: kind, align: align)
        children = [base, other]
    }

    /// All words in it, as one line.
    package var words: String {
        if let label = node.label { return label }
        let own = node.runs?.map(\.text).joined() ?? ""
        return ([own] + children.map(\.words)).filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The first of a kind, in order.
    package func first(_ kind: PageKind) -> PageElement? {
        if node.kind == kind { return self }
        for child in children {
            if let found = child.first(kind) { return found }
        }
        return nil
    }
}
