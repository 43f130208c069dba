import STCCairo
import STContracts

/// A text of a page: runs with their own styles, which pango wraps and cuts.
final class PageText {
    /// The properties that all texts of a page share.
    struct Setting {
        var language: String?
        var appearance: DrawAppearance
    }

    static let bodySize = 17.0
    /// The font sizes in points. With the maximum scale and enlargement, 400 points is still within the limits of freetype.
    private static let sizeRange = 1.0...400.0
    /// The height of a capital letter, as a fraction of the font size.
    private static let capitals = 0.72
    /// Upper bound on the lines. Later ones would be below any picture.
    private static let linesMax = 4000

    /// The maximum number of lines of its node.
    let linesAllowed: Int
    let naturalWidth: Double
    /// The height of each line, the same for all scripts. Other fonts have other heights, and the lines would be uneven.
    let lineHeight: Double
    /// The baseline of the first line, from the upper edge of the text. Capital letters are centred in their line.
    let baseline: Double
    /// The smallest width that still shows one letter and an ellipsis.
    let narrowest: Double
    private let layout: OpaquePointer
    private(set) var missingGlyphs = 0

    init(_ runs: [PageRun], lines: Int?, align: PageAlign?, setting: Setting, pen: OpaquePointer) {
        linesAllowed = min(max(1, lines ?? Self.linesMax), Self.linesMax)
        layout = pango_cairo_create_layout(pen)
        Pango.prepare(layout, setting.language)
        let attributes = pango_attr_list_new()
        var text = ""
        var largest = 0.0
        for run in runs {
            let start = text.utf8.count
            let clean = TextCleaning.sanitized(run.text, limit: PageLimits.textBytes, isOneLine: false).text
            text += TextCleaning.keepingKoreanWords(clean)
            Self.add(run, start: start, end: text.utf8.count, setting: setting, to: attributes)
            largest = max(largest, Self.size(run.font))
        }
        pango_layout_set_text(layout, text, Int32(clamping: text.utf8.count))
        pango_layout_set_attributes(layout, attributes)
        pango_attr_list_unref(attributes)
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        pango_layout_set_alignment(
            layout,
            align?.across == 0.5
                ? PANGO_ALIGN_CENTER : align?.across == 1 ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT
        )
        pango_layout_set_width(layout, -1)
        naturalWidth = Self.extents(layout).width
        missingGlyphs = Int(pango_layout_get_unknown_glyphs_count(layout))
        narrowest = min(naturalWidth, largest * 1.6)
        lineHeight = Self.lineHeight(largest)
        baseline = (lineHeight + largest * Self.capitals) / 2
        pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

    private(set) var width = 0.0
    private(set) var height = 0.0
    private(set) var lineCount = 1
    private(set) var isCut = false
    /// The left edge of the text within the width of its layout.
    private var inset = 0.0
    private var laidOut: (width: Double, lines: Int)?

    /// Lays the text out in this space. `width` is then the width of its longest line.
    func fit(width room: Double, lines: Int) {
        let lines = min(max(1, lines), linesAllowed)
        // The space is slightly larger than needed, so that a text of exactly this width does not wrap.
        let room = max(1, min(room, naturalWidth)) + 0.02
        if let laidOut, laidOut == (room, lines) { return }
        laidOut = (room, lines)
        pango_layout_set_height(layout, -Int32(clamping: lines))
        pango_layout_set_width(layout, Int32(clamping: Int((room * Pango.unit).rounded(.up))))
        let box = Self.extents(layout)
        width = min(box.width, room)
        inset = box.x
        lineCount = Int(pango_layout_get_line_count(layout))
        height = Double(lineCount) * lineHeight
        isCut = pango_layout_is_ellipsized(layout) != 0
    }

    /// Draws the text. Combining marks far outside the lines are clipped, because they would cover other parts.
    func draw(in box: Box, on canvas: Canvas, _ ink: DrawColor) {
        canvas.withSavedState {
            canvas.clip(Box(x: box.x, y: box.y, width: width, height: height).expanded(lineHeight * 0.25))
            canvas.setColor(ink)
            let iterator = pango_layout_get_iter(layout)
            var y = box.y + baseline
            repeat {
                var logical = PangoRectangle()
                pango_layout_iter_get_line_extents(iterator, nil, &logical)
                cairo_move_to(canvas.pen, box.x - inset + Pango.box(logical).x, y)
                pango_cairo_show_layout_line(canvas.pen, pango_layout_iter_get_line_readonly(iterator))
                y += lineHeight
            } while pango_layout_iter_next_line(iterator) != 0
            pango_layout_iter_free(iterator)
        }
    }

    // MARK: - Styles

    private static func add(
        _ run: PageRun,
        start: Int,
        end: Int,
        setting: Setting,
        to attributes: OpaquePointer?
    ) {
        var all: [UnsafeMutablePointer<PangoAttribute>?] = []
        let size = size(run.font)
        let font = pango_font_description_new()
        pango_font_description_set_family(font, Pango.families(setting.language, design: run.font?.design))
        pango_font_description_set_absolute_size(font, size * Pango.unit)
        pango_font_description_set_weight(font, weight(run.font?.weight))
        if run.font?.italic == true { pango_font_description_set_style(font, PANGO_STYLE_ITALIC) }
        all.append(pango_attr_font_desc_new(font))
        pango_font_description_free(font)
        if let ink = run.color?.ink(setting.appearance) {
            all.append(pango_attr_foreground_new(part(ink.red), part(ink.green), part(ink.blue)))
            // An alpha of 0 would mean that the attribute is not set.
            all.append(pango_attr_foreground_alpha_new(max(1, part(ink.alpha))))
        }
        if run.underline == true { all.append(pango_attr_underline_new(PANGO_UNDERLINE_SINGLE)) }
        if run.strike == true { all.append(pango_attr_strikethrough_new(1)) }
        for attribute in all.compactMap({ $0 }) {
            attribute.pointee.start_index = UInt32(clamping: start)
            attribute.pointee.end_index = UInt32(clamping: end)
            pango_attr_list_insert(attributes, attribute)
        }
    }

    /// Returns the line height as on phones: 22 points for a font of 17, and 41 for one of 34.
    static func lineHeight(_ size: Double) -> Double { (size * (size > 20 ? 1.22 : 1.3)).rounded() }

    static func size(_ font: PageFont?) -> Double {
        guard let size = font?.size, size.isFinite else { return bodySize }
        return min(max(size, sizeRange.lowerBound), sizeRange.upperBound)
    }

    private static func weight(_ weight: Int?) -> PangoWeight {
        PangoWeight(rawValue: PangoWeight.RawValue(min(max(weight ?? 400, 100), 900)))
    }

    private static func part(_ value: Double) -> UInt16 { UInt16(value * 65_535) }

    private static func extents(_ layout: OpaquePointer) -> Box {
        var ink = PangoRectangle()
        var logical = PangoRectangle()
        pango_layout_get_extents(layout, &ink, &logical)
        return Pango.box(logical)
    }
}
