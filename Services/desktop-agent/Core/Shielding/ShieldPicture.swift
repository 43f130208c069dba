package import STContracts

/// A picture that was drawn.
package struct ShieldPicture: Sendable, Equatable {
    package var path: String
    package var width: Int
    package var height: Int
    package var bytes: Int
    /// Later ones lie on top.
    package var spots: [DrawnSpot]

    package init(path: String, width: Int, height: Int, bytes: Int, spots: [DrawnSpot]) {
        self.path = path
        self.width = width
        self.height = height
        self.bytes = bytes
        self.spots = spots
    }

    package init(path: String, _ answer: DrawAnswer) {
        let buttons = answer.buttons.map {
            DrawnSpot(id: $0.button.rawValue, x: $0.x, y: $0.y, width: $0.width, height: $0.height)
        }
        self.init(
            path: path,
            width: answer.width,
            height: answer.height,
            bytes: answer.bytes,
            // A drawing names what lies on top first, a pane last.
            spots: (answer.spots ?? []) + buttons.reversed()
        )
    }
}
