import STCCairo
import STContracts
import STPlatform
import STRendering

/// Draws a page from its layout.
struct PagePainter {
    /// Upper bound on the nested groups that are drawn separately, to be faded as one.
    private static let groupsMax = 3
    private static let groupPixelsMax = 150_000_000.0

    let canvas: Canvas
    private let layout: PageLayout
    let scene: PageDrawingRequest
    /// True for an SVG, in which glyphs and lines remain outlines.
    private let isVector: Bool
    private let warnings: Warnings
    let source: PaintSource
    private let extent: PaintExtent
    /// The frame of the picture in points, before any rotation or offset.
    private let sheet: Box
    private let budget: PaintBudget
    private var groups = 0
    private var groupPixels = 0.0
    /// True while no rotation, offset or scale is active, so that edges can be aligned to pixels.
    private var isStraight = true
    /// The product of all active scales.
    private var enlarged = 1.0
    /// The range of scales that are drawn. Freetype has no glyphs above 65,535 pixels, and a font is unusable after such a request.
    private static let enlargedRange = 0.001...25.0

    init(
        _ canvas: Canvas,
        layout: PageLayout,
        scene: PageDrawingRequest,
        sheet: Box,
        isVector: Bool,
        warnings: Warnings
    ) {
        self.canvas = canvas
        self.layout = layout
        self.scene = scene
        self.sheet = sheet
        self.isVector = isVector
        self.warnings = warnings
        source = PaintSource(canvas: canvas, appearance: scene.appearance, warnings: warnings)
        extent = PaintExtent(layout)
        budget = PaintBudget(sheet: sheet, scale: scene.scale, warnings)
    }

    var appearance: DrawAppearance { scene.appearance }
    var pen: OpaquePointer { canvas.pen }

    /// Paints the whole page. The caller has moved the origin to the upper left corner of the page.
    mutating func paint() {
        guard !layout.nodes.isEmpty else { return }
        paint(0, alpha: 1)
    }

    /// Paints a node and its children. The depth of the recursion is limited.
    private mutating func paint(_ index: Int, alpha: Double) {
        // After an offset or a rotation, the box does not show if the node is visible.
        guard !isStraight || extent.boxes[index].overlaps(sheet) else { return }
        let node = layout.nodes[index]
        let inner = layout.outline.children[index]
        switch node.kind {
        case .box: paintBox(index, box: node.box ?? PageBox(), alpha: alpha)
        case .behind:
            for child in inner.reversed() { paint(child, alpha: alpha) }
        case .scroll:
            let box = layout.boxes[index]
            let content = inner.first.map { layout.boxes[$0] } ?? box
            cairo_save(pen)
            if content.width > box.width + 0.5 || content.height > box.height + 0.5 {
                warnings.add(
                    Message(
                        "draw.page-scrolls",
                        "Part of the page scrolls. The picture shows only the beginning of that part."
                    )
                )
                canvas.clip(box)
            }
            for child in inner { paint(child, alpha: alpha) }
            cairo_restore(pen)
        default:
            if inner.isEmpty { paintLeaf(index, node: node, alpha: alpha) }
            for child in inner { paint(child, alpha: alpha) }
        }
    }

    /// Returns the box with its edges aligned to pixels, unless a transformation is active.
    func pixelAligned(_ box: Box) -> Box {
        guard isStraight, !isVector else { return box }
        let snap = { (value: Double) in (value * scene.scale).rounded() / scene.scale }
        let (x, y) = (snap(box.x), snap(box.y))
        return Box(
            x: x,
            y: y,
            width: max(box.width > 0 ? 1 / scene.scale : 0, snap(box.maxX) - x),
            height: max(box.height > 0 ? 1 / scene.scale : 0, snap(box.maxY) - y)
        )
    }

    /// Returns true if the budget allows to paint this.
    private func isWithinBudget(_ paint: PagePaint, _ box: Box) -> Bool {
        guard budget.allows(box, weight: PaintSource.weight(paint), isStraight: isStraight) else {
            return false
        }
        guard paint.kind == .angular else { return true }
        let side = Double(PaintSource.angularSide(box))
        return budget.allows(pixels: side * side * 50)
    }

    // MARK: - Boxes

