import STCCairo
package import STContracts
package import STPlatform
import STRendering

/// Draws pages into pixels or into an SVG.
package enum PageDrawing {
    /// The margin around the page, in points.
    static let margin = 20.0

    /// Draws a page into pixels. Throws if the page is invalid. Parts that cannot be drawn result in warnings.
    package static func draw(_ scene: PageDrawingRequest) throws(Problem) -> DrawnPage {
        let work = try Work(scene)
        let scale = scene.scale
        let width = Int((scene.width * scale).rounded())
        let height = max(1, Int((work.sheetHeight * scale).rounded()))
        guard width <= DrawLimits.pageSideMax, width * height <= DrawLimits.pixelsMax else {
            throw Problem(
                "draw.too_large",
                "The picture would have \(width, "width")x\(height, "height") pixels; choose a smaller width or scale.",
                field: "/scale"
            )
        }
        let canvas = try Canvas(width: width, height: height)
        cairo_scale(canvas.pen, scale, scale)
        work.paint(on: canvas, isVector: false)
        try canvas.check()
        return work.drawn(canvas, width: width, height: height)
    }

    /// Draws a page as SVG. Glyphs are outlines, so that the picture is the same without the fonts of this machine.
    ///
    /// Lines of text are broken and cut for these fonts. With `<text>`, the fonts of another machine would exceed the edges, and
    /// Korean would be boxes without a suitable font. The text for screen readers is in `<title>` and `<desc>`.
    package static func svg(_ scene: PageDrawingRequest) throws(Problem) -> (bytes: [UInt8], page: DrawnPage)
    {
        let work = try Work(scene)
        let width = Int(scene.width.rounded())
        let height = max(1, Int(work.sheetHeight.rounded(.up)))
        let sink = ByteSink()
        let page: DrawnPage
        do {
            guard
                let surface = cairo_svg_surface_create_for_stream(
                    ByteSink.write,
                    Unmanaged.passUnretained(sink).toOpaque(),
                    Double(width),
                    Double(height)
                )
            else {
                throw Problem(
                    "draw.no_memory",
                    "There is not enough memory for the picture. Close some programs and try again.",
                    key: "draw.no_memory.there-is-no-memory"
                )
            }
            // A point of a page equals a pixel of CSS.
            cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_USER)
            let canvas = try Canvas(surface, width: width, height: height)
            work.paint(on: canvas, isVector: true)
            try canvas.check()
            page = work.drawn(canvas, width: width, height: height)
            cairo_surface_finish(surface)
            guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS else {
                throw Problem(
                    "draw.no_memory",
                    "There is not enough memory for the picture. Choose PNG instead.",
                    key: "draw.no_memory.there-is-no-memory-for"
                )
            }
        }
        return (SVGHeader.named(sink.bytes, page: scene.page, variant: work.variant), page)
    }

    /// A page with its layout.
    private struct Work {
        let scene: PageDrawingRequest
        let variant: PageVariant
        let layout: PageLayout
        let warnings = Warnings()
        /// The height of the picture, in points.
        let sheetHeight: Double
        let isCut: Bool

        init(_ scene: PageDrawingRequest) throws(Problem) {
            try scene.check()
            self.scene = scene
            variant = try scene.variant()
            let tree = try PageTree(variant.nodes)
            let nodes = PageLowering.lower(
                tree,
                controls: scene.page.controls,
                chosen: variant.chosen,
                title: scene.page.title,
                language: scene.page.language,
                warnings: warnings
            )
            guard
                let outline = PageOutline(
                    nodes,
                    depthMax: PageLowering.depthMax,
                    nodesMax: PageLowering.nodesMax
                )
            else {
                throw Problem(
                    "draw.bad_page",
                    "The page is nested too deeply or is too large to draw. Show less on it."
                )
            }
            // Used only to measure texts.
            let ruler = try Canvas(width: 1, height: 1)
            let setting = PageText.Setting(language: scene.page.language, appearance: scene.appearance)
            let parts = PageParts(outline, setting: setting, pen: ruler.pen, warnings: warnings)
            layout = withExtendedLifetime(ruler) {
                PageLayout(outline, parts, width: scene.width - 2 * PageDrawing.margin)
            }
            let content = (layout.boxes.first?.height ?? 0) + 2 * PageDrawing.margin
            let most = min(scene.height ?? .infinity, Self.heightMax(scene))
            isCut = content > most + 0.5
            sheetHeight = min(max(content.rounded(.up), DrawLimits.pageHeightMin), most)
            if isCut {
                warnings.add(
                    Message(
                        "draw.page-cut-off",
                        "The page is longer than the picture. Its end is cut off."
                    )
                )
            }
            if let root = layout.boxes.first, root.width > scene.width - PageDrawing.margin {
                warnings.add(
                    Message(
                        "draw.page-too-wide",
                        "The page is wider than the picture. Choose a larger width."
                    )
                )
            }
        }

        /// Returns the maximum height of a picture of this width, in points.
        private static func heightMax(_ scene: PageDrawingRequest) -> Double {
            let pixels = Double(DrawLimits.pixelsMax) / (scene.width * scene.scale * scene.scale)
            let side = Double(DrawLimits.pageSideMax) / scene.scale
            return min(DrawLimits.pageHeightMax, pixels.rounded(.down), side)
        }

        func paint(on canvas: Canvas, isVector: Bool) {
            canvas.fill(PageColors.ink(PageColors.ground, scene.appearance))
            let margin = PageDrawing.margin
            cairo_translate(canvas.pen, margin, margin)
            let sheet = Box(x: -margin, y: -margin, width: scene.width, height: sheetHeight)
            var painter = PagePainter(
                canvas,
                layout: layout,
                scene: scene,
                sheet: sheet,
                isVector: isVector,
                warnings: warnings
            )
            painter.paint()
        }

        func drawn(_ canvas: Canvas, width: Int, height: Int) -> DrawnPage {
            let parts = layout.nodes.indices.map { index in
                DrawnPage.Part(
                    kind: layout.nodes[index].kind,
                    parent: layout.outline.parents[index],
                    box: layout.boxes[index].moved(PageDrawing.margin, PageDrawing.margin),
                    isCut: layout.parts.texts[index]?.isCut ?? false,
                    lines: layout.parts.texts[index]?.lineCount ?? 0,
                    text: layout.nodes[index].runs.map { $0.map(\.text).joined() }
                )
            }
            return DrawnPage(
                canvas: canvas,
                width: width,
                height: height,
                parts: parts,
                isCut: isCut,
                warnings: warnings.messages
            )
        }
    }
}

