import STCCairo
import STContracts
import STPlatform
import STRendering

/// The leaves of a page, and the space that each of them takes.
struct PageParts {
    static let dividerThickness = 1.0
    static let progressThickness = 6.0

    var texts: [Int: PageText] = [:]
    /// The pictures that could be decoded.
    var pictures: [Int: Canvas] = [:]
    var charts: [Int: PageChartSize] = [:]
    private let outline: PageOutline
    private let setting: PageText.Setting
    private let pen: OpaquePointer

    init(_ outline: PageOutline, setting: PageText.Setting, pen: OpaquePointer, warnings: Warnings) {
        self.outline = outline
        self.setting = setting
        self.pen = pen
        var store = PagePictures(warnings)
        for (index, node) in outline.nodes.enumerated() {
            switch node.kind {
            case .text:
                let text = PageText(
                    node.runs ?? [],
                    lines: node.lines,
                    align: node.align,
                    setting: setting,
                    pen: pen
                )
                if text.missingGlyphs > 0 {
                    warnings.add(
                        Message(
                            "draw.page-characters-without-font",
                            """
                            No installed font has some of the characters of the page. Install a font that \
                            has them, such as fonts-noto.
                            """
                        )
                    )
                }
                texts[index] = text
            case .image: if let image = node.image { pictures[index] = store.picture(image) }
            case .chart: if let chart = node.chart { charts[index] = PageChartSize(chart) }
            default: break
            }
        }
    }

    /// Returns the frame of a pie within its chart, without its legend. Returns nil if the chart is not a pie.
    func pie(_ index: Int, width: Double, height: Double) -> Box? {
        guard let chart = outline.nodes[index].chart, chart.marks.contains(where: { $0.kind == .sector })
        else { return nil }
        let language = setting.language ?? "en"
        let whole = ChartLayout(
            chart,
            ChartSetting(width: width, height: height, language: language, showsLegend: false)
        )
        return PageChartLegend(whole, language: language, setting: setting, pen: pen).rest
    }

    /// Returns the possible lengths of a leaf. `width` is final before heights are computed.
    func span(_ index: Int, node: PageNode, direction: PageDirection, isInRow: Bool, width: Double)
        -> LengthRange
    {
        switch node.kind {
        case .text: return textSpan(index, direction)
        case .spacer:
            let isAlong = isInRow == (direction == .across)
            guard isAlong else { return .nothing }
            let least = max(0, LengthRange.length(node.length) ?? PageLayout.spacerLength)
            return LengthRange(least, ideal: least, max: .infinity)
        case .divider:
            let isAlong = isInRow != (direction == .across)
            return isAlong ? .flexible : LengthRange(fixed: Self.dividerThickness)
        case .progress:
            return direction == .across
                ? LengthRange(20, ideal: 120, max: .infinity) : LengthRange(fixed: Self.progressThickness)
        case .image: return imageSpan(index, image: node.image, direction: direction, width: width)
        case .shape:
            let isRound = direction == .down && node.shape?.kind == .circle
            return isRound ? LengthRange(0, ideal: width, max: .infinity) : .flexible
        case .chart: return charts[index]?.span(direction) ?? .flexible
        default: return .nothing
        }
    }

    private func textSpan(_ index: Int, _ direction: PageDirection) -> LengthRange {
        guard let text = texts[index] else { return .nothing }
        if direction == .across {
            return LengthRange(text.narrowest, ideal: text.naturalWidth, max: text.naturalWidth)
        }
        return LengthRange(min(text.height, text.lineHeight), ideal: text.height, max: text.height)
    }

    // MARK: - Pictures

    /// Returns the side of a symbol beside text in its font.
    static func symbolSide(_ image: PageImage) -> Double { (PageText.size(image.font) * 1.2).rounded() }

