import STContracts
import STDrawing
import STPlatform

/// Builds pages from nodes for the tests.
enum PageBench {
    static func page(_ nodes: [PageNode], controls: [PageControl] = [], language: String = "en") -> Page {
        Page(
            language: language,
            controls: controls,
            variants: [PageVariant(chosen: controls.map(\.chosen), nodes: nodes)]
        )
    }

    static func draw(
        _ nodes: [PageNode],
        _ face: DrawAppearance = .light,
        width: Double = 640,
        scale: Double = 1
    ) throws -> DrawnPage {
        var scene = PageDrawingRequest(page: page(nodes))
        scene.width = width
        scene.scale = scale
        scene.appearance = face
        return try PageDrawing.draw(scene)
    }

    // MARK: - Nodes

    static func of(_ kind: PageKind, _ inner: [PageNode]..., change: (inout PageNode) -> Void = { _ in })
        -> [PageNode]
    {
        var node = PageNode(kind: kind, count: inner.isEmpty ? nil : inner.count)
        change(&node)
        return [node] + inner.joined()
    }

    static func stack(
        _ kind: PageKind,
        _ inner: [[PageNode]],
        spacing: Double? = nil,
        align: PageAlign? = nil
    ) -> [PageNode] {
        [PageNode(kind: kind, count: inner.count, align: align, spacing: spacing)] + inner.joined()
    }

    static func text(_ text: String, size: Double = 17, lines: Int? = nil) -> [PageNode] {
        [PageNode(kind: .text, runs: [PageRun(text: text, font: PageFont(size: size))], lines: lines)]
    }

    static func box(_ inner: [PageNode], _ box: PageBox) -> [PageNode] {
        [PageNode(kind: .box, count: 1, box: box)] + inner
    }

    static func framed(_ inner: [PageNode], width: Double?, height: Double?, align: PageAlign? = nil)
        -> [PageNode]
    {
        box(inner, PageBox(frame: PageFrame(width: width, height: height, align: align)))
    }

    static let spacer = [PageNode(kind: .spacer)]

    static func color(_ hex: String, _ dark: String? = nil) -> PageColor {
        PageColor(light: hex, dark: dark ?? hex)
    }

    static func paint(_ hex: String, _ dark: String? = nil) -> PagePaint {
        PagePaint(kind: .color, color: color(hex, dark))
    }

    static func shape(_ kind: PageShapeKind, _ hex: String) -> [PageNode] {
        [PageNode(kind: .shape, shape: PageShape(kind: kind, fill: paint(hex)))]
    }

    static func image(_ data: String, scaling: String? = nil) -> [PageNode] {
        [PageNode(kind: .image, image: PageImage(kind: .data, data: data, scaling: scaling))]
    }

    static func chart(_ chart: PageChart) -> [PageNode] { [PageNode(kind: .chart, chart: chart)] }

    static func everySide(_ length: Double) -> PageEdges {
        PageEdges(top: length, leading: length, bottom: length, trailing: length)
    }
}

extension DrawnPage {
    func all(_ kind: PageKind) -> [Part] { parts.filter { $0.kind == kind } }

    func text(_ words: String) -> Part? { parts.first { $0.text == words } }

    /// Colour at a position in points.
    func ink(_ x: Double, _ y: Double, scale: Double = 1) -> DrawColor {
        canvas.color(x: Int(x * scale), y: Int(y * scale))
    }

    /// Nodes that are not inside their parents.
    func misplaced() -> [String] {
        parts.filter { $0.parent >= 0 && !parts[$0.parent].box.expanded(0.6).contains($0.box) }
            .map { "\($0.kind) \($0.box) in \(parts[$0.parent].kind) \(parts[$0.parent].box)" }
    }
}
