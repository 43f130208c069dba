package import STPlatform

/// The drawing of what is on a screen besides shields.
package enum PanelDrawing {
    /// Bad sizes are refused; whatever else is wrong becomes a warning.
    package static func draw(_ scene: PanelScene) throws(Problem) -> DrawnPanel {
        try scene.check()
        let drawn = try PanelPainter(scene).paint()
        try drawn.canvas.check()
        return drawn
    }
}
