/// A button of a pane; the frame is a part of the whole desktop.
package struct AccessibleSpot: Sendable, Equatable {
    package var id: String
    package var name: String
    package var frame: ScreenRect

    package init(id: String, name: String, frame: ScreenRect) {
        self.id = id
        self.name = name
        self.frame = frame
    }
}
