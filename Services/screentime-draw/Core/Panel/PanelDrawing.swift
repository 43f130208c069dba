package import STContracts
package import STPlatform

/// Draws panels, the windows of Screen Time besides shields.
package enum PanelDrawing {
    /// Throws if the size is invalid. All other errors result in warnings.
    package static func draw(_ scene: PanelDrawingRequest) throws(Problem) -> DrawnPanel {
        try scene.check()
        let drawn = try PanelPainter(scene).paint()
        try drawn.canvas.check()
        return drawn
    }
}

package struct PanelDrawingRequest {
    package var request: DrawPanelRequest
    /// An empty canvas of the requested size to draw on. If it is `nil`, a new one is created.
    package var canvas: Canvas?

    package init(_ request: DrawPanelRequest) { self.request = request }

    package var scale: Double { request.scale ?? 1 }
    package var appearance: DrawAppearance { request.appearance }

    package func check() throws(Problem) {
        try DrawingRequestCheck.check(
            width: request.width,
            height: request.height,
            scale: scale,
            appearance: request.appearance
        )
        guard request.kind != .unknown else {
            throw Problem(
                "draw.bad_kind",
                "The kind of a panel must be countdown, question or warning.",
                field: "/kind"
            )
        }
    }
}

/// A picture of a panel, and the places of its parts.
package struct DrawnPanel {
    package var canvas: Canvas
    /// The controls, the topmost one first.
    package var spots: [DrawnSpot]
    /// The texts as they were drawn.
    package var texts: [DrawnPanelText]
    package var warnings: [Message]

    package func texts(_ role: String) -> [DrawnPanelText] { texts.filter { $0.role == role } }
}

/// A text of a panel as it was drawn.
package struct DrawnPanelText {
    /// For example `title`, `reason` or the name of a control.
    package var role: String
    package var box: Box
    package var ink: Box
    package var isCut: Bool
    package var missingGlyphs: Int
    /// The contrast between the text and its ground.
    package var contrast: Double
}

/// The colours of panels. They are opaque, so that the background never makes texts hard to read.
struct PanelColors {
    let surface: DrawColor
    /// The ground of a group of texts. It differs slightly from the surface.
    let inset: DrawColor
    let edge: DrawColor
    let label: DrawColor
    let secondary: DrawColor
    let accent: DrawColor
    let button: DrawColor
    let quietButton: DrawColor
    let error: DrawColor

    init(_ face: DrawAppearance, isUrgent: Bool) {
        let isDark = face == .dark
        surface =
            isUrgent
            ? DrawColor(hex: isDark ? 0xC2410C : 0xB93A0B) : DrawColor(hex: isDark ? 0x26262A : 0xFBFBFD)
        inset = DrawColor(hex: isDark ? 0x323238 : 0xF0F0F4)
        edge = (isDark ? DrawColor.white : .black).with(alpha: isDark ? 0.16 : 0.14)
        label = isUrgent ? .white : SystemColors.label(face)
        secondary = isUrgent ? DrawColor(hex: 0xFFEDE3) : SystemColors.secondaryLabel(face)
        accent = SystemColors.accent(face)
        button = SystemColors.button(face)
        quietButton = DrawColor(hex: isDark ? 0x45454C : 0xE3E3E9)
        error = DrawColor(hex: isDark ? 0xFF9B8A : 0xB3261E)
    }
}
