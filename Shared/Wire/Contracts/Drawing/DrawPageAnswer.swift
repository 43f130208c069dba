/// What `screentime-draw --page` answers once the picture is written.
package struct DrawPageAnswer: WireBody, Codable, Equatable {
    /// Of a PNG in pixels, of an SVG in points.
    package var width: Int
    package var height: Int
    package var bytes: Int
    /// Whether the page goes on below the end of the picture.
    package var isCut: Bool
    /// What could not be drawn as it was asked for, each as a sentence.
    package var warnings: [String]

    package init(width: Int, height: Int, bytes: Int, isCut: Bool, warnings: [String]) {
        self.width = width
        self.height = height
        self.bytes = bytes
        self.isCut = isCut
        self.warnings = warnings
    }
}
