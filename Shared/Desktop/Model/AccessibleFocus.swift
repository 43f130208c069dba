/// Where the keyboard is among our panes.
package struct AccessibleFocus: Sendable, Equatable {
    package var pane: PaneID
    package var spot: String

    package init(pane: PaneID, spot: String) {
        self.pane = pane
        self.spot = spot
    }
}
