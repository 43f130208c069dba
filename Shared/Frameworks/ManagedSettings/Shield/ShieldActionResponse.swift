/// What is to be done after a button of a shield was pressed.
public enum ShieldActionResponse: Int, Sendable {
    /// Nothing: the shield stays unless the app has lifted it.
    case none

    /// What is shielded is closed.
    case close

    /// The shield stays and is drawn anew.
    case `defer`

    /// The app that shields is opened.
    case openParentalControlsApp
}
