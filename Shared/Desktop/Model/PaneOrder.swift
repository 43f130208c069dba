/// A window of our own to be put on the screen.
package struct PaneOrder: Sendable, Equatable {
    package enum Place: Sendable, Equatable {
        /// Exactly over the content of a window and just above it, whatever becomes of that window; over all of its
        /// monitors where frames are not told.
        case over(WindowID)
        /// Small, in the corner where nothing is read, above all; takes no input.
        case corner(width: Int, height: Int)
        /// In the middle, above all, with the keyboard.
        case middle(width: Int, height: Int)
    }

    package var id: PaneID
    package var place: Place
    /// What is there until it is painted: `0xAARRGGBB`.
    package var background: UInt32
    /// What assistive technology and window lists call it.
    package var name: String
    /// Whether keys go to it while it, or what it lies over, is in front.
    package var takesKeys: Bool

    package init(id: PaneID, place: Place, background: UInt32, name: String, takesKeys: Bool) {
        self.id = id
        self.place = place
        self.background = background
        self.name = name
        self.takesKeys = takesKeys
    }
}
