/// How large a pane is on the screen, in pixels, and how many of them a unit of length has.
struct PaneSize: Sendable, Hashable {
    var width: Int
    var height: Int
    var scale: Double
}
