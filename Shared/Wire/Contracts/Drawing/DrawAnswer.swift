/// Where a button lies in a picture, in pixels from its upper left corner.
package struct DrawnButton: WireBody, Codable, Equatable {
    package var button: ShieldButton
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(button: ShieldButton, x: Int, y: Int, width: Int, height: Int) {
        self.button = button
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

/// What `screentime-draw` answers once the picture is written.
package struct DrawAnswer: WireBody, Codable, Equatable {
    package var width: Int
    package var height: Int
    package var bytes: Int
    package var buttons: [DrawnButton]
    /// What could not be drawn as it was asked for, each as a sentence.
    package var warnings: [String]
    /// What else can be pressed: `DrawnSpot.moreTime`.
    package var spots: [DrawnSpot]?

    package init(
        width: Int,
        height: Int,
        bytes: Int,
        buttons: [DrawnButton],
        warnings: [String],
        spots: [DrawnSpot]? = nil
    ) {
        self.width = width
        self.height = height
        self.bytes = bytes
        self.buttons = buttons
        self.warnings = warnings
        self.spots = spots
    }
}
