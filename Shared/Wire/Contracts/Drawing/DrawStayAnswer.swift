package import STPlatform

/// One line of what `screentime-draw --stay` answers: a drawing's answer, or why there is no picture.
package struct DrawStayAnswer: WireBody, Codable, Equatable {
    /// Of the request; nil where that could not be read.
    package var number: Int64?
    package var shield: DrawAnswer?
    package var page: DrawPageAnswer?
    package var panel: DrawPanelAnswer?
    package var problem: Problem?

    package init(
        number: Int64?,
        shield: DrawAnswer? = nil,
        page: DrawPageAnswer? = nil,
        panel: DrawPanelAnswer? = nil,
        problem: Problem? = nil
    ) {
        self.number = number
        self.shield = shield
        self.page = page
        self.panel = panel
        self.problem = problem
    }
}
