import STContracts

/// Tells shapes behind or before something from other views: most of them are a ground or a border.
@MainActor
enum PageLayers {
    /// Makes a filled shape the ground of a box.
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
        // What was set lies further out than the ground.
        if shadow != nil || shape.stroke != nil || radius != nil { element.seal(.shadow) }
        return true
    }

    /// Makes the line of a shape the border of a box.
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

    /// Nil for a shape that a box cannot have; for a rectangle the radius is none.
    private static func radius(_ shape: PageShape) -> Double?? {
        switch shape.kind {
        case .rectangle: .some(nil)
        case .rounded: .some(shape.radius)
        case .capsule: .some(roundest)
        default: nil
        }
    }

    /// More than half of any side.
    private static let roundest = 1_000.0
}

extension PageWriter {
    /// Views that lie on each other, as one thing.
    func layers<V: View>(_ view: V) throws -> PageElement? {
        let all = try within(.part("layer")) { try collect { try lower(view) } }
        guard all.count > 1 else { return all.first }
        return try make(PageNode(kind: .layered, align: .center)) { for one in all { try append(one) } }
    }
}

extension PageElement {
    /// Has what comes next lie around all that a box has up to there.
    func seal(_ layer: PageLayer) { self.layer = layer }
}
