/// The kinds of nodes on a page.
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

/// An app's report that is inserted into a page.
package struct PageReport: WireBody, Codable, Equatable {
    package var context: String
    package var filter: ReportFilter

    package init(context: String, filter: ReportFilter) {
        self.context = context
        self.filter = filter
    }
}

/// A node of a page. The nodes that it contains follow it in the list, in order.
package struct PageNode: WireBody, Codable, Equatable {
    package var kind: PageKind
    /// The number of direct children. They are among the following nodes, each followed by its own descendants. `nil` means none.
    package var count: Int?
    /// The text of a `text`, or the title of a `section`.
    package var runs: [PageRun]?
    /// The maximum number of lines.
    package var lines: Int?
    package var align: PageAlign?
    package var spacing: Double?
    /// For `spacer`: the minimum length.
    package var length: Double?
    /// For `grid`: the number of nodes side by side.
    package var columns: Int?
    /// For `scroll`: true if it scrolls horizontally.
    package var isHorizontal: Bool?
    package var shape: PageShape?
    package var image: PageImage?
    /// For `box`: the modifiers of the one node in it.
    package var box: PageBox?
    /// For `progress`: the completed part, from 0 to 1.
    package var value: Double?
    package var color: PageColor?
    package var chart: PageChart?
    package var report: PageReport?
    /// For `control`: the index of the page's control.
    package var control: Int?
    /// The level of the heading for screen readers, from 1 to 3.
    package var heading: Int?
    /// The text that screen readers read in place of the content.
    package var label: String?
    /// True if the node has only a visual purpose. Screen readers and terminals skip it.
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

/// The kinds of controls on a page.
package enum PageControlKind: String, WireEnum {
    case choice
    case selection
    case unknown
}

/// A choice between options, with the index of the initial one.
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

/// The content of a page for one choice of options.
package struct PageVariant: WireBody, Codable, Equatable {
    /// The index of the chosen option of each control, in their order.
    package var chosen: [Int]
    package var nodes: [PageNode]

    package init(chosen: [Int], nodes: [PageNode]) {
        self.chosen = chosen
        self.nodes = nodes
    }
}

/// An app's view or a report of Screen Time, before it becomes HTML, a picture or lines of text.
package struct Page: WireBody, Codable, Equatable {
    package var title: String?
    /// The language of the page, such as `ko`.
    package var language: String
    package var zone: String?
    package var controls: [PageControl]
    /// The content for each choice of options. The first variant is shown initially. A page without controls has only this one.
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

/// A colour stop of a gradient.
package struct PageStop: WireBody, Codable, Equatable {
    package var color: PageColor
    /// The position in the gradient, from 0 to 1.
    package var at: Double

    package init(color: PageColor, at: Double) {
        self.color = color
        self.at = at
    }
}

/// The kinds of fills.
package enum PagePaintKind: String, WireEnum {
    case color
    case linear
    case radial
    case angular
    case unknown
}

/// The colour or gradient of a fill or a stroke.
package struct PagePaint: WireBody, Codable, Equatable {
    package var kind: PagePaintKind
    /// The colour, for `color`.
    package var color: PageColor?
    /// The colour stops of a gradient.
    package var stops: [PageStop]?
    /// The start of a gradient as x and y, in fractions of the area. `to` is its end.
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

/// The font of a text.
package struct PageFont: WireBody, Codable, Equatable {
    package var size: Double
    /// The weight, from 100 to 900. `nil` means 400.
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

/// A part of a text with one appearance.
package struct PageRun: WireBody, Codable, Equatable {
    package var text: String
    package var font: PageFont?
    /// The colour of the text. `nil` means the text colour of the page.
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

/// The lengths at the four sides of an area.
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

/// The alignment of a node in the available space.
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

/// The size of a node.
package struct PageFrame: WireBody, Codable, Equatable {
    package var width: Double?
    package var height: Double?
    package var minWidth: Double?
    package var maxWidth: Double?
    package var minHeight: Double?
    package var maxHeight: Double?
    /// True if the node fills the available width, as with `maxWidth: .infinity`.
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

/// A colour of a page. It has a light and a dark variant, like a colour of a shield.
package typealias PageColor = ShieldColor

/// The limits of a page.
package enum PageLimits {
    /// The maximum number of nodes in one variant of a page.
    package static let nodes = 5_000
    /// The maximum depth of nested nodes.
    package static let depth = 200
    /// The maximum size of all texts of a page together, in bytes of UTF-8.
    package static let textBytes = 128 * 1024
    /// The maximum size of a page as JSON, in bytes.
    package static let bytes = 1024 * 1024
    /// The maximum number of marks in one chart.
    package static let marks = 2_000
    /// The maximum number of variants, which are all combinations of options.
    package static let variants = 32
}
