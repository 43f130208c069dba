/// One of our windows as those know it who do not see it.
package struct AccessiblePane: Sendable, Equatable {
    package var id: PaneID
    /// What it says first, such as the title of a shield.
    package var title: String
    package var subtitle: String
    package var frame: ScreenRect
    /// Its buttons, in the order in which Tab goes through them.
    package var spots: [AccessibleSpot]

    package init(id: PaneID, title: String, subtitle: String, frame: ScreenRect, spots: [AccessibleSpot]) {
        self.id = id
        self.title = title
        self.subtitle = subtitle
        self.frame = frame
        self.spots = spots
    }
}
