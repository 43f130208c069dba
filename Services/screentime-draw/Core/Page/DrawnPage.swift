package import STContracts

/// A picture of a page, and what is where in it.
package struct DrawnPage {
    /// One thing on the page; lists and switches have become stacks and boxes.
    package struct Part {
        package var kind: PageKind
        /// Which part it stands in; -1 is none.
        package var parent: Int
        /// In points, from the upper left corner of the picture.
        package var box: Box
        /// Whether an ellipsis stands for the end of its text.
        package var isCut: Bool
        package var lines: Int
        /// Of a text.
        package var words: String?
    }

    package var canvas: Canvas
    /// In pixels, or in points for an SVG.
    package var width: Int
    package var height: Int
    /// In the order in which they stand in each other.
    package var parts: [Part]
    package var isCut: Bool
    package var warnings: [String]
}
