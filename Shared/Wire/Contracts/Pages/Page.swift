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
    /// Of `text`, and the title of a `section`.
    package var runs: [PageRun]?
    /// How many lines at most.
    package var lines: Int?
    package var align: PageAlign?
    package var spacing: Double?
    /// Of `spacer`: the shortest.
    package var length: Double?
    /// Of `grid`: how many stand side by side.
    package var columns: Int?
    /// Of `scroll`: whether it goes to the side.
    package var isHorizontal: Bool?
    package var shape: PageShape?
    package var image: PageImage?
    /// Of `box`: what is around the one thing in it.
    package var box: PageBox?
    /// Of `progress`: 0 to 1.
    package var value: Double?
    package var color: PageColor?
    package var chart: PageChart?
    package var report: PageReport?
    /// Of `control`: which one is shown here.
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

/// What somebody can change on a page.
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
