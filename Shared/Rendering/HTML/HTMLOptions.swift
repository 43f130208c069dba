/// How a page becomes a document.
package struct HTMLOptions: Sendable {
    package var theme: HTMLTheme
    /// One option of each control, when another variant than the first is shown at first.
    package var chosen: [Int]?

    package init(theme: HTMLTheme = .automatic, chosen: [Int]? = nil) {
        self.theme = theme
        self.chosen = chosen
    }
}
