/// A text of a panel as it was drawn.
package struct DrawnPanelText {
    /// Such as `title`, `reason` or a spot's name.
    package var role: String
    package var box: Box
    package var ink: Box
    package var isCut: Bool
    package var missingGlyphs: Int
    /// Of its colour on what lies behind it.
    package var contrast: Double
}
