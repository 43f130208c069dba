/// What happens to a pane.
///
/// Pointer motions stay in the adapter: only the spot beneath the pointer is told, and only when it is another one.
package enum PaneEvent: Sendable, Equatable {
    /// It is on the screen since then, in so many pixels; told again whenever size or scale change, and wants a picture.
    case shown(width: Int, height: Int, scale: Double, atBootMs: Int64)
    /// Nobody can see it: its window is minimised or on another workspace.
    case hidden
    case hovered(String?)
    /// The pointer was pressed and let go over the same spot.
    case pressed(String)
    case key(PaneKey)
    /// The answer to `holdInput`, and told again when that changes by itself; with a sentence why not.
    case held(Bool, String?)
    /// It could not be put up, or was taken away by somebody else.
    case failed(String)
}
