package import STContracts
package import STDesktop

/// What the director of panels wants done.
package enum PanelOrder: Sendable, Equatable {
    case screen([DesktopAct])
    /// The output's path is whoever draws it to choose; answered with the ticket.
    case draw(PaneID, DrawPanelRequest, ticket: Int64)
    /// Files that nobody needs any more.
    case forget([String])
    /// Which budget of this app that ends in a shield is used up next; answered with the ticket.
    case askBudget(app: String, ticket: Int64)
    case answer(QuestionAnswer)
}
