import STCCairo
import STContracts
import STRendering

/// Draws a page that is laid out.
struct PagePainter {
    /// Groups that are drawn aside to be faded as one, within each other.
    private static let groupsMax = 3
    private static let groupPixelsMax = 150_000_000.0

    let canvas: Canvas
    let layout: PageLayout
    let scene: PageScene
    /// Letters and lines stay outlines.
    let isVector: Bool
    let warnings: Warnings
    let pens: PaintPen
    private let reach: PageReach
    /// In points, before anything turned or moved.
    private let sheet: Box
    let budget: PaintBudget
    private var groups = 0
    private var groupPixels = 0.0
    /// Whether points are where layout put them: then edges lie between pixels.
    private(set) var isStraight = true
    /// How much everything around has enlarged what is in it.
    private var enlarged = 1.0
    /// Freetype has no letters of more than 65,535 pixels; a font that was asked for them is of no use to anybody after.
    private static let enlargedRange = 0.001...25.0

    init(
        _ canvas: Canvas,
        _ layout: PageLayout,
        _ scene: PageScene,
        sheet: Box,
        isVector: Bool,
        _ warnings: Warnings
    ) {
        self.canvas = canvas
        self.layout = layout
        self.scene = scene
        self.sheet = sheet
        self.isVector = isVector
        self.warnings = warnings
        pens = PaintPen(canvas: canvas, face: scene.appearance, warnings: warnings)
        reach = PageReach(layout)
        budget = PaintBudget(sheet: sheet, scale: scene.scale, warnings)
    }

    var face: DrawAppearance { scene.appearance }
    var pen: OpaquePointer { canvas.pen }

    /// Everything, `origin` being where the page's upper left corner is.
    mutating func paint() {
        guard !layout.nodes.isEmpty else { return }
        paint(0, alpha: 1)
    }

    /// As deep as nodes stand in each other, which is limited.
    private mutating func paint(_ index: Int, alpha: Double) {
        // What moved or turned is somewhere else than it says.
        guard !isStraight || reach.boxes[index].overlaps(sheet) else { return }
        let node = layout.nodes[index]
        let inner = layout.outline.children[index]
        switch node.kind {
        case .box: paintBox(index, node.box ?? PageBox(), alpha)
        case .behind:
            for child in inner.reversed() { paint(child, alpha: alpha) }
        case .scroll:
            let box = layout.boxes[index]
            let content = inner.first.map { layout.boxes[$0] } ?? box
            cairo_save(pen)
            if content.width > box.width + 0.5 || content.height > box.height + 0.5 {
                warnings.add("Something on this page scrolls; only its beginning is in the picture.")
                canvas.clip(box)
            }
            for child in inner { paint(child, alpha: alpha) }
            cairo_restore(pen)
        default:
            if inner.isEmpty { paintLeaf(index, node, alpha) }
            for child in inner { paint(child, alpha: alpha) }
        }
    }

    /// Edges between pixels, where nothing is turned.
    func sharp(_ box: Box) -> Box {
        guard isStraight, !isVector else { return box }
        let snap = { (value: Double) in (value * scene.scale).rounded() / scene.scale }
        let (x, y) = (snap(box.x), snap(box.y))
        return Box(
            x,
            y,
            max(box.width > 0 ? 1 / scene.scale : 0, snap(box.maxX) - x),
            max(box.height > 0 ? 1 / scene.scale : 0, snap(box.maxY) - y)
        )
    }

    /// Whether there is still enough to paint that.
    func allows(_ paint: PagePaint, _ box: Box) -> Bool {
        guard budget.allows(box, weight: PaintPen.weight(paint), isStraight: isStraight) else { return false }
        guard paint.kind == .angular else { return true }
        let side = Double(PaintPen.angularSide(box))
        return budget.allows(pixels: side * side * 50)
    }

    // MARK: - Boxes

    private mutating func paintBox(_ index: Int, _ box: PageBox, _ alpha: Double) {
        let before = (isStraight, enlarged)
        enlarged *= abs(box.scale ?? 1)
        defer { (isStraight, enlarged) = before }
        guard Self.enlargedRange.contains(enlarged) else { return }
        cairo_save(pen)
        move(box, layout.boxes[index])
        let opacity = min(max(box.opacity ?? 1, 0), 1)
        if opacity >= 1 {
            paintInside(index, box, alpha)
        } else if opacity > 0 {
            let isGroup = beginGroup(index)
            paintInside(index, box, isGroup ? 1 : alpha * opacity)
            if isGroup {
                groups -= 1
                cairo_pop_group_to_source(pen)
                cairo_paint_with_alpha(pen, alpha * opacity)
            }
        }
        cairo_restore(pen)
    }

