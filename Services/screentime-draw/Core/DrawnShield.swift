package import STContracts

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
        /// Of its colour on what lies behind it.
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
    package var warnings: [String]

    package func text(_ role: Text.Role) -> Text? { texts.first { $0.role == role } }
}