/// A picture of a page, and the places of its parts.
package struct DrawnPage {
    /// One element of the page. Lists and switches have become stacks and boxes.
    package struct Part {
        package var kind: PageKind
        /// The index of the enclosing part, or -1.
        package var parent: Int
        /// The frame in points, from the upper left corner of the picture.
        package var box: Box
        /// True if the end of the text is replaced by an ellipsis.
        package var isCut: Bool
        package var lines: Int
        /// The text, if the part is a text.
        package var text: String?
    }

    package var canvas: Canvas
    /// The size in pixels, or in points for an SVG.
    package var width: Int
    package var height: Int
    /// The parts in preorder.
    package var parts: [Part]
    package var isCut: Bool
    package var warnings: [Message]
}

/// Adds texts for screen readers to an SVG.
enum SVGHeader {
    private static let lengthMax = 4000

    /// Returns the SVG with a title and a description after its first tag.
    static func named(_ svg: [UInt8], page: Page, variant: PageVariant) -> [UInt8] {
        guard let tag = svg.firstRange(of: Array("<svg ".utf8)),
            let end = svg[tag.upperBound...].firstIndex(of: UInt8(ascii: ">"))
        else { return svg }
        let role = "role=\"img\" lang=\"\(escaped(page.language))\" "
        var head = ""
        if let title = page.title, !title.isEmpty { head += "\n<title>\(escaped(title))</title>" }
        let words = variant.nodes.compactMap(text).filter { !$0.isEmpty }.joined(separator: "\n")
        if !words.isEmpty { head += "\n<desc>\(escaped(String(words.prefix(lengthMax))))</desc>" }
        return svg[..<tag.upperBound] + Array(role.utf8) + svg[tag.upperBound...end] + Array(head.utf8)
            + svg[(end + 1)...]
    }

    private static func text(_ node: PageNode) -> String? {
        if node.isDecoration == true { return nil }
        if let label = node.label { return label }
        if let runs = node.runs { return runs.map(\.text).joined() }
        return node.chart?.summary
    }

    /// Escapes a text and drops control characters, which XML does not allow. Line breaks and tabs remain.
    private static func escaped(_ text: String) -> String {
        Markup.escaped(text) { scalar, result in
            let isText =
                scalar.value >= 0x20 && scalar.value != 0x7F && !(0xFFFE...0xFFFF).contains(scalar.value)
            if isText || scalar == "\n" || scalar == "\t" { result.unicodeScalars.append(scalar) }
        }
    }
}
