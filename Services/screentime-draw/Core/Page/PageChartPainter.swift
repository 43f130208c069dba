import STCCairo
import STContracts
import STRendering

/// Draws a chart from its `ChartLayout`.
struct PageChartPainter {
    private static let lineColor = PageColors.track
    private static let baseColor = PageColors.line

    let painter: PagePainter
    let box: Box
    let alpha: Double

    private var canvas: Canvas { painter.canvas }
    private var pen: OpaquePointer { painter.pen }

    func paint(_ chart: PageChart) {
        let whole = layout(chart, width: box.width, height: box.height)
        let setting = PageText.Setting(language: painter.scene.page.language, appearance: painter.appearance)
        let legend = PageChartLegend(whole, language: painter.scene.page.language, setting: setting, pen: pen)
        let rest = legend.rest.moved(box.x, box.y)
        canvas.withSavedState {
            canvas.clip(box.expanded(1))
            for item in legend.items { paint(item) }
            let isWhole = legend.items.isEmpty
            let plot = isWhole ? whole : layout(chart, width: rest.width, height: rest.height)
            PageChartPainter(painter: painter, box: rest, alpha: alpha).paint(plot)
        }
    }

    /// Returns the layout without a legend, because `PageChartLegend` draws it.
    private func layout(_ chart: PageChart, width: Double, height: Double) -> ChartLayout {
        let page = painter.scene.page
        return ChartLayout(
            chart,
            ChartSetting(
                width: width,
                height: height,
                language: page.language,
                zone: page.zone,
                showsLegend: false,
                measure: Self.measure(page.language)
            )
        )
    }

    private func paint(_ layout: ChartLayout) {
        for line in layout.lines { paint(line) }
        for shape in layout.shapes { paint(shape) }
        for label in layout.labels { paint(label, layout) }
    }

    private func place(_ rect: ChartRect) -> Box {
        Box(x: box.x + rect.x, y: box.y + rect.y, width: rect.width, height: rect.height)
    }

    private func paint(_ line: ChartLine) {
        let thin = max(0.5, 1 / painter.scene.scale)
        let (x, y) = (min(line.from.x, line.to.x), min(line.from.y, line.to.y))
        let (width, height) = (abs(line.to.x - line.from.x), abs(line.to.y - line.from.y))
        let ink = PageColors.ink(line.isBase ? Self.baseColor : Self.lineColor, painter.appearance)
        let own = Box(x: box.x + x, y: box.y + y, width: max(width, thin), height: max(height, thin))
        canvas.fill(painter.pixelAligned(own), radius: 0, painter.faded(ink, alpha))
    }

    private func paint(_ shape: ChartShape) {
        cairo_new_path(pen)
        let isPlain = shape.path.allSatisfy { if case .curve = $0 { false } else { true } }
        if let rect = shape.rect, isPlain, shape.lineWidth == nil {
            // The sides of bars are on pixel edges, so that bars that touch have no visible seam.
            let own = place(rect)
            let sharp = painter.pixelAligned(own)
            cairo_rectangle(pen, sharp.x, own.y, sharp.width, own.height)
        } else {
            trace(shape.path)
        }
        // A gradient covers the bar that it belongs to, or otherwise the whole chart.
        let area = shape.rect.map(place) ?? box
        let opacity = min(max(shape.opacity, 0), 1) * alpha
        guard painter.source.apply(shape.paint, in: area, alpha: opacity) else { return cairo_new_path(pen) }
        if let width = shape.lineWidth {
            cairo_save(pen)
            cairo_set_line_width(pen, width)
            cairo_set_line_join(pen, CAIRO_LINE_JOIN_ROUND)
            cairo_set_line_cap(pen, CAIRO_LINE_CAP_ROUND)
            cairo_stroke(pen)
            cairo_restore(pen)
        } else {
            cairo_fill(pen)
        }
    }

