package import STContracts

/// A picture of a panel, and what is where in it.
package struct DrawnPanel {
    package var canvas: Canvas
    /// What can be pressed; what lies on top comes first.
    package var spots: [DrawnSpot]
    /// The words as they were drawn.
    package var texts: [DrawnPanelText]
    package var warnings: [String]

    package func texts(_ role: String) -> [DrawnPanelText] { texts.filter { $0.role == role } }
}
