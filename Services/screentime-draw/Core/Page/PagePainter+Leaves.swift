import STCCairo
import STContracts
import STRendering

extension PagePainter {
    func paintLeaf(_ index: Int, _ node: PageNode, _ alpha: Double) {
        let box = layout.boxes[index]
        // A shape says itself what it costs.
        guard node.kind == .shape || budget.allows(box, weight: 2, isStraight: isStraight) else { return }
        switch node.kind {
        case .text: paintText(index, box, alpha)
        case .shape: if let shape = node.shape { paintShape(shape, box, alpha) }
        case .image: if let image = node.image { paintImage(index, image, box, alpha) }
        case .divider:
            paintLine(box, color(node.color) ?? PageInks.ink(PageInks.line, face), alpha)
        case .progress: paintProgress(node, box, alpha)
        case .chart:
            guard let chart = node.chart, box.width >= 1, box.height >= 1 else { return }
            PageChartPainter(painter: self, box: box, alpha: alpha).paint(chart)
        default: break
        }
    }

    func color(_ color: PageColor?) -> Ink? {
        color.map { warnings.ink($0, face, of: "page", otherwise: PageInks.ink(PageInks.text, face)) }
    }

    func faded(_ ink: Ink, _ alpha: Double) -> Ink { ink.with(alpha: ink.alpha * alpha) }

    private func paintText(_ index: Int, _ box: Box, _ alpha: Double) {
        guard let text = layout.parts.texts[index], text.width > 0 else { return }
        let ink = PageInks.ink(PageInks.text, face)
        guard alpha < 1 else { return text.draw(in: box, on: canvas, ink) }
        // Its stretches may have colours of their own, so all of it is faded together.
        canvas.aside {
            canvas.clip(box.grown(text.lineHeight * 0.3))
            cairo_push_group(pen)
            text.draw(in: box, on: canvas, ink)
            cairo_pop_group_to_source(pen)
            cairo_paint_with_alpha(pen, alpha)
        }
    }

    /// As thin as it can be seen, but not thinner than half a point.
    private func paintLine(_ box: Box, _ ink: Ink, _ alpha: Double) {
        let thin = max(0.5, 1 / scene.scale)
        let line =
            box.width >= box.height
            ? Box(box.x, box.midY - thin / 2, box.width, thin)
            : Box(box.midX - thin / 2, box.y, thin, box.height)
        canvas.fill(sharp(line), radius: 0, faded(ink, alpha))
    }

    private func paintProgress(_ node: PageNode, _ box: Box, _ alpha: Double) {
        let pill = PageOutlinePath(kind: .capsule, radius: 0)
        canvas.use(faded(PageInks.ink(PageInks.track, face), alpha))
        pill.trace(box, on: canvas)
        cairo_fill(pen)
        let value = node.value.map { $0.isFinite ? min(max($0, 0), 1) : 0 }
        // How far it is nobody knows, so a part of it stands for all.
        let part = value ?? 0.4
        guard part > 0 else { return }
        let width = max(box.height, box.width * part)
        canvas.use(faded(color(node.color) ?? PageInks.ink(PageInks.accent, face), alpha))
        pill.trace(Box(box.x, box.y, min(width, box.width), box.height), on: canvas)
        cairo_fill(pen)
    }

    // MARK: - Shapes

    private func paintShape(_ shape: PageShape, _ box: Box, _ alpha: Double) {
        guard box.width > 0, box.height > 0 else { return }
        let isEdge = shape.stroke == nil && (shape.kind == .rectangle || shape.kind == .rounded)
        let place = isEdge ? sharp(box) : box
        let outline = PageOutlinePath(kind: shape.kind, radius: max(0, PageSpan.length(shape.radius) ?? 0))
        outline.trace(place, path: shape.path, on: canvas)
        let from = min(max(shape.trimFrom ?? 0, 0), 1)
        let to = min(max(shape.trimTo ?? 1, 0), 1)
        if from > 0 || to < 1 { PathTrim.trim(pen, from: from, to: to) }
        if let fill = shape.fill ?? (shape.stroke == nil ? Self.plain : nil), allows(fill, place) {
            if pens.use(fill, in: place, alpha: alpha) { cairo_fill_preserve(pen) }
        }
        let width = max(0, PageSpan.length(shape.lineWidth) ?? 1)
        if let stroke = shape.stroke, allows(stroke, place.grown(width)) {
            cairo_set_line_width(pen, width)
            if pens.use(stroke, in: place, alpha: alpha) { cairo_stroke_preserve(pen) }
        }
        cairo_new_path(pen)
    }

    private static let plain = PagePaint(kind: .color, color: PageInks.text)

    // MARK: - Pictures

    private func paintImage(_ index: Int, _ image: PageImage, _ box: Box, _ alpha: Double) {
        guard box.width > 0, box.height > 0 else { return }
        if image.kind == .system { return paintSymbol(image, box, alpha) }
        guard let picture = layout.parts.pictures[index] else {
            let grey = faded(PageInks.ink(PageInks.track, face), alpha)
            return canvas.fill(box, radius: min(box.width, box.height) * 0.2, grey)
        }
        canvas.aside {
            canvas.clip(box)
            let (across, down) = (box.width / Double(picture.width), box.height / Double(picture.height))
            var (x, y) = (across, down)
            // Without a word about it a picture fills its own size.
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
                // Its shape alone, as templates are drawn.
                canvas.use(faded(ink, alpha))
                cairo_mask_surface(pen, picture.surface, 0, 0)
                return
            }
            cairo_set_source_surface(pen, picture.surface, 0, 0)
            cairo_pattern_set_filter(cairo_get_source(pen), CAIRO_FILTER_GOOD)
            cairo_pattern_set_extend(cairo_get_source(pen), CAIRO_EXTEND_PAD)
            cairo_paint_with_alpha(pen, alpha)
        }
    }

    private func paintSymbol(_ image: PageImage, _ box: Box, _ alpha: Double) {
        let ink = faded(color(image.color) ?? PageInks.ink(PageInks.text, face), alpha)
        guard let name = SymbolName(image.name ?? "") else {
            let shown = (image.name ?? "").prefix(60)
            warnings.add("There is no symbol “\(shown)” here; a plain tile is shown.")
            let side = min(box.width, box.height) * 0.7
            let tile = Box(box.midX - side / 2, box.midY - side / 2, side, side)
            return canvas.fill(tile, radius: side * 0.25, faded(ink, 0.25))
        }
        let own = box.grown(-min(box.width, box.height) * 0.04)
        guard isVector, name.isFilled || name.isSlashed || name.isCircled else {
            return SymbolPainter.paint(name, in: own, ink, on: canvas)
        }
        paintPixels(name, own, ink)
    }

    /// What is cut out of a shape cannot be said in an SVG without a mask, so these are small pictures.
    private func paintPixels(_ name: SymbolName, _ box: Box, _ ink: Ink) {
        let side = Int(min(box.width, box.height).rounded(.up)) * 4
        guard let picture = try? Canvas(width: min(side, 1024), height: min(side, 1024)) else { return }
        SymbolPainter.paint(name, in: picture.bounds, ink, on: picture)
        canvas.place(picture, in: box)
    }
}
