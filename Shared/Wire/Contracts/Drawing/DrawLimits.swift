/// The named limits of drawing.
package enum DrawLimits {
    /// Of one side, in pixels; more than any screen has.
    package static let sideMax = 8192
    package static let sideMin = 16
    /// Of the whole picture: somewhat more than an 8K screen.
    package static let pixelsMax = 40_000_000
    package static let scaleMin = 0.5
    package static let scaleMax = 8.0
    package static let requestBytes = 8 << 20
    package static let iconBytes = 4 << 20
    package static let iconSideMax = 4096
    /// Of the picture of what lies behind.
    package static let backdropBytes = 64 << 20
    /// What of a text is looked at, in Unicode scalars: more never fits.
    package static let titleLength = 300
    package static let subtitleLength = 2000
    package static let buttonLength = 120
    package static let submenuEntries = 3
    package static let warnings = 16
    /// Of a page's picture, in points.
    package static let pageWidth = 640.0
    package static let pageWidthMin = 120.0
    package static let pageWidthMax = 4000.0
    package static let pageHeightMin = 16.0
    package static let pageHeightMax = 30_000.0
    package static let pageScaleMin = 0.5
    package static let pageScaleMax = 4.0
    /// Of one side of a page's picture, in pixels: more no picture in memory can have.
    package static let pageSideMax = 32_000
    /// Of one picture on a page.
    package static let imageSideMax = 4096
    /// Of all pictures on a page together, when they are decoded.
    package static let imagePixelsMax = 32_000_000
    /// Of a panel: what is asked, and by whom.
    package static let panelTextLength = 400
    package static let reasons = 8
    package static let reasonLength = 300
    package static let provers = 8
    package static let proverLength = 64
    /// Dots of a passcode that are shown; more are not told apart.
    package static let dots = 24
    /// How long `screentime-draw --stay` waits for the next request.
    package static let stayMs: Int64 = 20_000
    /// How long whoever starts a drawing waits for it.
    package static let deadlineMs: Int64 = 20_000
}
