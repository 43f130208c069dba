import STContracts
import STDesktop

/// How large a pane is on the screen, in pixels, and how many of them a unit of length has.
struct PaneSize: Sendable, Hashable {
    var width: Int
    var height: Int
    var scale: Double
}

extension DrawnSpot {
    /// In pixels of its picture.
    var frame: ScreenRect { ScreenRect(x: x, y: y, width: width, height: height) }

    var paneSpot: PaneSpot { PaneSpot(id: id, frame: frame) }
}

extension ScreenRect {
    /// A part of a picture as a part of the desktop: `pane` is where the picture lies, `scale` its pixels of a unit.
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