    private mutating func paintBox(_ index: Int, box: PageBox, alpha: Double) {
        let before = (isStraight, enlarged)
        enlarged *= abs(box.scale ?? 1)
        defer { (isStraight, enlarged) = before }
        guard Self.enlargedRange.contains(enlarged) else { return }
        cairo_save(pen)
        move(box, layout.boxes[index])
        let opacity = min(max(box.opacity ?? 1, 0), 1)
        if opacity >= 1 {
            paintInside(index, box: box, alpha: alpha)
        } else if opacity > 0 {
            let isGroup = beginGroup(index)
            paintInside(index, box: box, alpha: isGroup ? 1 : alpha * opacity)
            if isGroup {
                groups -= 1
                cairo_pop_group_to_source(pen)
                cairo_paint_with_alpha(pen, alpha * opacity)
            }
        }
        cairo_restore(pen)
    }

    private mutating func move(_ box: PageBox, _ own: Box) {
        let (x, y) = (LengthRange.length(box.offsetX) ?? 0, LengthRange.length(box.offsetY) ?? 0)
        let turn = (box.rotation ?? 0) * .pi / 180
        let factor = box.scale ?? 1
        guard x != 0 || y != 0 || turn != 0 || factor != 1 else { return }
        isStraight = false
        cairo_translate(pen, own.midX, own.midY)
        cairo_scale(pen, factor, factor)
        cairo_rotate(pen, turn)
        cairo_translate(pen, x - own.midX, y - own.midY)
    }