    private func trace(_ path: [ChartStep]) {
        for step in path {
            switch step {
            case .move(let to): cairo_move_to(pen, box.x + to.x, box.y + to.y)
            case .line(let to): cairo_line_to(pen, box.x + to.x, box.y + to.y)
            case .curve(let one, let two, let to):
                cairo_curve_to(
                    pen,
                    box.x + one.x,
                    box.y + one.y,
                    box.x + two.x,
                    box.y + two.y,
                    box.x + to.x,
                    box.y + to.y
                )
            case .close: cairo_close_path(pen)
            }
        }
    }

    private func paint(_ item: PageChartLegend.Item) {
        let own = item.place.moved(box.x, box.y)
        let side = PageChartLegend.swatch
        if let ink = painter.color(item.color) {
            let swatch = Box(x: own.x, y: own.midY - side / 2, width: side, height: side)
            canvas.fill(painter.pixelAligned(swatch), radius: 3, painter.faded(ink, alpha))
        }
        let ink = painter.faded(PageColors.ink(PageColors.text, painter.appearance), alpha)
        item.text.draw(in: own.moved(side + PageChartLegend.swatchGap, 0), on: canvas, ink)
    }

    private func paint(_ label: ChartLabel, _ layout: ChartLayout) {
        let color = label.role == .legend || label.role == .note ? PageColors.text : PageColors.secondary
        let weight = label.role == .note ? 600 : label.role == .title ? 500 : 400
        let own = label.role == .note ? onShape(label, layout) : nil
        let font = PageFont(size: label.size, weight: weight)
        let text = PageText(
            [PageRun(text: label.text, font: font)],
            lines: 1,
            align: .leading,
            setting: .init(language: painter.scene.page.language, appearance: painter.appearance),
            pen: pen
        )
        // The layout may have measured the text in another font.
        text.fit(width: max(label.rect.width + label.size, 1), lines: 1)
        let rect = place(label.rect)
        let x = rect.x + (rect.width - text.width) * label.anchor
        let y = box.y + label.baseline - text.baseline
        let ink = own ?? PageColors.ink(color, painter.appearance)
        text.draw(
            in: Box(x: x, y: y, width: text.width, height: text.height),
            on: canvas,
            painter.faded(ink, alpha)
        )
    }

    /// Returns the more legible of black and white for a note on a mark, or nil if there is no mark under it.
    private func onShape(_ label: ChartLabel, _ layout: ChartLayout) -> DrawColor? {
        let middle = label.rect.middle
        let under = layout.shapes.last { shape in
            if let rect = shape.rect {
                return rect.x <= label.rect.x && label.rect.right <= rect.right
                    && rect.y <= middle.y && middle.y <= rect.bottom
            }
            guard let sector = shape.sector else { return false }
            let (x, y) = (middle.x - sector.center.x, middle.y - sector.center.y)
            let distance = (x * x + y * y).squareRoot()
            return shape.mark != nil && distance >= sector.inner && distance <= sector.outer
        }
        guard let under, let color = under.paint.color ?? under.paint.stops?.first?.color,
            let own = color.ink(painter.appearance)
        else { return nil }
        let ground = own.with(alpha: own.alpha * under.opacity)
            .blended(PageColors.ink(PageColors.ground, painter.appearance))
        return DrawColor.white.contrast(on: ground) >= 3
            ? .white : PageColors.ink(SystemAppearance.label, .light)
    }

    /// Returns a function that measures texts with pango. Each call uses its own canvas, so that calls share no state.
    private static func measure(_ language: String) -> @Sendable (String, Double) -> Double {
        { text, size in
            guard let canvas = try? Canvas(width: 1, height: 1) else {
                return ChartSetting.estimate(text, size)
            }
            let run = PageRun(text: text, font: PageFont(size: size))
            let setting = PageText.Setting(language: language, appearance: .light)
            return PageText([run], lines: 1, align: nil, setting: setting, pen: canvas.pen).naturalWidth
        }
    }
}
