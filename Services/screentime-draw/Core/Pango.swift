import STCCairo
import STPlatform

/// What every text that pango lays out has in common.
enum Pango {
    /// Pango's unit of length.
    static let unit = 1024.0
    /// The first that this machine has; each carries what the ones before lack, so Korean comes after Latin.
    private static let latin = "Inter, Cantarell, Noto Sans, Ubuntu, Open Sans, Nimbus Sans"
    /// Of Nanum the one whose bold is bold.
    private static let korean = "Pretendard, Noto Sans CJK KR, Noto Sans KR, NanumBarunGothic, NanumGothic"
    private static let serif =
        "Noto Serif, Source Serif 4, P052, DejaVu Serif, Noto Serif CJK KR, NanumMyeongjo"
    private static let monospaced =
        "JetBrains Mono, Cascadia Code, Noto Sans Mono, DejaVu Sans Mono, Noto Sans Mono CJK KR, NanumGothicCoding"
    private static let rounded = "Nunito, Varela Round, NanumSquareRound"

    /// Korean with its own Latin letters, which have the same weight; `design` as a page has it.
    static func families(_ language: String?, design: String? = nil) -> String {
        let plain = WordLanguage(of: language).pick([latin, korean], [korean, latin])
        let names =
            switch design {
            case "serif": [serif] + plain + ["serif"]
            case "monospaced": [monospaced] + plain + ["monospace"]
            case "rounded": [rounded] + plain + ["sans-serif"]
            default: plain + ["sans-serif"]
            }
        return names.joined(separator: ", ")
    }

    /// The same shapes at every scale, so that a text that fits once fits always.
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
            Double(rectangle.x) / unit,
            Double(rectangle.y) / unit,
            Double(rectangle.width) / unit,
            Double(rectangle.height) / unit
        )
    }
}
