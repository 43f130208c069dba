package import STPlatform

/// The drawing of shields, the same for a preview and for a window on the desktop.
package enum ShieldDrawing {
    /// Every blur style by Apple's name.
    package static var blurStyles: [String] { BlurLook.names }

    /// Draws it.
    ///
    /// Bad sizes are refused; whatever is wrong with the look itself becomes a warning, because somebody waits for
    /// this shield.
    package static func draw(_ scene: ShieldScene) throws(Problem) -> DrawnShield {
        try scene.check()
        let drawn = try ShieldPainter(scene).paint()
        try drawn.canvas.check()
        return drawn
    }
}
