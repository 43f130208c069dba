/// What a pane looks like, and what of it can be pressed.
package struct PanePicture: Sendable, Equatable {
    /// Pixels as `screentime-draw` writes them for `argb32`: rows without gaps, premultiplied, in this machine's order.
    ///
    /// The file is the agent's own, never cut or written again once painted; it may be mapped.
    package var path: String
    /// In pixels.
    package var width: Int
    package var height: Int
    /// Pixels of the desktop's unit of length.
    package var scale: Double
    /// Later ones lie on top.
    package var spots: [PaneSpot]

    package init(path: String, width: Int, height: Int, scale: Double, spots: [PaneSpot]) {
        self.path = path
        self.width = width
        self.height = height
        self.scale = scale
        self.spots = spots
    }
}
