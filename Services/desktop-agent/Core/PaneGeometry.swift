import STContracts
import STDesktop

/// The size of a pane on the screen in pixels, and its number of pixels per unit of length.
struct PaneSize: Sendable, Hashable {
    var width: Int
    var height: Int
    var scale: Double
}

extension DrawnSpot {
    /// The frame in pixels of the picture.
    var frame: ScreenRect { ScreenRect(x: x, y: y, width: width, height: height) }

    var paneSpot: PaneSpot { PaneSpot(id: id, frame: frame) }
}

extension ScreenRect {
    /// Converts a rectangle from pixels of a picture to units of the desktop.
    ///
    /// `pane` is the frame of the picture on the desktop, and `scale` its number of pixels per unit.
    func onScreen(from pane: ScreenRect, scale: Double) -> ScreenRect {
        func units(_ pixels: Int) -> Int { Int((Double(pixels) / scale).rounded()) }
        return ScreenRect(
            x: pane.x + units(x),
            y: pane.y + units(y),
            width: units(width),
            height: units(height)
        )
    }
}
