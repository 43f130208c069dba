/// What `screentime-draw --page` reads: a page and how it is to be drawn.
package struct DrawPageRequest: WireBody, Codable, Equatable {
    package var page: Page
    /// In points; nil is `DrawLimits.pageWidth`.
    ///
    /// How tall the picture gets is up to what stands on the page.
    package var width: Double?
    /// In points: what stands further below is cut off.
    package var height: Double?
    /// Pixels of a point, in a PNG; nil is 1.
    package var scale: Double?
    package var appearance: DrawAppearance
    /// One option of each control; nil shows the page as it is at first.
    package var chosen: [Int]?
    /// `png` (also nil) or `svg`.
    package var format: DrawFormat?
    /// An absolute path, or `-` for standard output; the answer then goes to standard error.
    package var output: String

    package init(
        page: Page,
        width: Double? = nil,
        height: Double? = nil,
        scale: Double? = nil,
        appearance: DrawAppearance = .light,
        chosen: [Int]? = nil,
        format: DrawFormat? = nil,
        output: String
    ) {
        self.page = page
        self.width = width
        self.height = height
        self.scale = scale
        self.appearance = appearance
        self.chosen = chosen
        self.format = format
        self.output = output
    }
}
