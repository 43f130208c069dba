/// The named limits of a page.
package enum PageLimits {
    /// Things on one variant of a page.
    package static let nodes = 5_000
    /// How deep they stand in each other.
    package static let depth = 200
    /// Of all texts of a page together, in UTF-8.
    package static let textBytes = 128 * 1024
    /// Of a page as JSON.
    package static let bytes = 1024 * 1024
    /// Marks of one chart.
    package static let marks = 2_000
    /// All combinations of what can be chosen.
    package static let variants = 32
}
