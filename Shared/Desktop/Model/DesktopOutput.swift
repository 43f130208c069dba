/// One monitor.
package struct DesktopOutput: Sendable, Equatable, Codable {
    package var name: String
    package var frame: ScreenRect
    /// Pixels of one unit of length: 2 on a dense screen.
    package var scale: Double

    package init(name: String, frame: ScreenRect, scale: Double) {
        self.name = name
        self.frame = frame
        self.scale = scale
    }
}
