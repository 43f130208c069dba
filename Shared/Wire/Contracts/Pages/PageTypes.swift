/// A point of a gradient.
package struct PageStop: WireBody, Codable, Equatable {
    package var color: PageColor
    /// 0 to 1.
    package var at: Double

    package init(color: PageColor, at: Double) {
        self.color = color
        self.at = at
    }
}

/// How an area is filled.
package enum PagePaintKind: String, WireEnum {
    case color
    case linear
    case radial
    case angular
    case unknown
}

/// What fills or strokes something.
package struct PagePaint: WireBody, Codable, Equatable {
    package var kind: PagePaintKind
    /// Of `color`.
    package var color: PageColor?
    /// Of a gradient.
    package var stops: [PageStop]?
    /// Where a gradient begins and ends, in parts of the area: x and y.
    package var from: [Double]?
    package var to: [Double]?

    package init(
        kind: PagePaintKind,
        color: PageColor? = nil,
        stops: [PageStop]? = nil,
        from: [Double]? = nil,
        to: [Double]? = nil
    ) {
        self.kind = kind
        self.color = color
        self.stops = stops
        self.from = from
        self.to = to
    }
}

/// The letters of a text.
package struct PageFont: WireBody, Codable, Equatable {
    package var size: Double
    /// 100 to 900; nil is 400.
    package var weight: Int?
    /// `rounded`, `serif` or `monospaced`.
    package var design: String?
    package var italic: Bool?

    package init(size: Double, weight: Int? = nil, design: String? = nil, italic: Bool? = nil) {
        self.size = size
        self.weight = weight
        self.design = design
        self.italic = italic
    }
}

/// A stretch of text in one look.
package struct PageRun: WireBody, Codable, Equatable {
    package var text: String
    package var font: PageFont?
    /// Nil: as the text of the page is.
    package var color: PageColor?
    package var underline: Bool?
    package var strike: Bool?

    package init(
        text: String,
        font: PageFont? = nil,
        color: PageColor? = nil,
        underline: Bool? = nil,
        strike: Bool? = nil
    ) {
        self.text = text
        self.font = font
        self.color = color
        self.underline = underline
        self.strike = strike
    }
}

/// Lengths at the four sides.
package struct PageEdges: WireBody, Codable, Equatable {
    package var top: Double
    package var leading: Double
    package var bottom: Double
    package var trailing: Double

    package init(top: Double, leading: Double, bottom: Double, trailing: Double) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }
}

/// Where something stands in the room it has.
package enum PageAlign: String, WireEnum {
    case center
    case leading
    case trailing
    case top
    case bottom
    case topLeading = "top_leading"
    case topTrailing = "top_trailing"
    case bottomLeading = "bottom_leading"
    case bottomTrailing = "bottom_trailing"
    case baseline
    case unknown
}

/// How much room something takes.
package struct PageFrame: WireBody, Codable, Equatable {
    package var width: Double?
    package var height: Double?
    package var minWidth: Double?
    package var maxWidth: Double?
    package var minHeight: Double?
    package var maxHeight: Double?
    /// All the width there is, as `maxWidth: .infinity` has it.
    package var fillsWidth: Bool?
    package var fillsHeight: Bool?
    package var align: PageAlign?

    package init(
        width: Double? = nil,
        height: Double? = nil,
        minWidth: Double? = nil,
        maxWidth: Double? = nil,
        minHeight: Double? = nil,
        maxHeight: Double? = nil,
        fillsWidth: Bool? = nil,
        fillsHeight: Bool? = nil,
        align: PageAlign? = nil
    ) {
        self.width = width
        self.height = height
        self.minWidth = minWidth
        self.maxWidth = maxWidth
        self.minHeight = minHeight
        self.maxHeight = maxHeight
        self.fillsWidth = fillsWidth
        self.fillsHeight = fillsHeight
        self.align = align
    }
}
