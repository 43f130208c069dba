/// A part of a pane that can be pressed, in pixels of its picture.
package struct PaneSpot: Sendable, Equatable {
    package var id: String
    package var frame: ScreenRect

    package init(id: String, frame: ScreenRect) {
        self.id = id
        self.frame = frame
    }
}
