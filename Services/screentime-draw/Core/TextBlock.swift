import STCCairo
import STPlatform

/// A text that pango has laid out in lines.
final class TextBlock {
    enum Weight {
        case regular, medium, semibold, bold
    }

    struct Style {
        var size: Double
        var weight: Weight
        var spacing = 1.25
        var isCentred = true
    }

    private let layout: OpaquePointer
    private let canvas: Canvas
    let isCentred: Bool

    init(_ text: String, _ style: Style, language: String?, on canvas: Canvas) {
        self.canvas = canvas
        isCentred = style.isCentred
        layout = pango_cairo_create_layout(canvas.pen)
        Pango.prepare(layout, language)
        let font = pango_font_description_new()
        pango_font_description_set_family(font, Pango.families(language))
        pango_font_description_set_absolute_size(font, style.size * Pango.unit)
        pango_font_description_set_weight(font, Self.weight(style.weight))
        pango_layout_set_font_description(layout, font)
        pango_font_description_free(font)
        pango_layout_set_text(layout, TextCleaning.keepingKoreanWords(text), -1)
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
        pango_layout_set_line_spacing(layout, Float(style.spacing))
        pango_layout_set_alignment(layout, style.isCentred ? PANGO_ALIGN_CENTER : PANGO_ALIGN_LEFT)
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

    /// Lays the text out again with at most this width and number of lines. With `isBalanced`, the lines have about
    /// the same length.
    func fit(width: Double, lines: Int, isBalanced: Bool = true) {
        pango_layout_set_height(layout, -Int32(clamping: max(1, lines)))
        set(width: width)
        guard isBalanced, !isCut, lineCount > 1 else { return }
        let count = lineCount
        var (low, high) = (width * 0.5, width)
        for _ in 0..<7 {
            let middle = (low + high) / 2
            set(width: middle)
            if lineCount > count || isCut { low = middle } else { high = middle }
        }
        set(width: high.rounded(.up))
        // If the balanced width needs more lines or cuts the text, the full width is used.
        if lineCount > count || isCut { set(width: width) }
    }

    private(set) var width = 0.0

    var height: Double { logical.height }
    /// The width of the lines, which may be less than the offered width.
    var lineWidth: Double { logical.width }
    /// The right end of the lines, from the left edge of the width. For right-to-left text this is the whole width.
    var lineEnd: Double { logical.maxX }
    var isCut: Bool { pango_layout_is_ellipsized(layout) != 0 }
    var lineCount: Int { Int(pango_layout_get_line_count(layout)) }
    var missingGlyphs: Int { Int(pango_layout_get_unknown_glyphs_count(layout)) }

    /// Draws the text below this point. `x` is the left edge of the width of its layout.
    ///
    /// Returns the frame of the visible pixels. Combining marks far outside the lines are clipped, because they would
    /// cover other parts.
    @discardableResult
    func draw(x: Double, y: Double, _ ink: DrawColor) -> Box {
        let box = Box(x: x, y: y, width: width, height: height)
        canvas.withSavedState {
            canvas.clip(box.expanded(height / Double(max(1, lineCount)) * 0.2))
            canvas.setColor(ink)
            cairo_move_to(canvas.pen, x, y)
            pango_cairo_show_layout(canvas.pen, layout)
        }
        return extents.ink.moved(x, y)
    }

    private var logical: Box { extents.logical }

    private var extents: (ink: Box, logical: Box) {
        var ink = PangoRectangle()
        var logical = PangoRectangle()
        pango_layout_get_extents(layout, &ink, &logical)
        return (Pango.box(ink), Pango.box(logical))
    }

    private func set(width: Double) {
        self.width = width
        pango_layout_set_width(layout, Int32(clamping: Int(max(1, width) * Pango.unit)))
    }

    private static func weight(_ weight: Weight) -> PangoWeight {
        switch weight {
        case .regular: PANGO_WEIGHT_NORMAL
        case .medium: PANGO_WEIGHT_MEDIUM
        case .semibold: PANGO_WEIGHT_SEMIBOLD
        case .bold: PANGO_WEIGHT_BOLD
        }
    }
}

/// The common settings of all texts that pango lays out.
enum Pango {
    /// The number of pango units per pixel.
    static let unit = 1024.0
    /// Font families in order of preference. A later family supplies the characters that earlier ones lack, so Korean
    /// comes after Latin.
    private static let latin = "Inter, Cantarell, Noto Sans, Ubuntu, Open Sans, Nimbus Sans"
    /// NanumBarunGothic is before NanumGothic, because its bold weight is bold.
    private static let korean = "Pretendard, Noto Sans CJK KR, Noto Sans KR, NanumBarunGothic, NanumGothic"
    private static let serif =
        "Noto Serif, Source Serif 4, P052, DejaVu Serif, Noto Serif CJK KR, NanumMyeongjo"
    private static let monospaced =
        "JetBrains Mono, Cascadia Code, Noto Sans Mono, DejaVu Sans Mono, Noto Sans Mono CJK KR, NanumGothicCoding"
    private static let rounded = "Nunito, Varela Round, NanumSquareRound"

    /// Returns the font families for a language and a `design` of a page. Korean fonts come first for Korean, because their Latin
    /// letters have the same weight.
    static func families(_ language: String?, design: String? = nil) -> String {
        let plain = language?.hasPrefix("ko") == true ? [korean, latin] : [latin, korean]
        let names =
            switch design {
            case "serif": [serif] + plain + ["serif"]
            case "monospaced": [monospaced] + plain + ["monospace"]
            case "rounded": [rounded] + plain + ["sans-serif"]
            default: plain + ["sans-serif"]
            }
        return names.joined(separator: ", ")
    }

    /// Sets the font options so that glyphs have the same shapes at every scale. A text that fits at one scale then fits at all.
    static func prepare(_ layout: OpaquePointer, _ language: String?) {
        let context = pango_layout_get_context(layout)
        let options = cairo_font_options_create()
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        pango_cairo_context_set_font_options(context, options)
        cairo_font_options_destroy(options)
        pango_cairo_context_set_resolution(context, 96)
        pango_context_set_round_glyph_positions(context, 0)
        if let language { pango_context_set_language(context, pango_language_from_string(language)) }
        pango_layout_context_changed(layout)
    }

    static func box(_ rectangle: PangoRectangle) -> Box {
        Box(
            x: Double(rectangle.x) / unit,
            y: Double(rectangle.y) / unit,
            width: Double(rectangle.width) / unit,
            height: Double(rectangle.height) / unit
        )
    }
}
