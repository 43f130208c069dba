package import STContracts

/// A node of a page under construction, with its children.
@MainActor
package final class PageElement {
    package var node: PageNode
    package var children: [PageElement]
    package var traits = PageTraits()
    /// The outermost layer of a box.
    var layer: PageLayer?

    package init(_ node: PageNode, _ children: [PageElement] = []) {
        self.node = node
        self.children = children
    }

    /// Adds a layer to the element's box, or wraps the element in a new box.
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

    /// Places another element over or behind this one.
    package func pair(_ kind: PageKind, with other: PageElement, align: PageAlign?) {
        let base = PageElement(node, children)
        base.layer = layer
        layer = nil
        node = PageNode(kind: kind, align: align)
        children = [base, other]
    }

    /// The whole text of the element, as one line.
    package var words: String {
        if let label = node.label { return label }
        let own = node.runs?.map(\.text).joined() ?? ""
        return ([own] + children.map(\.words)).filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Returns the first element of a kind, depth first.
    package func first(_ kind: PageKind) -> PageElement? {
        if node.kind == kind { return self }
        for child in children {
            if let found = child.first(kind) { return found }
        }
        return nil
    }

    /// Makes every later layer up to this one start a new box.
    func seal(_ layer: PageLayer) { self.layer = layer }
}

/// The properties of an element that its container reads.
@MainActor
package struct PageTraits {
    /// The value that a control is set to if this element is chosen.
    package var tag: AnyHashable?
    /// The value if the view has no `tag`.
    package var implicitTag: AnyHashable?
    package var tabLabel: PageElement?
    package var badge: PageElement?
    package var rowBackground: PageElement?
    package var rowInsets: EdgeInsets?
    package var columns: Int?
    package var zIndex = 0.0
    package var isGridRow = false
}

/// The layers of a box, from the inside out.
///
/// A modifier uses the existing box if its layer is outside all layers of that box. Otherwise it adds a new box around it.
package enum PageLayer: Int, Comparable {
    case padding, frame, background, shape, border, shadow, opacity, offset, rotation, scale

    package static func < (a: PageLayer, b: PageLayer) -> Bool { a.rawValue < b.rawValue }
}

/// Converts shapes behind or over an element to the background or border of its box, if possible.
@MainActor
enum PageLayers {
    /// Makes a filled shape the background of a box. Returns false if that is not possible.
    static func ground(_ element: PageElement, _ behind: PageElement) -> Bool {
        var shadow: Double?
        var shape = behind.node.shape
        if behind.node.kind == .box, let box = behind.node.box, box == PageBox(shadow: box.shadow) {
            shadow = box.shadow
            shape = behind.children.first?.node.shape
        }
        guard let shape, let fill = shape.fill, shape.trimFrom == nil, let radius = radius(shape) else {
            return false
        }
        element.wrap(.background) {
            $0.background = fill
            $0.radius = radius
            $0.border = shape.stroke
            $0.borderWidth = shape.stroke == nil ? nil : shape.lineWidth
            $0.shadow = shadow
        }
        // Later layers must not be inside the shape's border and shadow.
        if shadow != nil || shape.stroke != nil || radius != nil { element.seal(.shadow) }
        return true
    }

    /// Makes a stroked shape the border of a box. Returns false if that is not possible.
    static func border(_ element: PageElement, _ over: PageElement) -> Bool {
        guard over.node.kind == .shape, let shape = over.node.shape, shape.fill == nil,
            let stroke = shape.stroke, shape.trimFrom == nil, let radius = radius(shape)
        else { return false }
        if let box = element.node.box, box.radius != nil || box.clip != nil, box.radius != radius {
            return false
        }
        element.wrap(.border) {
            $0.border = stroke
            $0.borderWidth = shape.lineWidth
            $0.radius = radius
        }
        return true
    }

    /// Returns the corner radius of a shape: `.some(nil)` for a rectangle, `nil` for a shape that a box cannot have.
    private static func radius(_ shape: PageShape) -> Double?? {
        switch shape.kind {
        case .rectangle: .some(nil)
        case .rounded: .some(shape.radius)
        case .capsule: .some(roundest)
        default: nil
        }
    }

    /// A radius greater than half of any side.
    private static let roundest = 1_000.0
}

extension PageWriter {
    /// Returns several views as one element, layered on each other.
    func layers<V: View>(_ view: V) throws -> PageElement? {
        let all = try within(.part("layer")) { try collect { try lower(view) } }
        guard all.count > 1 else { return all.first }
        return try make(PageNode(kind: .layered, align: .center)) { for one in all { try append(one) } }
    }
}

/// Converts elements to a flat list of nodes, with each node before its children.
@MainActor
struct PageFlattening {
    private let controls: [Int: Int]

    /// Creates the converter. `ids` are the controls that can be changed.
    init(_ ids: [Int]) {
        controls = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($0.element, $0.offset) })
    }

    func nodes(_ elements: [PageElement]) throws -> [PageNode] {
        var nodes: [PageNode] = []
        if elements.count == 1 {
            try add(elements[0], depth: 1, to: &nodes)
        } else {
            let root = PageElement(PageNode(kind: .vertical, align: .center), elements)
            try add(root, depth: 1, to: &nodes)
        }
        return nodes
    }

    private func add(_ element: PageElement, depth: Int, to nodes: inout [PageNode]) throws {
        guard depth <= PageLimits.depth else { throw PageProblem.tooDeep }
        guard nodes.count < PageLimits.nodes else { throw PageProblem.tooManyNodes }
        var node = element.node
        var children = element.children
        if node.kind == .control {
            // A control that cannot be changed is replaced by its content, which is the chosen option.
            node.control = node.control.flatMap { controls[$0] }
            guard node.control != nil else {
                // Combine the children into one element, because the surrounding node may have space for only one.
                let still =
                    children.count == 1 ? children[0] : PageElement(PageNode(kind: .vertical), children)
                return try add(still, depth: depth, to: &nodes)
            }
            children = []
        }
        let chosen = node.chart?.control.flatMap { controls[$0] }
        node.chart?.control = chosen
        node.count = children.isEmpty ? nil : children.count
        nodes.append(node)
        for child in children { try add(child, depth: depth + 1, to: &nodes) }
    }
}
