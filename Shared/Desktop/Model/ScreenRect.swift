/// A part of the whole desktop, in the desktop's own units: pixels on X11, logical ones on Wayland.
package struct ScreenRect: Sendable, Hashable, Codable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    package var isEmpty: Bool { width <= 0 || height <= 0 }

    package func contains(x: Int, y: Int) -> Bool {
        self.x <= x && x - self.x < width && self.y <= y && y - self.y < height
    }
}
