package import STContracts
package import STPlatform

/// The drawing of shields, the same for a preview and for a window on the desktop.
package enum ShieldDrawing {
    /// Refuses bad sizes; every other fault of the look becomes a warning, because the shield must come in any case.
    package static func draw(_ scene: ShieldScene) throws(Problem) -> DrawnShield {
        try scene.check()
        let drawn = try ShieldPainter(scene).paint()
        try drawn.canvas.check()
        return drawn
    }
}

/// A shield and the window that it is for.
package struct ShieldScene {
    package var look: ShieldLook
    /// The name of the app or site, as people know it.
    package var name: String?
    /// In pixels.
    package var width: Int
    package var height: Int
    /// Pixels of one unit of length.
    package var scale = 1.0
    package var appearance = DrawAppearance.light
    package var language: String?
    /// The picture behind the shield.
    package var backdrop: Canvas?
    package var focus: ShieldButton?
    package var isMenuOpen = false
    /// What is offered below the buttons of the look.
    package var more: DrawMore?
    /// To be drawn on: of that size, and empty; nil makes one.
    package var canvas: Canvas?

    package init(look: ShieldLook, name: String? = nil, width: Int, height: Int) {
        self.look = look
        self.name = name
        self.width = width
        self.height = height
    }

    package func check() throws(Problem) {
        try SceneCheck.check(width: width, height: height, scale: scale, appearance: appearance)
    }
}

/// A picture of a shield, and what is where in it.
package struct DrawnShield {
    /// A text as it was drawn.
    package struct Text {
        package enum Role: Sendable {
            case title, subtitle, primary, secondary, submenu, more, note
        }

        package var role: Role
        /// Where its lines are.
        package var box: Box
        /// Where there is ink.
        package var ink: Box
        /// Whether an ellipsis stands for its end.
        package var isCut: Bool
        /// Characters that no font of this machine has.
        package var missingGlyphs: Int
        /// Between its colour and its ground.
        package var contrast: Double
    }

    package var canvas: Canvas
    /// What lies on top comes first.
    package var buttons: [DrawnButton]
    /// What else can be pressed.
    package var spots: [DrawnSpot] = []
    package var texts: [Text]
    /// Nil when there was no room for it.
    package var icon: Box?
    package var warnings: [Message]

    package func text(_ role: Text.Role) -> Text? { texts.first { $0.role == role } }
}
