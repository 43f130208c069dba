/// What stands at one place of a page.
package enum PageKind: String, WireEnum {
    case text
    case vertical
    case horizontal
    case layered
    case box
    case over
    case behind
    case spacer
    case divider
    case shape
    case image
    case list
    case section
    case scroll
    case grid
    case progress
    case chart
    case report
    case control
    case unknown
}

/// A report of an app, to be put here.
package struct PageReport: WireBody, Codable, Equatable {
    package var context: String
    package var filter: ReportFilter

    package init(context: String, filter: ReportFilter) {
        self.context = context
        self.filter = filter
    }
}

/// One thing on a page; those within it follow it, in order.
package struct PageNode: WireBody, Codable, Equatable {
    package var kind: PageKind
    /// How many of the following nodes stand directly in it, each with all that is in them; nil is none.
    package var count: Int?
    /// For `text`, and the title of a `section`.
    package var runs: [PageRun]?
    /// How many lines at most.
    package var lines: Int?
    package var align: PageAlign?
    package var spacing: Double?
    /// For `spacer`: the shortest.
    package var length: Double?
    /// For `grid`: how many stand side by side.
    package var columns: Int?
    /// For `scroll`: whether it goes to the side.
    package var isHorizontal: Bool?
    package var shape: PageShape?
    package var image: PageImage?
    /// For `box`: what is around the one thing in it.
    package var box: PageBox?
    /// For `progress`: 0 to 1.
    package var value: Double?
    package var color: PageColor?
    package var chart: PageChart?
    package var report: PageReport?
    /// For `control`: which one is shown here.
    package var control: Int?
    /// 1 to 3: a heading for those who listen.
    package var heading: Int?
    /// What is said instead of what is shown.
    package var label: String?
    /// Only to be looked at.
    package var isDecoration: Bool?

    package init(
        kind: PageKind,
        count: Int? = nil,
        runs: [PageRun]? = nil,
        lines: Int? = nil,
        align: PageAlign? = nil,
        spacing: Double? = nil,
        length: Double? = nil,
        columns: Int? = nil,
        isHorizontal: Bool? = nil,
        shape: PageShape? = nil,
        image: PageImage? = nil,
        box: PageBox? = nil,
        value: Double? = nil,
        color: PageColor? = nil,
        chart: PageChart? = nil,
        report: PageReport? = nil,
        control: Int? = nil,
        heading: Int? = nil,
        label: String? = nil,
        isDecoration: Bool? = nil
    ) {
        self.kind = kind
        self.count = count
        self.runs = runs
        self.lines = lines
        self.align = align
        self.spacing = spacing
        self.length = length
        self.columns = columns
        self.isHorizontal = isHorizontal
        self.shape = shape
        self.image = image
        self.box = box
        self.value = value
        self.color = color
        self.chart = chart
        self.report = report
        self.control = control
        self.heading = heading
        self.label = label
        self.isDecoration = isDecoration
    }
}

/// What a person can change on a page.
package enum PageControlKind: String, WireEnum {
    case choice
    case selection
    case unknown
}

/// A choice with what is chosen at first.
package struct PageControl: WireBody, Codable, Equatable {
    package var kind: PageControlKind
    package var label: String
    package var options: [String]
    package var chosen: Int

    package init(kind: PageControlKind, label: String, options: [String], chosen: Int) {
        self.kind = kind
        self.label = label
        self.options = options
        self.chosen = chosen
    }
}

/// The page as it is when this is chosen.
package struct PageVariant: WireBody, Codable, Equatable {
    /// One option of each control, in their order.
    package var chosen: [Int]
    package var nodes: [PageNode]

    package init(chosen: [Int], nodes: [PageNode]) {
        self.chosen = chosen
        self.nodes = nodes
    }
}

/// What an app's view or a report of the system is, before it is HTML, a picture or lines of text.
package struct Page: WireBody, Codable, Equatable {
    package var title: String?
    /// Such as `ko`.
    package var language: String
    package var zone: String?
    package var controls: [PageControl]
    /// The first is what is shown at first; with no control there is only this one.
    package var variants: [PageVariant]

    package init(
        title: String? = nil,
        language: String,
        zone: String? = nil,
        controls: [PageControl],
        variants: [PageVariant]
    ) {
        self.title = title
        self.language = language
        self.zone = zone
        self.controls = controls
        self.variants = variants
    }
}

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
    /// For `color`.
    package var color: PageColor?
    /// For a gradient.
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

/// A colour of a page has two faces, as one of a shield has.
package typealias PageColor = ShieldColor

/// The named limits of a page.
package enum PageLimits {
    /// Things on one variant of a page.
    package static let nodes = 5_000
    /// How deep they stand in each other.
    package static let depth = 200
    /// In all texts of a page together, in UTF-8.
    package static let textBytes = 128 * 1024
    /// In a page as JSON.
    package static let bytes = 1024 * 1024
    /// Marks of one chart.
    package static let marks = 2_000
    /// All combinations of what can be chosen.
    package static let variants = 32
}
