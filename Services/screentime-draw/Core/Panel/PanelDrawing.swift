package import STContracts
package import STPlatform

/// The drawing of what is on a screen besides shields.
package enum PanelDrawing {
    /// Refuses bad sizes; every other fault becomes a warning.
    package static func draw(_ scene: PanelScene) throws(Problem) -> DrawnPanel {
        try scene.check()
        let drawn = try PanelPainter(scene).paint()
        try drawn.canvas.check()
        return drawn
    }
}

package struct PanelScene {
    package var request: DrawPanelRequest
    /// To be drawn on: of that size, and empty; nil makes one.
    package var canvas: Canvas?

    package init(_ request: DrawPanelRequest) { self.request = request }

    package var scale: Double { request.scale ?? 1 }
    package var face: DrawAppearance { request.appearance }

    package func check() throws(Problem) {
        try SceneCheck.check(
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

/// A picture of a panel, and what is where in it.
package struct DrawnPanel {
    package var canvas: Canvas
    /// What can be pressed; what lies on top comes first.
    package var spots: [DrawnSpot]
    /// The words as they were drawn.
    package var texts: [DrawnPanelText]
    package var warnings: [Message]

    package func texts(_ role: String) -> [DrawnPanelText] { texts.filter { $0.role == role } }
}

/// A text of a panel as it was drawn.
package struct DrawnPanelText {
    /// Such as `title`, `reason` or a spot's name.
    package var role: String
    package var box: Box
    package var ink: Box
    package var isCut: Bool
    package var missingGlyphs: Int
    /// Between its colour and its ground.
    package var contrast: Double
}

/// The colours of panels: opaque, so that what lies behind never makes them hard to read.
struct PanelInks {
    let surface: Ink
    /// A little off the surface: what belongs together lies on it.
    let inset: Ink
    let edge: Ink
    let label: Ink
    let secondary: Ink
    let accent: Ink
    let button: Ink
    let quietButton: Ink
    let error: Ink

    init(_ face: DrawAppearance, isUrgent: Bool) {
        let isDark = face == .dark
        surface = isUrgent ? Ink(hex: isDark ? 0xC2410C : 0xB93A0B) : Ink(hex: isDark ? 0x26262A : 0xFBFBFD)
        inset = Ink(hex: isDark ? 0x323238 : 0xF0F0F4)
        edge = (isDark ? Ink.white : .black).with(alpha: isDark ? 0.16 : 0.14)
        label = isUrgent ? .white : SystemInk.label(face)
        secondary = isUrgent ? Ink(hex: 0xFFEDE3) : SystemInk.secondaryLabel(face)
        accent = SystemInk.accent(face)
        button = SystemInk.button(face)
        quietButton = Ink(hex: isDark ? 0x45454C : 0xE3E3E9)
        error = Ink(hex: isDark ? 0xFF9B8A : 0xB3261E)
    }
}
