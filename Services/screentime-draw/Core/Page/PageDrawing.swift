import STCCairo
package import STContracts
package import STPlatform
import STRendering

/// The drawing of pages, into pixels or into an SVG.
package enum PageDrawing {
    /// Around everything on a page, in points.
    static let margin = 20.0

    /// Refuses anything that is not a page; what cannot be drawn of a page becomes a warning.
    package static func draw(_ scene: PageScene) throws(Problem) -> DrawnPage {
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

    /// The same as SVG: letters are outlines, so that it looks the same where the fonts are not.
    ///
    /// Lines of text are broken and cut for the fonts of this machine. With `<text>` another machine's fonts would
    /// run over the edges, and Korean would be boxes where no font has it. What is to be read by others stands in
    /// `<title>` and `<desc>`.
    package static func svg(_ scene: PageScene) throws(Problem) -> (bytes: [UInt8], page: DrawnPage) {
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
                    "There is not enough memory for the picture.",
                    key: "draw.no_memory.there-is-no-memory"
                )
            }
            // Points of a page are what the web calls pixels.
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
        return (SVGHead.named(sink.bytes, scene.page, work.variant), page)
    }

    /// A page that is laid out.
    private struct Work {
        let scene: PageScene
        let variant: PageVariant
        let layout: PageLayout
        let warnings = Warnings()
        /// The height of the picture, in points.
        let sheetHeight: Double
        let isCut: Bool

        init(_ scene: PageScene) throws(Problem) {
            try scene.check()
            self.scene = scene
            variant = try scene.variant()
            let tree = try PageTree(variant.nodes)
            let nodes = PageLowering.lower(
                tree,
                scene.page.controls,
                chosen: variant.chosen,
                title: scene.page.title,
                language: scene.page.language,
                warnings
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
            // Only to measure on.
            let ruler = try Canvas(width: 1, height: 1)
            let setting = PageText.Setting(language: scene.page.language, face: scene.appearance)
            let parts = PageParts(outline, setting, ruler.pen, warnings)
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

        /// The greatest height of a picture of this width.
        private static func heightMax(_ scene: PageScene) -> Double {
            let pixels = Double(DrawLimits.pixelsMax) / (scene.width * scene.scale * scene.scale)
            let side = Double(DrawLimits.pageSideMax) / scene.scale
            return min(DrawLimits.pageHeightMax, pixels.rounded(.down), side)
        }

        func paint(on canvas: Canvas, isVector: Bool) {
            canvas.fill(PageInks.ink(PageInks.ground, scene.appearance))
            let margin = PageDrawing.margin
            cairo_translate(canvas.pen, margin, margin)
            let sheet = Box(-margin, -margin, scene.width, sheetHeight)
            var painter = PagePainter(canvas, layout, scene, sheet: sheet, isVector: isVector, warnings)
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
                    words: layout.nodes[index].runs.map { $0.map(\.text).joined() }
                )
            }
            return DrawnPage(
                canvas: canvas,
                width: width,
                height: height,
                parts: parts,
                isCut: isCut,
                warnings: warnings.all
            )
        }
    }
}

/// A picture of a page, and what is where in it.
package struct DrawnPage {
    /// One thing on the page; lists and switches have become stacks and boxes.
    package struct Part {
        package var kind: PageKind
        /// The part around it; -1 is none.
        package var parent: Int
        /// In points, from the upper left corner of the picture.
        package var box: Box
        /// Whether an ellipsis stands for the end of its text.
        package var isCut: Bool
        package var lines: Int
        /// The words of a text.
        package var words: String?
    }

    package var canvas: Canvas
    /// In pixels, or in points for an SVG.
    package var width: Int
    package var height: Int
    /// In the order in which they stand in each other.
    package var parts: [Part]
    package var isCut: Bool
    package var warnings: [Message]
}

/// What an SVG says to those who do not look at it.
enum SVGHead {
    private static let lengthMax = 4000

    /// The same with a title and a description behind its first tag.
    static func named(_ svg: [UInt8], _ page: Page, _ variant: PageVariant) -> [UInt8] {
        guard let tag = svg.firstRange(of: Array("<svg ".utf8)),
            let end = svg[tag.upperBound...].firstIndex(of: UInt8(ascii: ">"))
        else { return svg }
        let role = "role=\"img\" lang=\"\(escaped(page.language))\" "
        var head = ""
        if let title = page.title, !title.isEmpty { head += "\n<title>\(escaped(title))</title>" }
        let words = variant.nodes.compactMap(words).filter { !$0.isEmpty }.joined(separator: "\n")
        if !words.isEmpty { head += "\n<desc>\(escaped(String(words.prefix(lengthMax))))</desc>" }
        return svg[..<tag.upperBound] + Array(role.utf8) + svg[tag.upperBound...end] + Array(head.utf8)
            + svg[(end + 1)...]
    }

    private static func words(_ node: PageNode) -> String? {
        if node.isDecoration == true { return nil }
        if let label = node.label { return label }
        if let runs = node.runs { return runs.map(\.text).joined() }
        return node.chart?.summary
    }

    /// XML has no control characters at all, and pages keep their line breaks.
    private static func escaped(_ text: String) -> String {
        Markup.escaped(text) { scalar, result in
            let isText =
                scalar.value >= 0x20 && scalar.value != 0x7F && !(0xFFFE...0xFFFF).contains(scalar.value)
            if isText || scalar == "\n" || scalar == "\t" { result.unicodeScalars.append(scalar) }
        }
    }
}
