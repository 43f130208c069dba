/// A drawing by name, in a field of 24 by 24.
///
/// Its paths have few letters: `M x y`, `L x y`, `C` with three points, `Z`,
/// `O x y r` a circle, `R x y w h r` a rounded rectangle.
package struct Symbol: Sendable {
    /// Closed shapes: their edge, or all of them when the name ends in `.fill`.
    package var outline: [String] = []
    /// Lines on top; in a filled symbol they are cut out of it.
    package var detail: [String] = []
    /// Areas that are always filled, and cut out of a filled outline.
    package var solid: [String] = []
    /// Whether the lines lie beside the shapes rather than on them, as the bow of a lock does.
    package var isBeside = false
}
