package import STContracts
package import STDesktop

/// What a panel shows: where, under which name, and everything of the drawing but its size and its file.
package struct PanelContent: Sendable, Equatable {
    package var place: PaneOrder.Place
    /// What assistive technology calls it.
    package var name: String
    package var takesKeys: Bool
    package var drawing: DrawPanelRequest

    package init(place: PaneOrder.Place, name: String, takesKeys: Bool, drawing: DrawPanelRequest) {
        self.place = place
        self.name = name
        self.takesKeys = takesKeys
        self.drawing = drawing
    }

    /// Until the first picture is there.
    var background: UInt32 { drawing.appearance == .dark ? 0xFF26_262A : 0xFFFB_FBFD }
}