    /// Returns the natural size of a picture.
    func naturalSize(_ index: Int, _ image: PageImage) -> (width: Double, height: Double) {
        if image.kind == .system {
            let side = Self.symbolSide(image)
            return (side, side)
        }
        if let picture = pictures[index] {
            return (Double(image.width ?? picture.width), Double(image.height ?? picture.height))
        }
        return (Double(image.width ?? 24), Double(image.height ?? 24))
    }

    private func imageSpan(_ index: Int, image: PageImage?, direction: PageDirection, width: Double)
        -> LengthRange
    {
        guard let image else { return .nothing }
        let natural = naturalSize(index, image)
        let own = min(direction == .across ? natural.width : natural.height, DrawLimits.pageWidthMax)
        guard let scaling = image.scaling else { return LengthRange(fixed: own) }
        guard scaling == "fit", natural.width > 0, natural.height > 0 else {
            return LengthRange(0, ideal: own, max: .infinity)
        }
        let ratio = natural.width / natural.height
        if direction == .down { return LengthRange(0, ideal: width / ratio, max: width / ratio) }
        if let height = fixedHeight(around: index) {
            return LengthRange(0, ideal: height * ratio, max: height * ratio)
        }
        return LengthRange(0, ideal: own, max: .infinity)
    }

    /// Returns the fixed height of an enclosing box, without its padding. It is available before any height is computed.
    private func fixedHeight(around index: Int) -> Double? {
        var padding = 0.0
        var next = outline.parents[index]
        while next >= 0, outline.nodes[next].kind == .box {
            let box = outline.nodes[next].box
            let (top, bottom) = PageDirection.down.padding(box?.padding)
            padding += top + bottom
            if let height = PageDirection.down.fixed(box?.frame) { return max(0, height - padding) }
            next = outline.parents[next]
        }
        return nil
    }
}

/// Decodes the pictures of a page, each once, up to a total number of pixels.
struct PagePictures {
    private let warnings: Warnings
    private var known: [String: Canvas?] = [:]
    private var pixelsLeft = DrawLimits.imagePixelsMax

    init(_ warnings: Warnings) { self.warnings = warnings }

    /// Returns nil for a symbol, and for a picture that cannot be shown.
    mutating func picture(_ image: PageImage) -> Canvas? {
        switch image.kind {
        case .system: return nil
        case .unknown:
            warnings.add(
                Message(
                    "draw.unknown-picture",
                    "The page has a kind of picture that this version does not support. It is left out."
                )
            )
            return nil
        case .data: break
        }
        let data = image.data ?? ""
        if let canvas = known[data] { return canvas }
        known[data] = .some(nil)
        guard pixelsLeft > 0 else {
            warnings.add(
                Message(
                    "draw.too-many-pictures",
                    "The page has too many pictures, or too large ones. The last pictures are left out."
                )
            )
            return nil
        }
        do throws(Problem) {
            let canvas = try PictureFile.decoded(
                base64: data,
                bytesMax: PageLimits.bytes,
                sideMax: DrawLimits.imageSideMax
            )
            pixelsLeft -= canvas.width * canvas.height
            known[data] = .some(canvas)
            return canvas
        } catch {
            warnings.add(
                Message("draw.picture-left-out", "A picture is left out: \(error.text, "reason").")
            )
            return nil
        }
    }
}

/// The space that a chart takes without a frame: the same height as in HTML, and its legend.
struct PageChartSize {
    private static let height = 240.0
    private static let legendHeight = 32.0

    private let hasLegend: Bool

    init(_ chart: PageChart) {
        switch chart.legend ?? .automatic {
        case .automatic, .unknown, .bottom, .top: hasLegend = chart.series.count > 1
        case .hidden, .leading, .trailing: hasLegend = false
        }
    }

    func span(_ direction: PageDirection) -> LengthRange {
        if direction == .across { return LengthRange(80, ideal: 320, max: .infinity) }
        return LengthRange(40, ideal: Self.height + (hasLegend ? Self.legendHeight : 0), max: .infinity)
    }
}