    private mutating func move(_ box: PageBox, _ own: Box) {
        let (x, y) = (PageSpan.length(box.offsetX) ?? 0, PageSpan.length(box.offsetY) ?? 0)
        let turn = (box.rotation ?? 0) * .pi / 180
        let factor = box.scale ?? 1
        guard x != 0 || y != 0 || turn != 0 || factor != 1 else { return }
        isStraight = false
        cairo_translate(pen, own.midX, own.midY)
        cairo_scale(pen, factor, factor)
        cairo_rotate(pen, turn)
        cairo_translate(pen, x - own.midX, y - own.midY)
    }

    /// Whether what follows is drawn aside: too much of that would take all the memory there is.
    private mutating func beginGroup(_ index: Int) -> Bool {
        guard groups < Self.groupsMax else { return false }
        // After a turn nobody knows what can be seen: all of it may.
        let area = isStraight ? PageReach.common(reach.boxes[index], sheet) ?? sheet : sheet
        let pixels = area.width * area.height * scene.scale * scene.scale
        guard groupPixels + pixels <= Self.groupPixelsMax,
            budget.allows(area, weight: 2, isStraight: isStraight)
        else { return false }
        groupPixels += pixels
        groups += 1
        if isStraight { canvas.clip(area) }
        cairo_push_group(pen)
        return true
    }

    private mutating func paintInside(_ index: Int, _ box: PageBox, _ alpha: Double) {
        let own = sharp(layout.boxes[index])
        let radius = max(0, PageSpan.length(box.radius) ?? 0)
        let kind = box.clip ?? (radius > 0 ? .rounded : .rectangle)
        let outline = PageOutlinePath(kind: kind, radius: radius)
        paintShadow(index, box, own, radius, alpha)
        if let background = box.background, own.width > 0, own.height > 0, allows(background, own) {
            outline.trace(own, on: canvas)
            if pens.use(background, in: own, alpha: alpha) { cairo_fill(pen) }
            cairo_new_path(pen)
        }
        cairo_save(pen)
        if box.clip != nil || radius > 0 {
            outline.trace(own, on: canvas)
            cairo_clip(pen)
        }
        for child in layout.outline.children[index] { paint(child, alpha: alpha) }
        cairo_restore(pen)
        if let border = box.border, own.width > 0, own.height > 0, allows(border, own) {
            let width = min(max(PageSpan.length(box.borderWidth) ?? 1, 0), min(own.width, own.height) / 2)
            outline.shrunk(width / 2).trace(own.grown(-width / 2), on: canvas)
            cairo_set_line_width(pen, width)
            if pens.use(border, in: own, alpha: alpha) { cairo_stroke(pen) }
            cairo_new_path(pen)
        }
    }

    /// Under the background, or under the shape that the box holds.
    private func paintShadow(_ index: Int, _ box: PageBox, _ own: Box, _ radius: Double, _ alpha: Double) {
        guard let reach = PageSpan.length(box.shadow), reach > 0, own.width > 0, own.height > 0 else {
            return
        }
        let child = layout.outline.children[index].first.map { layout.nodes[$0] }
        let shape = child?.kind == .shape && child?.shape?.fill != nil ? child?.shape : nil
        guard box.background != nil || shape != nil else { return }
        // As many outlines on top of each other.
        guard budget.allows(own.grown(min(reach, 60)), weight: 24, isStraight: isStraight) else { return }
        let side = min(own.width, own.height)
        let corner: Double
        switch shape?.kind ?? box.clip ?? .rounded {
        case .circle, .ellipse, .capsule: corner = side / 2
        case .rounded: corner = PageSpan.length(shape?.radius) ?? radius
        case .rectangle, .path, .unknown: corner = 0
        }
        let isRound = shape?.kind == .circle
        canvas.shadow(
            isRound ? Box(own.midX - side / 2, own.midY - side / 2, side, side) : own,
            radius: max(0, corner),
            reach: min(reach, 60),
            strength: (face == .dark ? 0.5 : 0.16) * alpha
        )
    }
}
