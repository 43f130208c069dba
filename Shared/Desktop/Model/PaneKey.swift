/// A key over a pane, as its meaning.
package enum PaneKey: Sendable, Equatable {
    case next
    case previous
    case press
    case cancel
    case backspace
    /// What was typed: one or more characters, no controls.
    case text(String)
}
