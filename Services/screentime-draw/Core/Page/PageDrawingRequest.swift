package import STContracts
package import STPlatform
import STRendering

/// A page, and the settings of its picture.
package struct PageDrawingRequest {
    package var page: Page
    /// The width in points.
    package var width = DrawLimits.pageWidth
    /// The maximum height of the picture in points. `nil` means the limit of all pictures.
    package var height: Double?
    /// The number of pixels per point.
    package var scale = 1.0
    package var appearance = DrawAppearance.light
    /// The chosen option of each control. `nil` means the initial options.
    package var chosen: [Int]?

    package init(page: Page) { self.page = page }

    /// Throws if the page or a setting is invalid.
    package func check() throws(Problem) {
        try PageCheck.check(page)
        let widths = DrawLimits.pageWidthMin...DrawLimits.pageWidthMax
        guard widths.contains(width) else {
            throw Problem(
                "draw.bad_size",
                """
                The width of a page must be from \(Int(widths.lowerBound), "least") to \
                \(Int(widths.upperBound), "most") points.
                """,
                key: "draw.bad_size.a-page-is",
                field: "/width"
            )
        }
        let heights = DrawLimits.pageHeightMin...DrawLimits.pageHeightMax
        if let height, !heights.contains(height) {
            throw Problem(
                "draw.bad_size",
                """
                The maximum height of a page must be from \(Int(heights.lowerBound), "least") to \
                \(Int(heights.upperBound), "most") points.
                """,
                key: "draw.bad_size.the-picture-of",
                field: "/height"
            )
        }
        let scales = DrawLimits.pageScaleMin...DrawLimits.pageScaleMax
        guard scales.contains(scale) else {
            throw Problem(
                "draw.bad_scale",
                """
                The scale of a page must be from \(scales.lowerBound, "least") to \
                \(scales.upperBound, "most").
                """,
                key: "draw.bad_scale.the-scale-of",
                field: "/scale"
            )
        }
        if appearance == .unknown {
            throw Problem(
                "draw.bad_appearance",
                "The appearance must be light or dark.",
                field: "/appearance"
            )
        }
        _ = try variant()
    }

    /// Returns the page with the chosen options.
    func variant() throws(Problem) -> PageVariant {
        let wanted = chosen ?? page.controls.map(\.chosen)
        if let found = page.variants.first(where: { $0.chosen == wanted }) { return found }
        if chosen == nil, let first = page.variants.first { return first }
        let known = page.variants.prefix(8).map { "\($0.chosen)" }.joined(separator: ", ")
        throw Problem(
            "draw.no_such_choice",
            """
            The page does not offer this combination of options. Valid combinations: \(known, "known").
            """,
            field: "/chosen"
        )
    }
}

/// The colours of Screen Time on a page, for light and dark. The HTML of a page has the same.
enum PageColors {
    static let text = SystemAppearance.label
    static let secondary = PageColor(light: "#55555DFF", dark: "#B9B9C2FF")
    static let ground = PageColor(light: "#FFFFFFFF", dark: "#151518FF")
    static let card = PageColor(light: "#F4F4F6FF", dark: "#222227FF")
    static let line = PageColor(light: "#DADAE0FF", dark: "#3A3A42FF")
    static let track = PageColor(light: "#E6E6EBFF", dark: "#303037FF")
    /// The background of a switch.
    static let segments = PageColor(light: "#E9E9EEFF", dark: "#2A2A30FF")
    static let thumb = PageColor(light: "#FFFFFFFF", dark: "#55555FFF")
    static let accent = PageColor(light: "#0A62DBFF", dark: "#5AA2FFFF")

    static func ink(_ color: PageColor, _ face: DrawAppearance) -> DrawColor { color.ink(face) ?? .black }
}

extension PageColor {
    /// Returns nil if the text is not a colour.
    func ink(_ face: DrawAppearance) -> DrawColor? { DrawColor(face == .dark ? dark : light) }
}