    /// Begins a group that is drawn separately. Returns false if it would need too much memory.
    private mutating func beginGroup(_ index: Int) -> Bool {
        guard groups < Self.groupsMax else { return false }
        // After a transformation the whole sheet may be visible.
        let area = isStraight ? PaintExtent.common(extent.boxes[index], sheet) ?? sheet : sheet
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

    private mutating func paintInside(_ index: Int, box: PageBox, alpha: Double) {
        let own = pixelAligned(layout.boxes[index])
        let radius = max(0, LengthRange.length(box.radius) ?? 0)
        let kind = box.clip ?? (radius > 0 ? .rounded : .rectangle)
        let outline = PageOutlinePath(kind: kind, radius: radius)
        paintShadow(index, box: box, own: own, radius: radius, alpha: alpha)
        if let background = box.background, own.width > 0, own.height > 0, isWithinBudget(background, own) {
            outline.trace(own, on: canvas)
            if source.apply(background, in: own, alpha: alpha) { cairo_fill(pen) }
            cairo_new_path(pen)
        }
        cairo_save(pen)
        if box.clip != nil || radius > 0 {
            outline.trace(own, on: canvas)
            cairo_clip(pen)
        }
        for child in layout.outline.children[index] { paint(child, alpha: alpha) }
        cairo_restore(pen)
        if let border = box.border, own.width > 0, own.height > 0, isWithinBudget(border, own) {
            let width = min(max(LengthRange.length(box.borderWidth) ?? 1, 0), min(own.width, own.height) / 2)
            outline.shrunk(width / 2).trace(own.expanded(-width / 2), on: canvas)
            cairo_set_line_width(pen, width)
            if source.apply(border, in: own, alpha: alpha) { cairo_stroke(pen) }
            cairo_new_path(pen)
        }
    }

    /// Paints the shadow of the background, or of the shape in the box.
    private func paintShadow(_ index: Int, box: PageBox, own: Box, radius: Double, alpha: Double) {
        guard let reach = LengthRange.length(box.shadow), reach > 0, own.width > 0, own.height > 0 else {
            return
        }
        let child = layout.outline.children[index].first.map { layout.nodes[$0] }
        let shape = child?.kind == .shape && child?.shape?.fill != nil ? child?.shape : nil
        guard box.background != nil || shape != nil else { return }
        // The weight is the number of outlines that `shadow` draws.
        guard budget.allows(own.expanded(min(reach, 60)), weight: 24, isStraight: isStraight) else { return }
        let side = min(own.width, own.height)
        let corner: Double
        switch shape?.kind ?? box.clip ?? .rounded {
        case .circle, .ellipse, .capsule: corner = side / 2
        case .rounded: corner = LengthRange.length(shape?.radius) ?? radius
        case .rectangle, .path, .unknown: corner = 0
        }
        let isRound = shape?.kind == .circle
        canvas.shadow(
            isRound ? Box(x: own.midX - side / 2, y: own.midY - side / 2, width: side, height: side) : own,
            radius: max(0, corner),
            reach: min(reach, 60),
            strength: (appearance == .dark ? 0.5 : 0.16) * alpha
        )
    }

    // MARK: - Leaves

    private func paintLeaf(_ index: Int, node: PageNode, alpha: Double) {
        let box = layout.boxes[index]
        // Shapes check the budget themselves.
        guard node.kind == .shape || budget.allows(box, weight: 2, isStraight: isStraight) else { return }
        switch node.kind {
        case .text: paintText(index, box: box, alpha: alpha)
        case .shape: if let shape = node.shape { paintShape(shape, box: box, alpha: alpha) }
        case .image: if let image = node.image { paintImage(index, image: image, box: box, alpha: alpha) }
        case .divider:
            paintLine(
                box,
                ink: color(node.color) ?? PageColors.ink(PageColors.line, appearance),
                alpha: alpha
            )
        case .progress: paintProgress(node, box: box, alpha: alpha)
        case .chart:
            guard let chart = node.chart, box.width >= 1, box.height >= 1 else { return }
            PageChartPainter(painter: self, box: box, alpha: alpha).paint(chart)
        default: break
        }
    }

    func color(_ color: PageColor?) -> DrawColor? {
        color.map {
            warnings.ink(
                $0,
                appearance,
                of: PartName.page,
                otherwise: PageColors.ink(PageColors.text, appearance)
            )
        }
    }

    func faded(_ ink: DrawColor, _ alpha: Double) -> DrawColor { ink.with(alpha: ink.alpha * alpha) }

    private func paintText(_ index: Int, box: Box, alpha: Double) {
        guard let text = layout.parts.texts[index], text.width > 0 else { return }
        let ink = PageColors.ink(PageColors.text, appearance)
        guard alpha < 1 else { return text.draw(in: box, on: canvas, ink) }
        // The runs may have their own colours, so the whole text is faded as a group.
        canvas.withSavedState {
            canvas.clip(box.expanded(text.lineHeight * 0.3))
            cairo_push_group(pen)
            text.draw(in: box, on: canvas, ink)
            cairo_pop_group_to_source(pen)
            cairo_paint_with_alpha(pen, alpha)
        }
    }

    /// Draws a line that is one pixel thick, but at least half a point.
    private func paintLine(_ box: Box, ink: DrawColor, alpha: Double) {
        let thin = max(0.5, 1 / scene.scale)
        let line =
            box.width >= box.height
            ? Box(x: box.x, y: box.midY - thin / 2, width: box.width, height: thin)
            : Box(x: box.midX - thin / 2, y: box.y, width: thin, height: box.height)
        canvas.fill(pixelAligned(line), radius: 0, faded(ink, alpha))
    }

    private func paintProgress(_ node: PageNode, box: Box, alpha: Double) {
        let pill = PageOutlinePath(kind: .capsule, radius: 0)
        canvas.setColor(faded(PageColors.ink(PageColors.track, appearance), alpha))
        pill.trace(box, on: canvas)
        cairo_fill(pen)
        let value = node.value.map { $0.isFinite ? min(max($0, 0), 1) : 0 }
        // Progress without a value is shown as a part of the bar.
        let part = value ?? 0.4
        guard part > 0 else { return }
        let width = max(box.height, box.width * part)
        canvas.setColor(faded(color(node.color) ?? PageColors.ink(PageColors.accent, appearance), alpha))
        pill.trace(Box(x: box.x, y: box.y, width: min(width, box.width), height: box.height), on: canvas)
        cairo_fill(pen)
    }

    // MARK: - Shapes

    private func paintShape(_ shape: PageShape, box: Box, alpha: Double) {
        guard box.width > 0, box.height > 0 else { return }
        let isEdge = shape.stroke == nil && (shape.kind == .rectangle || shape.kind == .rounded)
        let place = isEdge ? pixelAligned(box) : box
        let outline = PageOutlinePath(kind: shape.kind, radius: max(0, LengthRange.length(shape.radius) ?? 0))
        outline.trace(place, path: shape.path, on: canvas)
        let from = min(max(shape.trimFrom ?? 0, 0), 1)
        let to = min(max(shape.trimTo ?? 1, 0), 1)
        if from > 0 || to < 1 { PathTrim.trim(pen, from: from, to: to) }
        if let fill = shape.fill ?? (shape.stroke == nil ? Self.plain : nil), isWithinBudget(fill, place) {
            if source.apply(fill, in: place, alpha: alpha) { cairo_fill_preserve(pen) }
        }
        let width = max(0, LengthRange.length(shape.lineWidth) ?? 1)
        if let stroke = shape.stroke, isWithinBudget(stroke, place.expanded(width)) {
            cairo_set_line_width(pen, width)
            if source.apply(stroke, in: place, alpha: alpha) { cairo_stroke_preserve(pen) }
        }
        cairo_new_path(pen)
    }

    private static let plain = PagePaint(kind: .color, color: PageColors.text)

    // MARK: - Pictures

    private func paintImage(_ index: Int, image: PageImage, box: Box, alpha: Double) {
        guard box.width > 0, box.height > 0 else { return }
        if image.kind == .system { return paintSymbol(image, box: box, alpha: alpha) }
        guard let picture = layout.parts.pictures[index] else {
            let grey = faded(PageColors.ink(PageColors.track, appearance), alpha)
            return canvas.fill(box, radius: min(box.width, box.height) * 0.2, grey)
        }
        canvas.withSavedState {
            canvas.clip(box)
            let (across, down) = (box.width / Double(picture.width), box.height / Double(picture.height))
            var (x, y) = (across, down)
            // Without a scaling mode, the picture is stretched to the box.
            if image.scaling == "fit" { (x, y) = (min(across, down), min(across, down)) }
            if image.scaling == "fill" { (x, y) = (max(across, down), max(across, down)) }
            cairo_translate(
                pen,
                box.midX - Double(picture.width) * x / 2,
                box.midY - Double(picture.height) * y / 2
            )
            cairo_scale(pen, x, y)
            cairo_rectangle(pen, 0, 0, Double(picture.width), Double(picture.height))
            cairo_clip(pen)
            if let ink = color(image.color) {
                // Only the shape is drawn, as for template images.
                canvas.setColor(faded(ink, alpha))
                cairo_mask_surface(pen, picture.surface, 0, 0)
                return
            }
            cairo_set_source_surface(pen, picture.surface, 0, 0)
            cairo_pattern_set_filter(cairo_get_source(pen), CAIRO_FILTER_GOOD)
            cairo_pattern_set_extend(cairo_get_source(pen), CAIRO_EXTEND_PAD)
            cairo_paint_with_alpha(pen, alpha)
        }
    }

    private func paintSymbol(_ image: PageImage, box: Box, alpha: Double) {
        let ink = faded(color(image.color) ?? PageColors.ink(PageColors.text, appearance), alpha)
        guard let name = SymbolName(image.name ?? "") else {
            let shown = (image.name ?? "").prefix(60)
            warnings.add(
                Message(
                    "draw.no-such-symbol-on-page",
                    "There is no symbol “\(shown, "name")”. A plain tile is shown instead."
                )
            )
            let side = min(box.width, box.height) * 0.7
            let tile = Box(x: box.midX - side / 2, y: box.midY - side / 2, width: side, height: side)
            return canvas.fill(tile, radius: side * 0.25, faded(ink, 0.25))
        }
        let own = box.expanded(-min(box.width, box.height) * 0.04)
        guard isVector, name.isFilled || name.isSlashed || name.isCircled else {
            return SymbolPainter.paint(name, in: own, ink, on: canvas)
        }
        paintPixels(name, box: own, ink: ink)
    }

    /// Draws a symbol as a small picture, because an SVG cannot contain cut-outs of a shape without a mask.
    private func paintPixels(_ name: SymbolName, box: Box, ink: DrawColor) {
        let side = Int(min(box.width, box.height).rounded(.up)) * 4
        guard let picture = try? Canvas(width: min(side, 1024), height: min(side, 1024)) else { return }
        SymbolPainter.paint(name, in: picture.bounds, ink, on: picture)
        canvas.place(picture, in: box)
    }
}
