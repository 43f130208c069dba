/// What `screentime-draw --panel` answers once the picture is written.
package struct DrawPanelAnswer: WireBody, Codable, Equatable {
    package var width: Int
    package var height: Int
    package var bytes: Int
    /// What can be pressed; what lies on top comes first.
    package var spots: [DrawnSpot]
    /// What could not be drawn as it was asked for, each as a sentence.
    package var warnings: [String]

    package init(width: Int, height: Int, bytes: Int, spots: [DrawnSpot], warnings: [String]) {
        self.width = width
        self.height = height
        self.bytes = bytes
        self.spots = spots
        self.warnings = warnings
    }
}
