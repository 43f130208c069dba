/// What a thing on a page says to what it stands in.
@MainActor
package struct PageTraits {
    /// What is chosen with it.
    package var tag: AnyHashable?
    /// The same, when nobody said anything.
    package var implicitTag: AnyHashable?
    /// Stands on its tab.
    package var tabLabel: PageElement?
    package var badge: PageElement?
    package var rowBackground: PageElement?
    package var rowInsets: EdgeInsets?
    /// How many columns of a grid it takes.
    package var columns: Int?
    /// How far in front of others it lies.
    package var zIndex = 0.0
    /// Of a row in a grid.
    package var isGridRow = false
}
