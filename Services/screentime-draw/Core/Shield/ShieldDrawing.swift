package import STContracts
package import STPlatform

/// Draws shields, for a preview and for a window on the desktop.
package enum ShieldDrawing {
    /// Throws if the size is invalid. All other errors result in warnings, because the shield must appear in any case.
    package static func draw(_ scene: ShieldDrawingRequest) throws(Problem) -> DrawnShield {
        try scene.check()
        let drawn = try ShieldPainter(scene).paint()
        try drawn.canvas.check()
        return drawn
    }
}

/// A shield, and the window that it covers.
package struct ShieldDrawingRequest {
    package var look: ShieldAppearance
    /// The name of the app or site for people.
    package var name: String?
    /// The size in pixels.
    package var width: Int
    package var height: Int
    /// The number of pixels per unit of length.
    package var scale = 1.0
    package var appearance = DrawAppearance.light
    package var language: String?
    /// The picture behind the shield.
    package var backdrop: Canvas?
    package var focus: ShieldButton?
    package var isMenuOpen = false
    /// The control and the note below the buttons of the look.
    package var more: DrawMore?
    /// An empty canvas of this size to draw on. If it is `nil`, a new one is created.
    package var canvas: Canvas?

    package init(look: ShieldAppearance, name: String? = nil, width: Int, height: Int) {
        self.look = look
        self.name = name
        self.width = width
        self.height = height
    }

    package func check() throws(Problem) {
        try DrawingRequestCheck.check(width: width, height: height, scale: scale, appearance: appearance)
    }
}

/// A picture of a shield, and the places of its parts.
package struct DrawnShield {
    package struct Text {
        package enum Role: Sendable {
            case title, subtitle, primary, secondary, submenu, more, note
        }

        package var role: Role
        /// The frame of its lines.
        package var box: Box
        /// The frame of its visible pixels.
        package var ink: Box
        /// True if the end of the text is replaced by an ellipsis.
        package var isCut: Bool
        /// The number of characters that no font of this machine has.
        package var missingGlyphs: Int
        /// The contrast between the text and its ground.
        package var contrast: Double
    }

    package var canvas: Canvas
    /// The buttons, the topmost one first.
    package var buttons: [DrawnButton]
    /// The other controls.
    package var spots: [DrawnSpot] = []
    package var texts: [Text]
    /// The frame of the icon. `nil` if there was no space for it.
    package var icon: Box?
    package var warnings: [Message]

    package func text(_ role: Text.Role) -> Text? { texts.first { $0.role == role } }
}
